"""Event classes, one frozen class for each kind of event, as they are written to the log.

An event contains everything needed to format it for clients, in terms of the domain, even after the message
was edited or the user renamed. Long lists that clients receive as a whole are the exception: they are read
when the event is sent (`docs/decisions/0024`). `chatcore.events.wire` has the forms for clients.

Events whose form is the same for all clients (drafts, files, groups) contain it ready-made: nothing needs to
be computed, and older logs stay readable.
"""

from typing import Any, ClassVar

import msgspec

from chatcore.domain.files.uploads import Attachment
from chatcore.domain.ids import ChannelId, DraftId, GroupId, MessageId, QueueId, UserId
from chatcore.domain.messages.messages import Message, Submessage
from chatcore.events.shapes.users import Person


class Event(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", omit_defaults=True):
    """Base of all events. `type` is the API's name, by which queues select events."""

    type: ClassVar[str]

    @property
    def places(self) -> int:
        """Number of log positions that the event occupies, for clients that receive it as several events; its
        own position is the last of them.
        """
        return 1


class ListChanged(Event, frozen=True, kw_only=True):
    """A list has changed. Clients receive the whole list as it is when the event is sent."""


class MessageSent(Event, frozen=True, kw_only=True, tag="message_sent"):
    """A message was sent. Includes its people as of that time, and the flags that differ from the default."""

    type = "message"
    message: Message
    people: tuple[Person, ...]
    """The sender first; for a direct message, all participants."""
    channel_name: str = ""
    flags: dict[UserId, int] = {}
    """Flags of individual readers; all other readers have only those that follow from the message."""
    unread_for: tuple[UserId, ...] = ()
    """For a message that is read on arrival: users for whom it is unread nevertheless."""
    queue_id: str = ""
    local_id: str = ""


class ReactionChanged(Event, frozen=True, kw_only=True, tag="reaction_changed"):
    """A user added a reaction to a message (`add`) or removed it (`remove`)."""

    type = "reaction"
    op: str
    message_id: MessageId
    user: Person
    emoji_name: str
    emoji_code: str
    reaction_type: str


class SubmessageAdded(Event, frozen=True, kw_only=True, tag="submessage_added"):
    """A user added machine-readable data to a message, such as a vote."""

    type = "submessage"
    message_id: MessageId
    submessage: Submessage


class MessageEdited(Event, frozen=True, kw_only=True, tag="message_edited"):
    """The text of a message has changed, or messages were moved to another topic or channel.

    Unchanged parts are None.
    """

    type = "update_message"
    user_id: UserId
    edit_timestamp: int
    message_id: MessageId
    message_ids: tuple[MessageId, ...]
    """The messages that were moved together with it, including itself; ascending."""
    channel_id: ChannelId | None = None
    """The channel before the move; None for a direct message."""
    channel_name: str = ""
    new_channel_id: ChannelId | None = None
    propagate_mode: str | None = None
    orig_topic: str | None = None
    """Set only if the messages were moved."""
    topic: str | None = None
    topic_links: tuple[dict[str, str], ...] = ()
    orig_content: str | None = None
    orig_rendered_content: str = ""
    content: str = ""
    rendered_content: str = ""
    is_me_message: bool = False


class MessagesDeleted(Event, frozen=True, kw_only=True, tag="messages_deleted"):
    """Messages were deleted, or the audience can no longer read them."""

    type = "delete_message"
    message_ids: tuple[MessageId, ...]
    channel_id: ChannelId | None = None
    topic: str = ""

    @property
    def places(self) -> int:
        return len(self.message_ids)


class FlagsChanged(Event, frozen=True, kw_only=True, tag="flags_changed"):
    """A flag of one user was added to or removed from the listed messages; an empty
    list means all messages.
    """

    type = "update_message_flags"
    flag: str
    op: str
    messages: tuple[MessageId, ...]
    all: bool = False
    details: dict[MessageId, dict[str, Any]] = {}


class MutedTopicsChanged(ListChanged, frozen=True, kw_only=True, tag="muted_topics_changed"):
    """The deprecated form of topic policies, for queues that do not ask for `user_topic` by name."""

    type = "muted_topics"


class ChannelEvent(Event, frozen=True, kw_only=True):
    """An event about channels, their subscribers, or personal settings for them.

    Clients without the capability `archived_channels` see an archived channel as deleted.
    """

    knows_archived: bool | None = None
    """Restricts the event to clients with (True) or without (False) the capability `archived_channels`."""


class Subscribed(ChannelEvent, frozen=True, kw_only=True, tag="subscribed"):
    """Users were subscribed to a channel; each is notified with their own personal settings."""

    type = "subscription"
    channel: dict[str, Any]
    """A channel shape."""
    subscribers: tuple[UserId, ...]
    """All current subscribers."""
    personal: dict[UserId, dict[str, Any]]
    notification_defaults: dict[UserId, dict[str, bool]] = {}
    """Effective values of null in each user's notification settings, for clients that do not support null."""


class Unsubscribed(ChannelEvent, frozen=True, kw_only=True, tag="unsubscribed"):
    type = "subscription"
    channels: tuple[tuple[ChannelId, str], ...]


class PeersChanged(ChannelEvent, frozen=True, kw_only=True, tag="peers_changed"):
    """Other users were subscribed (`peer_add`) or unsubscribed (`peer_remove`)."""

    type = "subscription"
    op: str
    channel_ids: tuple[ChannelId, ...]
    user_ids: tuple[UserId, ...]


class SubscriptionChanged(ChannelEvent, frozen=True, kw_only=True, tag="subscription_changed"):
    """A personal setting of a subscription has changed."""

    type = "subscription"
    channel_id: ChannelId
    property: str
    value: bool | str


class TopicPolicyChanged(ChannelEvent, frozen=True, kw_only=True, tag="topic_policy_changed"):
    """A user's policy for a topic has changed."""

    type = "user_topic"
    channel_id: ChannelId
    topic: str
    last_updated: int
    visibility_policy: int


class ChannelsCreated(ChannelEvent, frozen=True, kw_only=True, tag="channels_created"):
    """Channels that are visible to the audience from now on, as channel shapes."""

    type = "stream"
    channels: tuple[dict[str, Any], ...]


class ChannelUpdated(ChannelEvent, frozen=True, kw_only=True, tag="channel_updated"):
    """A property of a channel has changed; `name` is its previous name."""

    type = "stream"
    channel_id: ChannelId
    name: str
    property: str
    value: Any
    also: dict[str, Any] = {}
    """Properties that change together with it or follow from it."""


class ChannelsDeleted(ChannelEvent, frozen=True, kw_only=True, tag="channels_deleted"):
    """Channels that are no longer visible to the audience."""

    type = "stream"
    channel_ids: tuple[ChannelId, ...]


class DefaultChannelsChanged(ListChanged, frozen=True, kw_only=True, tag="default_channels_changed"):
    """The channels to which new users are subscribed have changed; guests see none."""

    type = "default_streams"


class PersonEvent(Event, frozen=True, kw_only=True):
    """An event about a user, for those in the audience to whom that user is visible."""


class UserAdded(PersonEvent, frozen=True, kw_only=True, tag="user_added"):
    """An account was created or has become visible to the audience."""

    type = "realm_user"
    person: Person
    profile_data: dict[str, Any] = {}
    listing: tuple[str, ...] = ()
    """Profile fields whose values list users; each recipient gets only those visible to them."""
    out_of_sight: bool = False
    """Whether it is a placeholder for a user who is no longer visible to the audience."""

    @property
    def user_id(self) -> UserId:
        return self.person.id


class UserRemoved(PersonEvent, frozen=True, kw_only=True, tag="user_removed"):
    """An account is no longer visible to the audience."""

    type = "realm_user"
    user_id: UserId


class PersonChanged(PersonEvent, frozen=True, kw_only=True, tag="person_changed"):
    """A property of a user has changed that has the same form for everybody who may see the user."""

    type = "realm_user"
    user_id: UserId
    changes: dict[str, Any]
    lists_users: bool = False
    """Whether the change is of a profile field whose value lists users."""


class AddressChanged(PersonEvent, frozen=True, kw_only=True, tag="address_changed"):
    """The address of a user or its visibility has changed; each client receives what its user may see now."""

    type = "realm_user"
    person: Person
    also_hidden: bool = False
    """Whether users who may not (or no longer) see the address are also notified."""

    @property
    def user_id(self) -> UserId:
        return self.person.id


class AvatarChanged(PersonEvent, frozen=True, kw_only=True, tag="avatar_changed"):
    type = "realm_user"
    person: Person
    follows_from_address: bool = False
    """Whether clients that generate pictures from addresses need no notification."""

    @property
    def user_id(self) -> UserId:
        return self.person.id


class BotAdded(Event, frozen=True, kw_only=True, tag="bot_added"):
    """A bot was created or became visible to a user who manages it. Its key is derived for the owner and not
    stored in the event.
    """

    type = "realm_bot"
    bot: Person
    key_version: int


class BotChanged(Event, frozen=True, kw_only=True, tag="bot_changed"):
    """A property of a bot has changed, for the users who manage it."""

    type = "realm_bot"
    user_id: UserId
    changes: dict[str, Any]


class BotKeyChanged(Event, frozen=True, kw_only=True, tag="bot_key_changed"):
    """The key of a bot was rotated, for its owner; derived as that of `BotAdded` is."""

    type = "realm_bot"
    user_id: UserId
    key_version: int


class BotRemoved(Event, frozen=True, kw_only=True, tag="bot_removed"):
    """A bot is no longer visible to a user who is no longer an administrator."""

    type = "realm_bot"
    user_id: UserId


class StatusChanged(PersonEvent, frozen=True, kw_only=True, tag="status_changed"):
    """The changed parts of a user's status; an empty text means a cleared part."""

    type = "user_status"
    user_id: UserId
    changes: dict[str, Any]


class PresenceChanged(PersonEvent, frozen=True, kw_only=True, tag="presence_changed"):
    """A user is online again, or from now on hides their presence."""

    type = "presence"
    user_id: UserId
    email: str
    """The address that everybody sees for the user."""
    active_at: int | None
    connected_at: int
    at: float


class TypingEvent(Event, frozen=True, kw_only=True):
    """A user starts (`start`) or stops (`stop`) typing a message."""

    type = "typing"
    op: str
    sender: Person


class TypingInChannel(TypingEvent, frozen=True, kw_only=True, tag="typing_in_channel"):
    channel_id: ChannelId
    topic: str
    unwanted_by: tuple[UserId, ...]
    """Subscribers who have disabled typing notifications."""


class TypingDirectly(TypingEvent, frozen=True, kw_only=True, tag="typing_directly"):
    people: tuple[Person, ...]
    """All participants of the conversation, including the sender."""


class SettingChanged(Event, frozen=True, kw_only=True, tag="setting_changed"):
    type = "user_settings"
    name: str
    value: Any


class NotificationSettingChanged(Event, frozen=True, kw_only=True, tag="notification_setting_changed"):
    """The older form of `SettingChanged`, for clients that have settings as separate fields."""

    type = "update_global_notifications"
    email: str
    name: str
    value: Any


class OrganizationChanged(Event, frozen=True, kw_only=True, tag="organization_changed"):
    """A setting of the organization has changed; clients know it as `realm_` and the name."""

    type = "realm"
    name: str
    value: Any


class OrganizationPermissionsChanged(
    Event, frozen=True, kw_only=True, tag="organization_permissions_changed"
):
    """Permissions of the organization have changed, as group-setting values by name."""

    type = "realm"
    data: dict[str, Any]


class DisplaySettingChanged(Event, frozen=True, kw_only=True, tag="display_setting_changed"):
    """As above, for the settings of the other legacy group."""

    type = "update_display_settings"
    email: str
    name: str
    value: Any


class ProfileFieldsChanged(ListChanged, frozen=True, kw_only=True, tag="profile_fields_changed"):
    """The custom profile fields have changed."""

    type = "custom_profile_fields"


class LinkifiersChanged(ListChanged, frozen=True, kw_only=True, tag="linkifiers_changed"):
    """The linkifiers or their order have changed."""

    type = "realm_linkifiers"


class PlaygroundsChanged(ListChanged, frozen=True, kw_only=True, tag="playgrounds_changed"):
    """The code playgrounds have changed."""

    type = "realm_playgrounds"


class CustomEmojiChanged(ListChanged, frozen=True, kw_only=True, tag="custom_emoji_changed"):
    """The custom emoji of the organization have changed."""

    type = "realm_emoji"


class GroupEvent(Event, frozen=True, kw_only=True):
    """An event about a user group, with its state after the change.

    Clients without the capability `include_deactivated_groups` are not notified about deactivated groups.
    """

    type = "user_group"
    group_id: GroupId
    deactivated: bool = False


class GroupCreated(GroupEvent, frozen=True, kw_only=True, tag="group_created"):
    group: dict[str, Any]
    """A group shape."""


class GroupChanged(GroupEvent, frozen=True, kw_only=True, tag="group_changed"):
    """A name, description or permission setting was changed."""

    data: dict[str, Any]


class GroupDeactivated(GroupEvent, frozen=True, kw_only=True, tag="group_deactivated"):
    """A group was deactivated. Some clients see it as removed."""


class GroupReactivated(GroupEvent, frozen=True, kw_only=True, tag="group_reactivated"):
    """A group was reactivated. Some clients see it as new."""

    group: dict[str, Any]
    """A group shape."""


class GroupMembersChanged(GroupEvent, frozen=True, kw_only=True, tag="group_members_changed"):
    """Direct members were added or removed: `op` is `add_members` or `remove_members`."""

    op: str
    user_ids: tuple[UserId, ...]
    out_of_sight: bool = False
    """Whether they are removed only because they are no longer visible to the audience."""


class SubgroupsChanged(GroupEvent, frozen=True, kw_only=True, tag="subgroups_changed"):
    """Direct subgroups were added or removed: `op` is `add_subgroups` or `remove_subgroups`."""

    op: str
    subgroup_ids: tuple[GroupId, ...]


class AlertWordsChanged(ListChanged, frozen=True, kw_only=True, tag="alert_words_changed"):
    """A user's alert words have changed."""

    type = "alert_words"


class MutedUsersChanged(ListChanged, frozen=True, kw_only=True, tag="muted_users_changed"):
    """The users that a user has muted have changed."""

    type = "muted_users"


class DraftsAdded(Event, frozen=True, kw_only=True, tag="drafts_added"):
    type = "drafts"
    drafts: tuple[dict[str, Any], ...]
    """Draft shapes."""


class DraftChanged(Event, frozen=True, kw_only=True, tag="draft_changed"):
    type = "drafts"
    draft: dict[str, Any]


class DraftRemoved(Event, frozen=True, kw_only=True, tag="draft_removed"):
    type = "drafts"
    draft_id: DraftId


class FilesChanged(Event, frozen=True, kw_only=True, tag="files_changed"):
    """Files were uploaded (`add`), are linked to by other messages (`update`), or were removed (`remove`).

    Clients receive one event per file, with the messages that link to it when the event is sent.
    """

    type = "attachment"
    op: str
    files: tuple[Attachment, ...]
    space_used: int
    """Bytes of all files of the organization."""

    @property
    def places(self) -> int:
        return len(self.files)


class QueueClosed(Event, frozen=True, kw_only=True, tag="queue_closed"):
    """A queue was deleted: polls that wait on it, in any process, end. Never sent to clients."""

    type = ""
    queue_id: QueueId


AnyEvent = (
    MessageSent
    | ReactionChanged
    | SubmessageAdded
    | MessageEdited
    | MessagesDeleted
    | FlagsChanged
    | TopicPolicyChanged
    | MutedTopicsChanged
    | Subscribed
    | Unsubscribed
    | PeersChanged
    | ChannelsCreated
    | ChannelUpdated
    | ChannelsDeleted
    | DefaultChannelsChanged
    | UserAdded
    | UserRemoved
    | PersonChanged
    | AddressChanged
    | AvatarChanged
    | BotAdded
    | BotChanged
    | BotKeyChanged
    | BotRemoved
    | StatusChanged
    | PresenceChanged
    | TypingInChannel
    | TypingDirectly
    | SettingChanged
    | NotificationSettingChanged
    | OrganizationChanged
    | OrganizationPermissionsChanged
    | DisplaySettingChanged
    | ProfileFieldsChanged
    | LinkifiersChanged
    | PlaygroundsChanged
    | CustomEmojiChanged
    | GroupCreated
    | GroupChanged
    | GroupDeactivated
    | GroupReactivated
    | GroupMembersChanged
    | SubgroupsChanged
    | AlertWordsChanged
    | MutedUsersChanged
    | SubscriptionChanged
    | DraftsAdded
    | DraftChanged
    | DraftRemoved
    | FilesChanged
    | QueueClosed
)
