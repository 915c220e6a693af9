"""Forms of events about bots, for the users who manage them."""

from chatcore.events import types as happened
from chatcore.events.shapes.bots import NO_KEY, bot_shape
from chatcore.events.wire.event import Fields
from chatcore.events.wire.formatter import form, nobody_else
from chatcore.events.wire.listener import Listener


def _added(event: happened.BotAdded, listener: Listener) -> Fields:
    is_own = event.bot.bot_owner_id == listener.actor.user_id
    key = listener.api_key(event.bot.id, event.key_version) if is_own else NO_KEY
    return {"type": event.type, "op": "add", "bot": bot_shape(event.bot, key)}


def _changed(event: happened.BotChanged, listener: Listener) -> Fields:
    return {"type": event.type, "op": "update", "bot": {"user_id": event.user_id, **event.changes}}


def _key_changed(event: happened.BotKeyChanged, listener: Listener) -> Fields:
    bot = {"user_id": event.user_id, "api_key": listener.api_key(event.user_id, event.key_version)}
    return {"type": event.type, "op": "update", "bot": bot}


def _removed(event: happened.BotRemoved, listener: Listener) -> Fields:
    return {"type": event.type, "op": "delete", "bot": {"user_id": event.user_id}}


FORMATTERS = (
    form(happened.BotAdded, _added, nobody_else),
    form(happened.BotChanged, _changed),
    form(happened.BotKeyChanged, _key_changed, nobody_else),
    form(happened.BotRemoved, _removed),
)
