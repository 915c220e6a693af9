"""Endpoints for statuses of users."""

from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, UnsetType

from chatcore.application.arguments import UserNumber, about
from chatcore.application.people import statuses
from chatcore.application.services import Services
from chatcore.http.parameters.declaring import Params, Text
from chatcore.http.pipeline.auth import Caller
from chatcore.http.pipeline.routing import Answer, Done


class StatusShape(msgspec.Struct, frozen=True, kw_only=True):
    away: bool | UnsetType = UNSET
    status_text: str | UnsetType = UNSET
    emoji_name: str | UnsetType = UNSET
    emoji_code: str | UnsetType = UNSET
    reaction_type: Literal["unicode_emoji", "realm_emoji", "service_extra_emoji"] | UnsetType = UNSET


class StatusOfParams(Params, kw_only=True, frozen=True):
    user_id: UserNumber


class UserStatusAnswer(Answer, frozen=True, kw_only=True):
    status: StatusShape


def status_of(svc: Services, caller: Caller, p: StatusOfParams) -> UserStatusAnswer:
    """Get a user's status."""
    parts: dict[str, Any] = dict(statuses.status_of(svc, caller.actor, p.user_id))
    return UserStatusAnswer(status=StatusShape(**parts))


class SetStatusParams(Params, kw_only=True, frozen=True):
    status_text: Annotated[Text | None, about("The text of the status; an empty one clears it.")] = None
    away: Annotated[bool | None, about("Whether to hide the caller's presence.")] = None
    emoji_name: Annotated[Text | None, about("The name of an emoji; an empty one clears it.")] = None
    emoji_code: Annotated[Text | None, about("The emoji's code.")] = None
    reaction_type: Annotated[Text | None, about("The kind of emoji.")] = None


def set_status(svc: Services, caller: Caller, p: SetStatusParams) -> Done:
    """Set the caller's status, or parts of it."""
    new = statuses.NewStatus(**{name: getattr(p, name) for name in p.__struct_fields__})
    statuses.set_status(svc, caller.actor, new)
    return Done()


class SetStatusOfParams(Params, kw_only=True, frozen=True):
    user_id: UserNumber
    status_text: Annotated[Text | None, about("The text of the status; an empty one clears it.")] = None
    emoji_name: Annotated[Text | None, about("The name of an emoji; an empty one clears it.")] = None
    emoji_code: Annotated[Text | None, about("The emoji's code.")] = None
    reaction_type: Annotated[Text | None, about("The kind of emoji.")] = None


def set_status_of(svc: Services, caller: Caller, p: SetStatusOfParams) -> Done:
    """Set another user's status, or parts of it, as an administrator."""
    new = statuses.NewStatus(
        status_text=p.status_text,
        emoji_name=p.emoji_name,
        emoji_code=p.emoji_code,
        reaction_type=p.reaction_type,
    )
    statuses.set_status_of(svc, caller.actor, p.user_id, new)
    return Done()
