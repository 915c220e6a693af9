"""Payloads of events about bots, for the users who manage them."""

from chatcore.domain.ids import Position
from chatcore.events import happened
from chatcore.events.payloads.bots import (
    NO_KEY,
    BotAddEvent,
    BotDeleteEvent,
    BotUpdateEvent,
    bot_object,
    service_objects,
)
from chatcore.events.payloads.users import Person
from chatcore.events.sending.formatter import nobody_else, one_payload
from chatcore.events.sending.listener import Listener


def _format_bot_added(event: happened.BotAdded, listener: Listener, position: Position) -> BotAddEvent:
    key = _api_key_for(event.bot, event.key_version, listener)
    return {
        "type": "realm_bot",
        "op": "add",
        "bot": bot_object(event.bot, key, event.details),
        "id": position,
    }


def _format_bot_changed(event: happened.BotChanged, listener: Listener, position: Position) -> BotUpdateEvent:
    return {
        "type": "realm_bot",
        "op": "update",
        "bot": {"user_id": event.user_id, **event.changes},
        "id": position,
    }


def _format_bot_key_changed(
    event: happened.BotKeyChanged, listener: Listener, position: Position
) -> BotUpdateEvent:
    key = listener.key_of(event.user_id, event.key_version)
    return {
        "type": "realm_bot",
        "op": "update",
        "bot": {"user_id": event.user_id, "api_key": key},
        "id": position,
    }


def _format_bot_service_changed(
    event: happened.BotServiceChanged, listener: Listener, position: Position
) -> BotUpdateEvent:
    key = _api_key_for(event.bot, event.key_version, listener)
    services = service_objects(event.bot.bot_type, event.details, key)
    return {
        "type": "realm_bot",
        "op": "update",
        "bot": {"user_id": event.bot.id, "services": services},
        "id": position,
    }


def _format_bot_removed(event: happened.BotRemoved, listener: Listener, position: Position) -> BotDeleteEvent:
    return {"type": "realm_bot", "op": "delete", "bot": {"user_id": event.user_id}, "id": position}


def _api_key_for(bot: Person, key_version: int, listener: Listener) -> str:
    is_own = bot.bot_owner_id == listener.actor.user_id
    return listener.key_of(bot.id, key_version) if is_own else NO_KEY


FORMATTERS = (
    one_payload(happened.BotAdded, _format_bot_added, nobody_else),
    one_payload(happened.BotChanged, _format_bot_changed),
    one_payload(happened.BotKeyChanged, _format_bot_key_changed, nobody_else),
    one_payload(happened.BotServiceChanged, _format_bot_service_changed, nobody_else),
    one_payload(happened.BotRemoved, _format_bot_removed),
)
