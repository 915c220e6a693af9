"""Messages and reminders that wait for their time."""

from peewee import BigIntegerField, BooleanField, TextField

from storage_backends.sql.schema.table import Serial, Table


class ScheduledMessage(Table):
    id = Serial()
    user_id = BigIntegerField()
    due = BigIntegerField()
    channel_id = BigIntegerField(null=True)
    people = TextField()
    topic = TextField()
    content = TextField()
    rendered_content = TextField()
    client = TextField()
    read_by_sender = BooleanField()
    failure = TextField(null=True)
    reminds_of = BigIntegerField(null=True)
    note = TextField()

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
