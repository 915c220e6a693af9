"""The event log, and the queues that follow it."""

from peewee import BigIntegerField, CompositeKey, DoubleField, TextField

from storage_backends.sql.schema.table import DEFAULT_ZERO, Table


class Event(Table):
    id = BigIntegerField(primary_key=True)
    """The position of the event in the log."""
    kind = TextField()
    body = TextField()
    audience = TextField()

    class Meta:
        table_name = "event"


class LogHead(Table):
    """The one row with the last position drawn."""

    id = BigIntegerField(primary_key=True)
    position = BigIntegerField()

    class Meta:
        table_name = "log_head"


class RememberedVersion(Table):
    """The version of each kind of remembered values; see `sql.memory`."""

    kind = TextField(primary_key=True)
    version = BigIntegerField()

    class Meta:
        table_name = "remembered_version"
        without_rowid = True


class AdoptedLog(Table):
    """The database to which the log belongs: a copy of the database has another identity."""

    identity = TextField()

    class Meta:
        table_name = "adopted_log"
        primary_key = False


class EventQueue(Table):
    id = TextField(primary_key=True)
    user_id = BigIntegerField()
    registration = TextField()
    created_at = BigIntegerField()
    """The position at which it begins."""
    acknowledged = BigIntegerField()
    last_seen = DoubleField()
    heartbeat = BigIntegerField(constraints=DEFAULT_ZERO)
    """The position of the last heartbeat."""

    class Meta:
        table_name = "event_queue"


EventQueue.indexed("event_queue_user", EventQueue.user_id, EventQueue.last_seen)


class LocalEcho(Table):
    """A message that a client of a queue has sent, by the client's own id for it."""

    queue_id = TextField()
    local_id = TextField()
    message_id = BigIntegerField()
    digest = TextField()

    class Meta:
        table_name = "local_echo"
        primary_key = CompositeKey("queue_id", "local_id")
