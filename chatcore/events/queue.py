"""An event queue: what a client registered for, and what a poll of it comes to.

A queue is a row and a cursor into the log. The core says whether there is something to answer or that
one must wait; only the shell (`chatcore.application.events.long_polls`) waits.
"""

import msgspec

from chatcore.domain.errors import BadRequest
from chatcore.domain.ids import Position, QueueId, UserId
from chatcore.domain.presence import HISTORY_DAYS
from chatcore.events.shapes.channels import IncludeSubscribers

FRESH = -1
"""`last_event_id` that some clients send on a queue from which nothing was received yet."""


class Capabilities(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """`client_capabilities`: in which newer forms a client can take its data."""

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
    """What a queue was registered for; `event_types` None hears everything."""

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

    def wants(self, event_type: str) -> bool:
        if self.event_types is None:
            return True
        if event_type == "muted_topics" and "user_topic" in self.event_types:
            return False
        return event_type in self.event_types


class Queue(msgspec.Struct, frozen=True, kw_only=True):
    """A queue as it is stored."""

    id: QueueId
    user_id: UserId
    registration: Registration
    created_at: Position
    """The place in the log of the state that registering returned."""
    acknowledged: Position
    last_seen: float
    """When it was last in use, in seconds since 1970: only as right as the clock then was."""
    heartbeat: Position = Position(0)
    """The last one that was sent to the queue."""

    def is_expired(self, idle: float) -> bool:
        """Whether it was not in use for too many seconds."""
        return idle > self.registration.lifespan


def cursor_after(queue: Queue, last_event_id: int) -> Position:
    """From where a poll with this `last_event_id` goes on.

    :raises BadRequest: an event that the queue has acknowledged before already
    """
    if last_event_id == FRESH and queue.acknowledged == queue.created_at:
        return queue.created_at
    if last_event_id < queue.acknowledged:
        raise BadRequest(f"An event newer than {last_event_id} has already been pruned!")
    return Position(last_event_id)
