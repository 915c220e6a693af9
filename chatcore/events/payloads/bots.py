"""The JSON object of a bot for users who manage it, in the register state and in events."""

from collections.abc import Mapping
from typing import Literal, TypedDict

import msgspec

from chatcore.domain.bots.settings import BotSettings, DefaultChannel
from chatcore.domain.people.api_keys import service_token
from chatcore.domain.people.users import BotType
from chatcore.events.payloads.parts import Payload
from chatcore.events.payloads.users import Person, avatar_url

__all__ = [
    "BotAddEvent",
    "BotDeleteEvent",
    "BotIdObject",
    "BotObject",
    "BotUpdateEvent",
    "ChangedBotObject",
    "ServiceObject",
]

NO_KEY = ""
"""Replaces a bot's key or token for everybody but its owner."""


class BotDetails(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The settings of a bot beside its account, as the events about it contain them."""

    sending_channel: str | None = None
    events_channel: str | None = None
    all_public: bool = False
    service_name: str = ""
    payload_url: str = ""
    interface: int = 1
    config: Mapping[str, str] = msgspec.field(default_factory=dict)


def bot_details(settings: BotSettings) -> BotDetails:
    return BotDetails(
        sending_channel=_channel_name(settings.sending_channel),
        events_channel=_channel_name(settings.events_channel),
        all_public=settings.all_public,
        service_name=settings.service_name,
        payload_url=settings.payload_url,
        interface=int(settings.interface),
        config=settings.config,
    )


def _channel_name(channel: DefaultChannel | None) -> str | None:
    return None if channel is None else channel.name


class ServiceObject(TypedDict, total=False):
    """The service of an outgoing webhook, or the program of an embedded bot."""

    base_url: str
    token: str
    interface: Literal[1, 2]
    service_name: str
    config_data: Mapping[str, str]


def service_objects(bot_type: int | None, details: BotDetails, api_key: str) -> list[ServiceObject]:
    """Return the services of a bot. The token and the configuration are for its owner, who has the key."""
    if bot_type == BotType.OUTGOING_WEBHOOK:
        token = service_token(api_key) if api_key else NO_KEY
        return [
            {
                "base_url": details.payload_url,
                "token": token,
                "interface": 1 if details.interface == 1 else 2,
            }
        ]
    if bot_type == BotType.EMBEDDED:
        config = details.config if api_key else {}
        return [{"service_name": details.service_name, "config_data": config}]
    return []


class KeyedBotObject(TypedDict):
    """The fields of a bot in each list of its managers."""

    user_id: int
    full_name: str
    bot_type: int | None
    api_key: str
    avatar_url: str | None
    default_sending_stream: str | None
    default_events_register_stream: str | None
    default_all_public_streams: bool
    services: list[ServiceObject]


class BotObject(KeyedBotObject):
    """A bot, for the users who manage it; only its owner receives the key."""

    email: str
    owner_id: int | None
    is_active: bool


def bot_object(bot: Person, api_key: str, details: BotDetails) -> BotObject:
    """Return a bot as it is sent. Only its owner may receive the key."""
    return {
        "user_id": bot.id,
        "full_name": bot.full_name,
        "email": bot.api_email,
        "bot_type": bot.bot_type,
        "owner_id": bot.bot_owner_id,
        "is_active": bot.is_active,
        "avatar_url": avatar_url(bot),
        "api_key": api_key,
        "default_sending_stream": details.sending_channel,
        "default_events_register_stream": details.events_channel,
        "default_all_public_streams": details.all_public,
        "services": service_objects(bot.bot_type, details, api_key),
    }


class BotChanges(TypedDict, total=False):
    """The changed properties of a bot."""

    full_name: str
    owner_id: int | None
    is_active: bool
    avatar_url: str | None
    api_key: str
    default_sending_stream: str | None
    default_events_register_stream: str | None
    default_all_public_streams: bool
    services: list[ServiceObject]


class ChangedBotObject(BotChanges):
    """A bot with its changed properties."""

    user_id: int


class BotIdObject(TypedDict):
    user_id: int


class BotAddEvent(Payload):
    type: Literal["realm_bot"]
    op: Literal["add"]
    bot: BotObject


class BotUpdateEvent(Payload):
    type: Literal["realm_bot"]
    op: Literal["update"]
    bot: ChangedBotObject


class BotDeleteEvent(Payload):
    """A bot is no longer visible to the reader."""

    type: Literal["realm_bot"]
    op: Literal["delete"]
    bot: BotIdObject
