"""The settings of bots, and the queue of their calls."""

from peewee import BigIntegerField, BooleanField, TextField

from storage_backends.sql.schema.table import Serial, Table


class Bot(Table):
    user_id = BigIntegerField(primary_key=True)
    sending_channel_id = BigIntegerField(null=True)
    sending_channel = TextField(null=True)
    events_channel_id = BigIntegerField(null=True)
    events_channel = TextField(null=True)
    all_public = BooleanField()
    service_name = TextField()
    payload_url = TextField()
    interface = BigIntegerField()
    config = TextField()

    class Meta:
        table_name = "bot"


class BotCall(Table):
    id = Serial()
    bot_id = BigIntegerField()
    message_id = BigIntegerField()
    is_mention = BooleanField()
    due = BigIntegerField()
    tries = BigIntegerField()
    leased_until = BigIntegerField()

    class Meta:
        table_name = "bot_call"


BotCall.indexed("bot_call_bot", BotCall.bot_id, BotCall.leased_until)
BotCall.indexed("bot_call_first", BotCall.bot_id, BotCall.id)
