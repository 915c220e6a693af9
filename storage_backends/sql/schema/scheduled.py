"""Messages and reminders that wait for their time."""

from storage_backends.sql.schema.archives import OF_PERSON, Exported
from storage_backends.sql.schema.columns import Boolean, Integer, Serial, Text
from storage_backends.sql.schema.table import Table


class ScheduledMessage(Table):
    archive = Exported(part=OF_PERSON)

    id = Serial()
    user_id = Integer(refers="account")
    due = Integer()
    channel_id = Integer(null=True)
    people = Text()
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


ScheduledMessage.indexed(
    "scheduled_message_user", ScheduledMessage.user_id, ScheduledMessage.due, ScheduledMessage.id
)
ScheduledMessage.indexed(
    "scheduled_message_due",
    ScheduledMessage.due,
    ScheduledMessage.id,
    where=ScheduledMessage.failure.is_null(),
)
