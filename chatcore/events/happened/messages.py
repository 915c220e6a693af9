"""Events about messages, reading and writing them."""

from typing import Literal

import msgspec

from chatcore.domain.ids import ChannelId, DraftId, MessageId, SnippetId, UserId
from chatcore.domain.messages.messages import Message, Submessage
from chatcore.events.audience import PlacesSeen
from chatcore.events.happened.base import Event
from chatcore.events.payloads.drafts import DraftObject
from chatcore.events.payloads.messages import UnreadObject
from chatcore.events.payloads.saved_snippets import SavedSnippetObject
from chatcore.events.payloads.users import Person


class MessageSent(Event, frozen=True, kw_only=True, tag="message_sent"):
    """A message was sent. Includes its people as of that time, and the flags that differ from the default."""

    type = "message"
    message: Message
    people: tuple[Person, ...]
    """The sender first; for a direct message, all participants."""
    channel_name: str = ""
    flags: dict[UserId, int] = msgspec.field(default_factory=dict)
    """Flags of individual readers; all other readers have only those that follow from the message."""
    unread_for: tuple[UserId, ...] = ()
    """For a message that arrives read: users for whom it is unread nevertheless."""
    queue_id: str = ""
    local_id: str = ""
    """The sending client's own name of the message, which only its queue `queue_id` receives."""


class ReactionChanged(Event, frozen=True, kw_only=True, tag="reaction_changed"):
    """A user added a reaction to a message or removed it."""

    type = "reaction"
    op: Literal["add", "remove"]
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
    """Set only if the messages were moved, as `orig_topic`."""
    orig_topic: str | None = None
    topic: str | None = None
    topic_links: tuple[dict[str, str], ...] = ()
    orig_content: str | None = None
    orig_rendered_content: str = ""
    content: str = ""
    rendered_content: str = ""
    is_me_message: bool = False

    def as_seen(self, places: PlacesSeen) -> "MessageEdited":
        """Return the move without the topic of a place that the reader may no longer read. A move always has
        an `orig_topic`; for a reader who may not know it, that is the new topic.
        """
        if not places.after:
            return msgspec.structs.replace(self, topic=None, topic_links=())
        if not places.before and self.topic is not None:
            return msgspec.structs.replace(self, orig_topic=self.topic)
        return self


class MessageRendered(Event, frozen=True, kw_only=True, tag="message_rendered"):
    """The HTML of a message has changed, and not its text: more is known of what it links to."""

    type = "update_message"
    message_id: MessageId
    content: str
    rendered_content: str
    edit_timestamp: int


class MessagesDeleted(Event, frozen=True, kw_only=True, tag="messages_deleted"):
    """Messages were deleted, or the audience can no longer read them."""

    type = "delete_message"
    message_ids: tuple[MessageId, ...]
    channel_id: ChannelId | None = None
    topic: str = ""

    @property
    def position_count(self) -> int:
        return len(self.message_ids)


class FlagsChanged(Event, frozen=True, kw_only=True, tag="flags_changed"):
    """A flag of one user was added to or removed from the listed messages; an empty
    list means all messages.
    """

    type = "update_message_flags"
    flag: str
    op: Literal["add", "remove"]
    messages: tuple[MessageId, ...]
    all: bool = False
    details: dict[MessageId, UnreadObject] = msgspec.field(default_factory=dict)
    """For messages that become unread: the fields that clients need to count them."""


class TypingEvent(Event, frozen=True, kw_only=True):
    """A user starts or stops typing a message."""

    type = "typing"
    op: Literal["start", "stop"]
    sender: Person


class TypingInChannel(TypingEvent, frozen=True, kw_only=True, tag="typing_in_channel"):
    channel_id: ChannelId
    topic: str
    unwanted_by: tuple[UserId, ...]
    """Subscribers who have disabled typing notifications."""


class TypingDirectly(TypingEvent, frozen=True, kw_only=True, tag="typing_directly"):
    people: tuple[Person, ...]
    """All participants of the conversation, including the sender."""


class TypingInEdit(Event, frozen=True, kw_only=True, tag="typing_in_edit"):
    """The sender of a message starts or stops editing it."""

    type = "typing_edit_message"
    op: Literal["start", "stop"]
    sender_id: UserId
    message_id: MessageId
    channel_id: ChannelId | None
    topic: str
    user_ids: tuple[UserId, ...]
    """All participants, if it is a direct message."""
    unwanted_by: tuple[UserId, ...]
    """Users in the audience who have disabled typing notifications."""


class DraftsAdded(Event, frozen=True, kw_only=True, tag="drafts_added"):
    type = "drafts"
    drafts: tuple[DraftObject, ...]


class DraftChanged(Event, frozen=True, kw_only=True, tag="draft_changed"):
    type = "drafts"
    draft: DraftObject


class DraftRemoved(Event, frozen=True, kw_only=True, tag="draft_removed"):
    type = "drafts"
    draft_id: DraftId


class SavedSnippetAdded(Event, frozen=True, kw_only=True, tag="saved_snippet_added"):
    type = "saved_snippets"
    saved_snippet: SavedSnippetObject


class SavedSnippetChanged(Event, frozen=True, kw_only=True, tag="saved_snippet_changed"):
    type = "saved_snippets"
    saved_snippet: SavedSnippetObject


class SavedSnippetRemoved(Event, frozen=True, kw_only=True, tag="saved_snippet_removed"):
    type = "saved_snippets"
    saved_snippet_id: SnippetId


AnyMessageEvent = (
    MessageSent
    | ReactionChanged
    | SubmessageAdded
    | MessageEdited
    | MessageRendered
    | MessagesDeleted
    | FlagsChanged
    | TypingInChannel
    | TypingDirectly
    | TypingInEdit
    | DraftsAdded
    | DraftChanged
    | DraftRemoved
    | SavedSnippetAdded
    | SavedSnippetChanged
    | SavedSnippetRemoved
)
