"""The settings of bots, and the queue of their calls."""

from storage_backends.sql.schema.columns import Boolean, Integer, Serial, Text
from storage_backends.sql.schema.table import Table


class Bot(Table):
    user_id = Integer(primary_key=True)
    sending_channel_id = Integer(null=True)
    sending_channel = Text(null=True)
    events_channel_id = Integer(null=True)
    events_channel = Text(null=True)
    all_public = Boolean()
    service_name = Text()
    payload_url = Text()
    interface = Integer()
    config = Text()

    class Meta:
        table_name = "bot"


class BotCall(Table):
    id = Serial()
    bot_id = Integer()
    message_id = Integer()
    is_mention = Boolean()
    due = Integer()
    tries = Integer()
    leased_until = Integer()

    class Meta:
        table_name = "bot_call"


BotCall.indexed("bot_call_bot", BotCall.bot_id, BotCall.leased_until)
BotCall.indexed("bot_call_first", BotCall.bot_id, BotCall.id)
