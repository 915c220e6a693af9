"""Forms of events about bots, for the users who manage them."""

from collections.abc import Mapping

from chatcore.domain.ids import UserId
from chatcore.events import happened
from chatcore.events.payloads.bots import NO_KEY, bot_shape, service_shapes
from chatcore.events.payloads.users import Person
from chatcore.events.sending.event import Fields
from chatcore.events.sending.formatter import form, nobody_else
from chatcore.events.sending.listener import Listener


def _added(event: happened.BotAdded, listener: Listener) -> Fields:
    key = _key(event.bot, event.key_version, listener)
    return {"type": event.type, "op": "add", "bot": bot_shape(event.bot, key, event.details)}


def _changed(event: happened.BotChanged, listener: Listener) -> Fields:
    return _update(event.type, event.user_id, event.changes)


def _key_changed(event: happened.BotKeyChanged, listener: Listener) -> Fields:
    return _update(event.type, event.user_id, {"api_key": listener.key_of(event.user_id, event.key_version)})


def _service_changed(event: happened.BotServiceChanged, listener: Listener) -> Fields:
    key = _key(event.bot, event.key_version, listener)
    return _update(
        event.type, event.bot.id, {"services": service_shapes(event.bot.bot_type, event.details, key)}
    )


def _removed(event: happened.BotRemoved, listener: Listener) -> Fields:
    return {"type": event.type, "op": "delete", "bot": {"user_id": event.user_id}}


def _key(bot: Person, key_version: int, listener: Listener) -> str:
    is_own = bot.bot_owner_id == listener.actor.user_id
    return listener.key_of(bot.id, key_version) if is_own else NO_KEY


def _update(event_type: str, bot_id: UserId, changes: Mapping[str, object]) -> Fields:
    return {"type": event_type, "op": "update", "bot": {"user_id": bot_id, **changes}}


FORMATTERS = (
    form(happened.BotAdded, _added, nobody_else),
    form(happened.BotChanged, _changed),
    form(happened.BotKeyChanged, _key_changed, nobody_else),
    form(happened.BotServiceChanged, _service_changed, nobody_else),
    form(happened.BotRemoved, _removed),
)
