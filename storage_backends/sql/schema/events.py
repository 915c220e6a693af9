"""The event log, and the queues that follow it."""

from peewee import CompositeKey

from chatcore.events.queue import Registration
from storage_backends.sql.schema.archives import Derived, Transient
from storage_backends.sql.schema.columns import Double, Integer, Json, Text
from storage_backends.sql.schema.table import DEFAULT_ZERO, Table


class Event(Table):
    archive = Transient()

    id = Integer(primary_key=True)
    """The position of the event in the log."""
    kind = Text()
    body = Text()
    audience = Text()

    class Meta:
        table_name = "event"


class LogHead(Table):
    """The one row with the last position drawn."""

    archive = Derived()

    id = Integer(primary_key=True)
    position = Integer()

    class Meta:
        table_name = "log_head"


class RememberedVersion(Table):
    """The version of each kind of remembered values; see `sql.memory`."""

    archive = Derived()

    kind = Text(primary_key=True)
    version = Integer()

    class Meta:
        table_name = "remembered_version"
        without_rowid = True


class AdoptedLog(Table):
    """The database to which the log belongs: a copy of the database has another identity."""

    archive = Transient()

    identity = Text()

    class Meta:
        table_name = "adopted_log"
        primary_key = False


class EventQueue(Table):
    archive = Transient()

    id = Text(primary_key=True)
    user_id = Integer()
    registration = Json(Registration)
    created_at = Integer()
    """The position at which it begins."""
    acknowledged = Integer()
    last_seen = Double()
    heartbeat = Integer(constraints=DEFAULT_ZERO)
    """The position of the last heartbeat."""

    class Meta:
        table_name = "event_queue"


EventQueue.declare_index("event_queue_user", EventQueue.user_id, EventQueue.last_seen)


class LocalEcho(Table):
    """A message that a client of a queue has sent, by the client's own id for it."""

    archive = Transient()

    queue_id = Text()
    local_id = Text()
    message_id = Integer()
    digest = Text()

    class Meta:
        table_name = "local_echo"
        primary_key = CompositeKey("queue_id", "local_id")
