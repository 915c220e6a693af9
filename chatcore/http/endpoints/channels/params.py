"""Parameters for properties of channels, shared by several endpoints."""

from typing import Annotated, Final, Literal, TypeAlias

from chatcore.application.arguments import about
from chatcore.application.channels.creation import Creation
from chatcore.domain.channels.editing import bad_retention
from chatcore.domain.groups.permissions import CHANNEL_PERMISSIONS
from chatcore.domain.organization.organization import MAX_RETENTION_DAYS
from chatcore.http.parameters.declaring import Count, Params, Text
from chatcore.http.parameters.group_settings import SettingParam, read_setting

TopicsPolicyParam: TypeAlias = Literal[
    "inherit", "allow_empty_topic", "disable_empty_topic", "empty_topic_only"
]


RETENTION: Final = (
    f"1 to {MAX_RETENTION_DAYS}, or 'realm_default' or 'unlimited'."
    " Messages that are older are deleted, but for those that a legal hold keeps."
)


class NewChannelParams(Params, kw_only=True, frozen=True):
    """The properties of new channels."""

    announce: Annotated[
        bool, about("Whether to announce the new channels, if the organization announces channels.")
    ] = False
    invite_only: Annotated[bool, about("Whether the new channels are private.")] = False
    is_web_public: Annotated[bool, about("Whether the new channels are open to the web.")] = False
    is_default_stream: Annotated[bool, about("Whether new users are subscribed to the new channels.")] = False
    history_public_to_subscribers: Annotated[
        bool | None, about("Whether new subscribers of the new channels may read older messages.")
    ] = None
    message_retention_days: Annotated[
        int | Text | None,
        about(f"Days that messages of new channels are kept: {RETENTION}"),
    ] = None
    topics_policy: Annotated[
        TopicsPolicyParam,
        about("Whether messages of new channels may have no topic."),
    ] = "inherit"
    can_add_subscribers_group: Annotated[
        SettingParam, about("Who may add others to new channels: a group's id, or an object.")
    ] = None
    can_remove_subscribers_group: Annotated[
        SettingParam, about("Who may remove others from new channels.")
    ] = None
    can_administer_channel_group: Annotated[SettingParam, about("Who administers new channels.")] = None
    can_delete_any_message_group: Annotated[
        SettingParam, about("Who may delete any message of new channels.")
    ] = None
    can_delete_own_message_group: Annotated[
        SettingParam, about("Who may delete messages of their own in new channels.")
    ] = None
    can_move_messages_out_of_channel_group: Annotated[
        SettingParam, about("Who may move messages out of new channels.")
    ] = None
    can_move_messages_within_channel_group: Annotated[
        SettingParam, about("Who may move messages within new channels.")
    ] = None
    can_send_message_group: Annotated[SettingParam, about("Who may send to new channels.")] = None
    can_subscribe_group: Annotated[SettingParam, about("Who may join new channels by themselves.")] = None
    can_resolve_topics_group: Annotated[SettingParam, about("Who may resolve topics of new channels.")] = None
    folder_id: Annotated[Count | None, about("The folder of new channels.")] = None
    send_new_subscription_messages: Annotated[
        bool, about("Whether to notify the people whom the caller subscribes.")
    ] = True


def read_creation(p: NewChannelParams) -> Creation:
    """Return the properties of a new channel.

    :raises InvalidParameter: not a number of days
    """
    return Creation(
        invite_only=p.invite_only,
        is_web_public=p.is_web_public,
        is_default_stream=p.is_default_stream,
        history_public_to_subscribers=p.history_public_to_subscribers,
        message_retention_days=None
        if p.message_retention_days is None
        else read_retention(p.message_retention_days),
        topics_policy=p.topics_policy,
        folder_id=p.folder_id,
        permissions={
            name: read_setting(value)
            for name in CHANNEL_PERMISSIONS
            if (value := getattr(p, name)) is not None
        },
        announce=p.announce,
    )


_RETENTION_BY_WORD = {"realm_default": None, "unlimited": -1}


def read_retention(value: int | str) -> int | None:
    """Return the number of days that messages are kept: -1 is for ever, None as long as the organization
    says.

    :raises InvalidParameter: neither a number of days nor a word for one
    """
    if isinstance(value, str):
        if value not in _RETENTION_BY_WORD:
            raise bad_retention()
        return _RETENTION_BY_WORD[value]
    if value <= 0:
        raise bad_retention()
    return value
