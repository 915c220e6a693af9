"""Event queues: the registration of a client, and the evaluation of its polls.

A queue is a row and a cursor into the log. The core decides whether there is an answer or the poll must wait;
only the shell (`chatcore.application.events.long_polls`) waits.
"""

import msgspec

from chatcore.domain.errors import BadRequest
from chatcore.domain.ids import Position, QueueId, UserId
from chatcore.domain.people.presence import HISTORY_DAYS
from chatcore.events.payloads.channels import IncludeSubscribers

FRESH = -1
"""`last_event_id` that some clients send before they have received anything from the queue."""


class Capabilities(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """`client_capabilities`: the newer forms of data that a client accepts."""

    notification_settings_null: bool = False
    bulk_message_deletion: bool = False
    user_avatar_url_field_optional: bool = False
    stream_typing_notifications: bool = False
    user_settings_object: bool = False
    linkifier_url_template: bool = False
    user_list_incomplete: bool = False
    include_deactivated_groups: bool = False
    archived_channels: bool = False
    empty_topic_name: bool = False
    simplified_presence_events: bool = False


class Registration(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The options with which a queue was registered; `event_types` None selects all events."""

    event_types: tuple[str, ...] | None = None
    apply_markdown: bool = False
    client_gravatar: bool = True
    slim_presence: bool = False
    presence_history_limit_days: int = HISTORY_DAYS
    include_subscribers: IncludeSubscribers = False
    all_public_streams: bool = False
    narrow: tuple[tuple[str, str], ...] = ()
    capabilities: Capabilities = Capabilities()
    lifespan: int = 600
    """Seconds without a poll after which the queue is dropped."""
    has_keys: bool = True
    """Whether the state and the events have the keys of the reader's bots; in a browser's session they have
    none.
    """

    def wants(self, event_type: str) -> bool:
        """Whether the client asked for this type: `web_reload_client` only by name, and `muted_topics` not
        beside `user_topic`, which replaces it.
        """
        if self.event_types is None:
            return event_type != "web_reload_client"
        if event_type == "muted_topics" and "user_topic" in self.event_types:
            return False
        return event_type in self.event_types


class Queue(msgspec.Struct, frozen=True, kw_only=True):
    """A queue as it is stored."""

    id: QueueId
    user_id: UserId
    registration: Registration
    created_at: Position
    """The position in the log of the state that the registration returned."""
    acknowledged: Position
    last_seen: float
    """Time of last use in seconds since 1970; only as accurate as the clock was then."""
    heartbeat: Position = Position(0)
    """Position of the last heartbeat that was sent to the queue."""

    def is_expired(self, idle: float) -> bool:
        """Whether the queue was idle, for so many seconds, longer than its lifespan."""
        return idle > self.registration.lifespan


def cursor_after(queue: Queue, last_event_id: int) -> Position:
    """Return the position from which a poll with this `last_event_id` continues.

    :raises BadRequest: an event before the newest that the queue has acknowledged
    """
    if last_event_id == FRESH and queue.acknowledged == queue.created_at:
        return queue.created_at
    if last_event_id < queue.acknowledged:
        raise BadRequest(f"An event newer than {last_event_id} has already been pruned!")
    return Position(last_event_id)
