"""Endpoints that create a channel, and change or restore one."""

from collections.abc import Mapping
from typing import Annotated

from msgspec import UNSET, UnsetType

from chatcore.application.arguments import ChannelNumber, about
from chatcore.application.channels import (
    editing,
    subscribing,
    subscription_plans,
)
from chatcore.application.services import Services
from chatcore.application.visibility.group_settings import SettingChange
from chatcore.domain.groups.permissions import CHANNEL_PERMISSIONS
from chatcore.http.endpoints.channels.params import (
    RETENTION,
    NewChannelParams,
    TopicsPolicyParam,
    read_creation,
    read_retention,
)
from chatcore.http.parameters.declaring import Params, Text, with_options
from chatcore.http.parameters.group_settings import UPDATE_SCHEMA, SettingUpdate, read_update
from chatcore.http.pipeline.auth import Caller
from chatcore.http.pipeline.routing import Answer, Done

PermissionUpdate = Annotated[
    SettingUpdate | None,
    about(
        "The new value (`new`), and optionally the value that the caller expects to replace (`old`).",
        schema=UPDATE_SCHEMA,
    ),
]


class CreateParams(NewChannelParams, kw_only=True, frozen=True):
    name: Annotated[Text, about("The name, which no other channel has.")]
    subscribers: Annotated[list[int], about("Ids of the first subscribers.")]
    description: Annotated[Text, about("The purpose of the channel, in Markdown.")] = ""


class NewChannelAnswer(Answer, frozen=True, kw_only=True):
    id: int


def create(svc: Services, caller: Caller, p: CreateParams) -> NewChannelAnswer:
    """Create a channel. The caller is subscribed only if named."""
    cmd = subscription_plans.Subscribe(
        channels=[subscription_plans.WantedChannel(p.name, p.description)],
        principals=p.subscribers,
        creation=read_creation(p),
        send_new_subscription_messages=p.send_new_subscription_messages,
        must_be_new=True,
    )
    (channel_id,) = subscribing.subscribe(svc, caller.actor, cmd).created
    return NewChannelAnswer(id=channel_id)


class ChangeParams(Params, kw_only=True, frozen=True):
    stream_id: ChannelNumber
    new_name: Annotated[Text | None, about("The name.")] = None
    description: Annotated[Text | None, about("The purpose of the channel, in Markdown.")] = None
    is_private: Annotated[bool | None, about("Whether only subscribers can read the channel.")] = None
    is_web_public: Annotated[bool | None, about("Whether the channel is open to the web.")] = None
    history_public_to_subscribers: Annotated[
        bool | None, about("Whether new subscribers may read older messages.")
    ] = None
    is_default_stream: Annotated[bool | None, about("Whether new users are subscribed to the channel.")] = (
        None
    )
    is_archived: Annotated[bool | None, about("False restores an archived channel.")] = None
    message_retention_days: Annotated[
        int | Text | None, about(f"Days that messages are kept: {RETENTION}")
    ] = None
    topics_policy: Annotated[TopicsPolicyParam | None, about("Whether messages may have no topic.")] = None
    folder_id: Annotated[
        int | UnsetType | None, about("The folder to put the channel into; null takes it out of its folder.")
    ] = UNSET


UpdateParams = with_options(
    ChangeParams,
    "UpdateChannelParams",
    dict.fromkeys(CHANNEL_PERMISSIONS, PermissionUpdate),
    absent=None,
)
"""The changes of a channel, with its permissions."""


def update(svc: Services, caller: Caller, p: ChangeParams) -> Done:
    """Change a channel, or unarchive it."""
    permissions: Mapping[str, SettingChange] = {
        name: read_update(name, change)
        for name in CHANNEL_PERMISSIONS
        if (change := getattr(p, name)) is not None
    }
    changes = editing.ChannelChanges(
        name=p.new_name,
        description=p.description,
        is_private=p.is_private,
        is_web_public=p.is_web_public,
        history_public_to_subscribers=p.history_public_to_subscribers,
        is_default=p.is_default_stream,
        is_archived=p.is_archived,
        message_retention_days=UNSET
        if p.message_retention_days is None
        else read_retention(p.message_retention_days),
        topics_policy=p.topics_policy,
        folder_id=p.folder_id,
        permissions=permissions,
    )
    editing.update_channel(svc, caller.actor, p.stream_id, changes)
    return Done()
