"""Messages and reminders that wait for their time."""

from chatcore.domain.ids import UserId
from storage_backends.sql.schema.archives import OF_PERSON, Exported
from storage_backends.sql.schema.columns import Boolean, Integer, Json, Serial, Text
from storage_backends.sql.schema.table import Table


class ScheduledMessage(Table):
    archive = Exported(part=OF_PERSON)

    id = Serial()
    author_id = Integer(column_name="user_id", refers="account")
    due = Integer()
    channel_id = Integer(null=True)
    people = Json(tuple[UserId, ...])
    topic = Text()
    content = Text()
    rendered_content = Text()
    client = Text()
    read_by_sender = Boolean()
    failure = Text(null=True)
    reminds_of = Integer(null=True)
    note = Text()

    class Meta:
        table_name = "scheduled_message"


ScheduledMessage.declare_index(
    "scheduled_message_user", ScheduledMessage.author_id, ScheduledMessage.due, ScheduledMessage.id
)
ScheduledMessage.declare_index(
    "scheduled_message_due",
    ScheduledMessage.due,
    ScheduledMessage.id,
    where=ScheduledMessage.failure.is_null(),
)
