"""The settings of bots, and the queue of their calls."""

from chatcore.domain.bots.settings import Interface
from storage_backends.sql.schema.archives import OF_PERSON, Exported, Transient
from storage_backends.sql.schema.columns import Boolean, Integer, Json, NumberedChoice, Serial, Text
from storage_backends.sql.schema.table import Table


class Bot(Table):
    """The settings of a bot. What a service gets to identify itself follows from the key of its bot."""

    archive = Exported(part=OF_PERSON)

    user_id = Integer(primary_key=True, refers="account")
    sending_channel_id = Integer(null=True)
    sending_channel_name = Text(column_name="sending_channel", null=True)
    events_channel_id = Integer(null=True)
    events_channel_name = Text(column_name="events_channel", null=True)
    all_public = Boolean()
    service_name = Text()
    payload_url = Text()
    interface = NumberedChoice(Interface)
    config = Json(dict[str, str])

    class Meta:
        table_name = "bot"


class BotCall(Table):
    archive = Transient()

    id = Serial()
    bot_id = Integer()
    message_id = Integer()
    is_mention = Boolean()
    due = Integer()
    attempts = Integer(column_name="tries")
    leased_until = Integer()

    class Meta:
        table_name = "bot_call"


BotCall.declare_index("bot_call_bot", BotCall.bot_id, BotCall.leased_until)
BotCall.declare_index("bot_call_first", BotCall.bot_id, BotCall.id)
