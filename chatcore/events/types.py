"""One frozen class for each kind of event, as it is written to the log.

An event holds what happened in the words of the domain, complete: what a client is told can be worked
out from the event alone, also after the message was edited or the person renamed. Only long lists of
which clients are told as a whole are not held: they are told as they are by then
(`docs/decisions/0024`). The forms that clients ask for are in `chatcore.events.wire`.

Some hold what every client gets in one form as that form already (drafts, files, groups): there is nothing
to be worked out, and the log of before stays readable.
"""

from typing import Any, ClassVar

import msgspec

from chatcore.domain.ids import ChannelId, DraftId, GroupId, MessageId, QueueId, UserId
from chatcore.domain.messages import Message, Submessage
from chatcore.domain.uploads import Attachment
from chatcore.events.shapes.users import Person


class Event(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", omit_defaults=True):
    """`type` is the API's name, by which queues choose what they hear."""

    type: ClassVar[str]

    @property
    def places(self) -> int:
        """How many places in the log it takes, for clients that are told of it in so many events; it stands
        at the last of them."""
        return 1


class ListChanged(Event, frozen=True, kw_only=True):
    """A list is another one now; clients are told the whole list as it is when they hear of it."""


class MessageSent(Event, frozen=True, kw_only=True, tag="message_sent"):
    """A message, with the people in it as they were then, and the flags that are not the plain ones."""

    type = "message"
    message: Message
    people: tuple[Person, ...]
    """The sender first; of a direct message all of its people."""
    channel_name: str = ""
    flags: dict[UserId, int] = {}
    """Flags of the readers concerned; every other one has only what the message says itself."""
    unread_for: tuple[UserId, ...] = ()
    """Of a message that arrives read, for whom it does not."""
    queue_id: str = ""
    local_id: str = ""


class ReactionChanged(Event, frozen=True, kw_only=True, tag="reaction_changed"):
    """Somebody reacted to a message (`add`), or took that back (`remove`)."""

    type = "reaction"
    op: str
    message_id: MessageId
    user: Person
    emoji_name: str
    emoji_code: str
    reaction_type: str


class SubmessageAdded(Event, frozen=True, kw_only=True, tag="submessage_added"):
    """Somebody added something to a message that programs read, such as a vote."""

    type = "submessage"
    message_id: MessageId
    submessage: Submessage


class MessageEdited(Event, frozen=True, kw_only=True, tag="message_edited"):
    """A message has another text, or it and others are in another topic or channel.

    What did not change is None.
    """

    type = "update_message"
    user_id: UserId
    edit_timestamp: int
    message_id: MessageId
    message_ids: tuple[MessageId, ...]
    """Those that were moved together with it, itself included; ascending."""
    channel_id: ChannelId | None = None
    """Where it was; of a direct message None."""
    channel_name: str = ""
    new_channel_id: ChannelId | None = None
    propagate_mode: str | None = None
    orig_topic: str | None = None
    """Of a message that was moved."""
    topic: str | None = None
    topic_links: tuple[dict[str, str], ...] = ()
    orig_content: str | None = None
    orig_rendered_content: str = ""
    content: str = ""
    rendered_content: str = ""
    is_me_message: bool = False


class MessagesDeleted(Event, frozen=True, kw_only=True, tag="messages_deleted"):
    """Messages are gone, or cannot be read any more by the audience."""

    type = "delete_message"
    message_ids: tuple[MessageId, ...]
    channel_id: ChannelId | None = None
    topic: str = ""

    @property
    def places(self) -> int:
        return len(self.message_ids)


class FlagsChanged(Event, frozen=True, kw_only=True, tag="flags_changed"):
    """One person's flag was set or cleared on messages; all of them, where the list is empty."""

    type = "update_message_flags"
    flag: str
    op: str
    messages: tuple[MessageId, ...]
    all: bool = False
    details: dict[MessageId, dict[str, Any]] = {}


class MutedTopicsChanged(ListChanged, frozen=True, kw_only=True, tag="muted_topics_changed"):
    """The deprecated form; for queues that do not ask for `user_topic` by name."""

    type = "muted_topics"


class ChannelEvent(Event, frozen=True, kw_only=True):
    """Something about channels, who is in them, or what one has set for them.

    For clients that do not know of archived channels there are none: an archived one is gone.
    """

    knows_archived: bool | None = None
    """Only for clients that know of archived channels (True), or only for those that do not (False)."""


class Subscribed(ChannelEvent, frozen=True, kw_only=True, tag="subscribed"):
    """People were subscribed to a channel; each hears of it with what is personal to it."""

    type = "subscription"
    channel: dict[str, Any]
    """A channel shape."""
    subscribers: tuple[UserId, ...]
    """Everybody who is subscribed now."""
    personal: dict[UserId, dict[str, Any]]
    notification_defaults: dict[UserId, dict[str, bool]] = {}
    """What null stands for in the notification settings of each, for clients that know no null."""


class Unsubscribed(ChannelEvent, frozen=True, kw_only=True, tag="unsubscribed"):
    type = "subscription"
    channels: tuple[tuple[ChannelId, str], ...]


class PeersChanged(ChannelEvent, frozen=True, kw_only=True, tag="peers_changed"):
    """Others were subscribed (`peer_add`) or unsubscribed (`peer_remove`)."""

    type = "subscription"
    op: str
    channel_ids: tuple[ChannelId, ...]
    user_ids: tuple[UserId, ...]


class SubscriptionChanged(ChannelEvent, frozen=True, kw_only=True, tag="subscription_changed"):
    """Something that one has set for a channel."""

    type = "subscription"
    channel_id: ChannelId
    property: str
    value: bool | str


class TopicPolicyChanged(ChannelEvent, frozen=True, kw_only=True, tag="topic_policy_changed"):
    """What one has set for a topic."""

    type = "user_topic"
    channel_id: ChannelId
    topic: str
    last_updated: int
    visibility_policy: int


class ChannelsCreated(ChannelEvent, frozen=True, kw_only=True, tag="channels_created"):
    """Channels that the audience sees from now on, as channel shapes."""

    type = "stream"
    channels: tuple[dict[str, Any], ...]


class ChannelUpdated(ChannelEvent, frozen=True, kw_only=True, tag="channel_updated"):
    """One property of a channel changed; `name` is what it was called before."""

    type = "stream"
    channel_id: ChannelId
    name: str
    property: str
    value: Any
    also: dict[str, Any] = {}
    """What changes together with it, or follows from it."""


class ChannelsDeleted(ChannelEvent, frozen=True, kw_only=True, tag="channels_deleted"):
    """Channels that the audience does not see any more."""

    type = "stream"
    channel_ids: tuple[ChannelId, ...]


class DefaultChannelsChanged(ListChanged, frozen=True, kw_only=True, tag="default_channels_changed"):
    """The channels to which newcomers are subscribed; for guests there are none."""

    type = "default_streams"


class PersonEvent(Event, frozen=True, kw_only=True):
    """Something about a user, for those in the audience who may know of that user."""


class UserAdded(PersonEvent, frozen=True, kw_only=True, tag="user_added"):
    """An account was made, or one came into the audience's sight."""

    type = "realm_user"
    person: Person
    profile_data: dict[str, Any] = {}
    listing: tuple[str, ...] = ()
    """The profile fields whose values list users, of whom each is told those whom they know."""
    out_of_sight: bool = False
    """Whether it only stands for somebody of whom the audience does not know any more."""

    @property
    def user_id(self) -> UserId:
        return self.person.id


class UserRemoved(PersonEvent, frozen=True, kw_only=True, tag="user_removed"):
    """An account went out of the audience's sight."""

    type = "realm_user"
    user_id: UserId


class PersonChanged(PersonEvent, frozen=True, kw_only=True, tag="person_changed"):
    """Something about a user changed that everybody who knows the user is told alike."""

    type = "realm_user"
    user_id: UserId
    changes: dict[str, Any]
    lists_users: bool = False
    """Whether it is a profile field whose value lists users."""


class AddressChanged(PersonEvent, frozen=True, kw_only=True, tag="address_changed"):
    """A user has another real address, or other people may see it; each is told what they see now."""

    type = "realm_user"
    person: Person
    also_hidden: bool = False
    """Whether those are told as well who do not see it (any more)."""

    @property
    def user_id(self) -> UserId:
        return self.person.id


class AvatarChanged(PersonEvent, frozen=True, kw_only=True, tag="avatar_changed"):
    type = "realm_user"
    person: Person
    follows_from_address: bool = False
    """Whether clients that make pictures from addresses need not be told."""

    @property
    def user_id(self) -> UserId:
        return self.person.id


class BotAdded(Event, frozen=True, kw_only=True, tag="bot_added"):
    """There is a bot, for those who manage it; its key is derived for the owner, and not kept here."""

    type = "realm_bot"
    bot: Person
    key_version: int


class BotChanged(Event, frozen=True, kw_only=True, tag="bot_changed"):
    """Something that those who manage a bot see of it."""

    type = "realm_bot"
    user_id: UserId
    changes: dict[str, Any]


class BotKeyChanged(Event, frozen=True, kw_only=True, tag="bot_key_changed"):
    """A bot has another key, for its owner; it is derived as that of `BotAdded` is."""

    type = "realm_bot"
    user_id: UserId
    key_version: int


class BotRemoved(Event, frozen=True, kw_only=True, tag="bot_removed"):
    """A bot is no longer there for somebody who is no administrator any more."""

    type = "realm_bot"
    user_id: UserId


class StatusChanged(PersonEvent, frozen=True, kw_only=True, tag="status_changed"):
    """The changed parts of a user's status; an empty text is a part that was cleared."""

    type = "user_status"
    user_id: UserId
    changes: dict[str, Any]


class PresenceChanged(PersonEvent, frozen=True, kw_only=True, tag="presence_changed"):
    """Somebody is there again, or is not to be seen as present any more."""

    type = "presence"
    user_id: UserId
    email: str
    """The address by which everybody knows the user."""
    active_at: int | None
    connected_at: int
    at: float


class TypingEvent(Event, frozen=True, kw_only=True):
    """Somebody begins (`start`) or ceases (`stop`) to write a message."""

    type = "typing"
    op: str
    sender: Person


class TypingInChannel(TypingEvent, frozen=True, kw_only=True, tag="typing_in_channel"):
    channel_id: ChannelId
    topic: str
    unwanted_by: tuple[UserId, ...]
    """Subscribers who do not want to know."""


class TypingDirectly(TypingEvent, frozen=True, kw_only=True, tag="typing_directly"):
    people: tuple[Person, ...]
    """All of the conversation, the sender too."""


class SettingChanged(Event, frozen=True, kw_only=True, tag="setting_changed"):
    type = "user_settings"
    name: str
    value: Any


class NotificationSettingChanged(Event, frozen=True, kw_only=True, tag="notification_setting_changed"):
    """The older form of `SettingChanged`, for clients that have settings as fields of their own."""

    type = "update_global_notifications"
    email: str
    name: str
    value: Any


class OrganizationChanged(Event, frozen=True, kw_only=True, tag="organization_changed"):
    """One of the organization's settings; clients have it as `realm_` and the name."""

    type = "realm"
    name: str
    value: Any


class OrganizationPermissionsChanged(
    Event, frozen=True, kw_only=True, tag="organization_permissions_changed"
):
    """Who holds some of the organization's permissions, as group-setting values by name."""

    type = "realm"
    data: dict[str, Any]


class DisplaySettingChanged(Event, frozen=True, kw_only=True, tag="display_setting_changed"):
    """The same for the settings of the other group."""

    type = "update_display_settings"
    email: str
    name: str
    value: Any


class ProfileFieldsChanged(ListChanged, frozen=True, kw_only=True, tag="profile_fields_changed"):
    """The custom profile fields."""

    type = "custom_profile_fields"


class LinkifiersChanged(ListChanged, frozen=True, kw_only=True, tag="linkifiers_changed"):
    """The linkifiers in their order."""

    type = "realm_linkifiers"


class PlaygroundsChanged(ListChanged, frozen=True, kw_only=True, tag="playgrounds_changed"):
    """The code playgrounds."""

    type = "realm_playgrounds"


class CustomEmojiChanged(ListChanged, frozen=True, kw_only=True, tag="custom_emoji_changed"):
    """The organization's own emoji."""

    type = "realm_emoji"


class GroupEvent(Event, frozen=True, kw_only=True):
    """Something about a user group, as of after it happened.

    For clients that do not know of deactivated groups there are none: they hear nothing of one.
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
    """Some clients are told that it is gone."""


class GroupReactivated(GroupEvent, frozen=True, kw_only=True, tag="group_reactivated"):
    """To some clients it is new."""

    group: dict[str, Any]
    """A group shape."""


class GroupMembersChanged(GroupEvent, frozen=True, kw_only=True, tag="group_members_changed"):
    """Direct members: `op` is `add_members` or `remove_members`."""

    op: str
    user_ids: tuple[UserId, ...]
    out_of_sight: bool = False
    """Whether they are taken out only for the audience, which does not know of them any more."""


class SubgroupsChanged(GroupEvent, frozen=True, kw_only=True, tag="subgroups_changed"):
    """Direct subgroups: `op` is `add_subgroups` or `remove_subgroups`."""

    op: str
    subgroup_ids: tuple[GroupId, ...]


class AlertWordsChanged(ListChanged, frozen=True, kw_only=True, tag="alert_words_changed"):
    """One's alert words."""

    type = "alert_words"


class MutedUsersChanged(ListChanged, frozen=True, kw_only=True, tag="muted_users_changed"):
    """Whom one has muted."""

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
    """Files were uploaded (`add`), are linked to by other messages (`update`), or are gone (`remove`).

    Clients are told of one file after another, with the messages that link to it when they hear of it.
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
    """A queue was deleted: whoever waits on it, in whichever process, is let go. No client sees this."""

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
