"""Events about messages, reactions, submessages, typing, drafts and snippets."""

from typing import Literal, NotRequired, TypedDict

from chatcore.events.forms.base import Placed
from chatcore.events.payloads.drafts import DraftObject
from chatcore.events.payloads.messages import DirectPersonObject as DirectPersonObject
from chatcore.events.payloads.messages import ReactionObject as ReactionObject
from chatcore.events.payloads.messages import SubmessageObject as SubmessageObject
from chatcore.events.payloads.messages import TopicLinkObject as TopicLinkObject
from chatcore.events.payloads.messages import UnreadObject
from chatcore.events.payloads.objects import EditObject, MessageObject
from chatcore.events.payloads.saved_snippets import SavedSnippetObject

__all__ = [
    "DeleteMessageEvent",
    "DirectPersonObject",
    "DraftRemoveEvent",
    "DraftUpdateEvent",
    "DraftsAddEvent",
    "EditObject",
    "EditPlaceObject",
    "FlagsEvent",
    "MessageEvent",
    "MessageObject",
    "ReactingUserObject",
    "ReactionEvent",
    "ReactionObject",
    "SnippetEvent",
    "SnippetRemoveEvent",
    "SubmessageEvent",
    "SubmessageObject",
    "TopicLinkObject",
    "TypingEditEvent",
    "TypingEvent",
    "TypistObject",
    "UpdateMessageEvent",
]


class MessageEvent(Placed):
    """A new message."""

    type: Literal["message"]
    message: MessageObject
    flags: list[str]
    local_message_id: NotRequired[str]
    """The sender's own name for the message; only in the queue that the sender has named."""
    local_id: NotRequired[str]


class UpdateMessageEvent(Placed):
    """A message was edited, messages were moved, or, with `rendering_only`, its HTML has changed."""

    type: Literal["update_message"]
    user_id: int | None
    edit_timestamp: int
    rendering_only: bool
    message_id: int
    message_ids: list[int]
    flags: list[str]
    stream_id: NotRequired[int]
    stream_name: NotRequired[str]
    orig_subject: NotRequired[str]
    propagate_mode: NotRequired[str]
    new_stream_id: NotRequired[int]
    subject: NotRequired[str]
    topic_links: NotRequired[list[TopicLinkObject]]
    orig_content: NotRequired[str]
    orig_rendered_content: NotRequired[str]
    content: NotRequired[str]
    rendered_content: NotRequired[str]
    is_me_message: NotRequired[bool]


class DeleteMessageEvent(Placed):
    """Messages of one topic or conversation were deleted; the capability `bulk_message_deletion` decides
    between `message_ids` and one event for each message.
    """

    type: Literal["delete_message"]
    message_type: Literal["stream", "private"]
    message_ids: NotRequired[list[int]]
    message_id: NotRequired[int]
    stream_id: NotRequired[int]
    topic: NotRequired[str]


class FlagsEvent(Placed):
    """A flag of messages was set or cleared."""

    type: Literal["update_message_flags"]
    op: Literal["add", "remove"]
    operation: Literal["add", "remove"]
    flag: str
    messages: list[int]
    all: bool
    message_details: NotRequired[dict[str, UnreadObject]]
    """For messages that are unread again, by their ids."""


class ReactingUserObject(TypedDict):
    user_id: int
    email: str
    full_name: str
    is_mirror_dummy: bool


class ReactionEvent(Placed, ReactionObject):
    """A reaction was added or removed."""

    type: Literal["reaction"]
    op: Literal["add", "remove"]
    message_id: int
    user: ReactingUserObject


class SubmessageEvent(Placed):
    """A submessage, such as a vote in a poll."""

    type: Literal["submessage"]
    message_id: int
    submessage_id: int
    sender_id: int
    msg_type: str
    content: str


class TypistObject(TypedDict):
    user_id: int
    email: str


class TypingEvent(Placed):
    """A user starts or stops writing: `recipients` names the people, or `stream_id` and `topic` the place."""

    type: Literal["typing"]
    op: Literal["start", "stop"]
    message_type: Literal["stream", "direct"]
    sender: TypistObject
    recipients: NotRequired[list[TypistObject]]
    stream_id: NotRequired[int]
    topic: NotRequired[str]


class EditPlaceObject(TypedDict):
    type: Literal["direct", "channel"]
    user_ids: NotRequired[list[int]]
    channel_id: NotRequired[int]
    topic: NotRequired[str]


class TypingEditEvent(Placed):
    """A user starts or stops editing a message."""

    type: Literal["typing_edit_message"]
    op: Literal["start", "stop"]
    sender_id: int
    message_id: int
    recipient: EditPlaceObject


class DraftsAddEvent(Placed):
    type: Literal["drafts"]
    op: Literal["add"]
    drafts: list[DraftObject]


class DraftUpdateEvent(Placed):
    type: Literal["drafts"]
    op: Literal["update"]
    draft: DraftObject


class DraftRemoveEvent(Placed):
    type: Literal["drafts"]
    op: Literal["remove"]
    draft_id: int


class SnippetEvent(Placed):
    """A saved snippet was created or changed."""

    type: Literal["saved_snippets"]
    op: Literal["add", "update"]
    saved_snippet: SavedSnippetObject


class SnippetRemoveEvent(Placed):
    type: Literal["saved_snippets"]
    op: Literal["remove"]
    saved_snippet_id: int


AnyMessageForm = (
    MessageEvent
    | UpdateMessageEvent
    | DeleteMessageEvent
    | FlagsEvent
    | ReactionEvent
    | SubmessageEvent
    | TypingEvent
    | TypingEditEvent
    | DraftsAddEvent
    | DraftUpdateEvent
    | DraftRemoveEvent
    | SnippetEvent
    | SnippetRemoveEvent
)
