"""The Structs among the shapes as dictionaries, for readers of events.

Made by scripts/build_payload_objects.py, not by hand.
"""

from typing import Literal, NotRequired, TypedDict

from chatcore.events.payloads.parts import (
    DirectPersonObject,
    ReactionObject,
    SettingShape,
    SubmessageObject,
    TopicLinkObject,
    ValueObject,
)

__all__ = [
    "ChannelObject",
    "EditObject",
    "EmojiObject",
    "GroupObject",
    "MessageObject",
    "SubscriptionObject",
    "UserObject",
]


class ChannelObject(TypedDict):
    """A channel, the same for all users who may see it."""

    stream_id: int
    name: str
    description: str
    rendered_description: str
    date_created: int
    creator_id: int | None
    invite_only: bool
    is_web_public: bool
    history_public_to_subscribers: bool
    is_announcement_only: bool
    is_archived: bool
    is_recently_active: bool
    stream_post_policy: int
    topics_policy: str
    message_retention_days: int | None
    first_message_id: int | None
    folder_id: int | None
    subscriber_count: int
    stream_weekly_traffic: int | None
    can_add_subscribers_group: SettingShape
    can_administer_channel_group: SettingShape
    can_delete_any_message_group: SettingShape
    can_delete_own_message_group: SettingShape
    can_move_messages_out_of_channel_group: SettingShape
    can_move_messages_within_channel_group: SettingShape
    can_remove_subscribers_group: SettingShape
    can_resolve_topics_group: SettingShape
    can_send_message_group: SettingShape
    can_subscribe_group: SettingShape
    is_default: NotRequired[bool]
    subscribers: NotRequired[list[int]]
    partial_subscribers: NotRequired[list[int]]


class PersonalObject(TypedDict):
    """The personal settings of one subscriber."""

    color: str
    is_muted: bool
    in_home_view: bool
    pin_to_top: bool
    desktop_notifications: bool | None
    email_notifications: bool | None
    push_notifications: bool | None
    audible_notifications: bool | None
    wildcard_mentions_notify: NotRequired[bool | None]
    """Absent for clients that do not support null."""


class SubscriptionObject(ChannelObject, PersonalObject):
    """A channel with the personal settings of one subscriber."""


class EmojiObject(TypedDict):
    id: str
    name: str
    source_url: str
    still_url: str | None
    deactivated: bool
    author_id: int | None


class GroupObject(TypedDict):
    """A user group with its direct members and subgroups."""

    id: int
    name: str
    description: str
    creator_id: int | None
    date_created: int | None
    members: list[int]
    direct_subgroup_ids: list[int]
    is_system_group: bool
    deactivated: bool
    can_add_members_group: SettingShape
    can_join_group: SettingShape
    can_leave_group: SettingShape
    can_manage_group: SettingShape
    can_mention_group: SettingShape
    can_remove_members_group: SettingShape


class EditObject(TypedDict):
    """One change of a message; unchanged parts are absent."""

    user_id: int | None
    timestamp: int
    prev_content: NotRequired[str]
    prev_rendered_content: NotRequired[str]
    prev_topic: NotRequired[str]
    topic: NotRequired[str]
    prev_stream: NotRequired[int]
    stream: NotRequired[int]


class MessageObject(TypedDict):
    """A message as one reader receives it; `subject` is the topic."""

    id: int
    sender_id: int
    content: str
    content_type: Literal["text/html", "text/x-markdown"]
    recipient_id: int
    timestamp: int
    client: str
    subject: str
    topic_links: list[TopicLinkObject]
    is_me_message: bool
    reactions: list[ReactionObject]
    submessages: list[SubmessageObject]
    sender_full_name: str
    sender_email: str
    sender_realm_str: str
    display_recipient: str | list[DirectPersonObject]
    """The name of the channel, or the people of the conversation."""
    type: Literal["stream", "private"]
    avatar_url: str | None
    stream_id: NotRequired[int]
    """Only of a message in a channel."""
    flags: NotRequired[list[str]]
    match_content: NotRequired[str]
    match_subject: NotRequired[str]
    last_edit_timestamp: NotRequired[int]
    last_moved_timestamp: NotRequired[int]
    edit_history: NotRequired[list[EditObject]]


class UserObject(TypedDict):
    """A user as one reader sees it."""

    user_id: int
    delivery_email: str | None
    email: str
    full_name: str
    date_joined: str
    is_owner: bool
    is_admin: bool
    is_guest: bool
    is_bot: bool
    bot_type: int | None
    bot_owner_id: int | None
    role: int
    timezone: str
    avatar_url: str | None
    avatar_version: int
    is_active: NotRequired[bool]
    profile_data: NotRequired[dict[str, ValueObject]]
