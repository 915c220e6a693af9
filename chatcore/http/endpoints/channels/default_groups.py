"""Default channel groups, which new people can choose."""

from typing import Annotated, Literal

from chatcore.application.arguments import about
from chatcore.application.channels import default_groups
from chatcore.application.services import Services
from chatcore.http.auth import Caller
from chatcore.http.parameters.declaring import Params, Text
from chatcore.http.routing import Answer, Done

NAMES = "Names of channels, none of which is private, archived or a default channel."


class CreateParams(Params, kw_only=True, frozen=True):
    group_name: Annotated[Text, about("The name, which no other group has.")]
    description: Annotated[Text, about("The purpose of the group.")]
    stream_names: Annotated[list[str], about(NAMES)]


class NewDefaultGroupAnswer(Answer, frozen=True, kw_only=True):
    group_id: int


def create(svc: Services, caller: Caller, p: CreateParams) -> NewDefaultGroupAnswer:
    """Create a default channel group."""
    created = default_groups.create_group(svc, caller.actor, p.group_name, p.description, p.stream_names)
    return NewDefaultGroupAnswer(group_id=created)


class OneParams(Params, kw_only=True, frozen=True):
    group_id: Annotated[int, about("The group's id.")]


class UpdateParams(OneParams, kw_only=True, frozen=True):
    new_group_name: Annotated[Text | None, about("The name.")] = None
    new_description: Annotated[Text | None, about("The purpose of the group.")] = None


def update(svc: Services, caller: Caller, p: UpdateParams) -> Done:
    """Change the name or description of a default channel group."""
    default_groups.update_group(
        svc, caller.actor, p.group_id, name=p.new_group_name, description=p.new_description
    )
    return Done()


class ChannelsParams(OneParams, kw_only=True, frozen=True):
    op: Annotated[Literal["add", "remove"], about("Whether to add or remove channels.")]
    stream_names: Annotated[list[str], about(NAMES)]


def update_channels(svc: Services, caller: Caller, p: ChannelsParams) -> Done:
    """Add channels to a default channel group, or remove them from it."""
    default_groups.update_channels(svc, caller.actor, p.group_id, p.op, p.stream_names)
    return Done()


def remove(svc: Services, caller: Caller, p: OneParams) -> Done:
    """Remove a default channel group."""
    default_groups.remove_group(svc, caller.actor, p.group_id)
    return Done()
