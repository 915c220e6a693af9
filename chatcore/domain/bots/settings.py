"""The settings of a bot beside its account: default channels, and the service that answers for it."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import IntEnum

from chatcore.domain.bots.embedded import EMBEDDED_BOTS
from chatcore.domain.bots.integrations import INTEGRATIONS
from chatcore.domain.characters import check_characters
from chatcore.domain.errors import BadRequest, InsufficientPermission
from chatcore.domain.groups.actors import Actor
from chatcore.domain.ids import ChannelId
from chatcore.domain.limits import Limits
from chatcore.domain.organization.organization import Organization
from chatcore.domain.people.users import BotType, checked_email_address
from chatcore.domain.web_addresses import parse_web_address

MAX_URL_LENGTH = 2048
MAX_CONFIG_KEYS = 100
MAX_CONFIG_LENGTH = 10_000
"""Characters of all keys and values of a bot's configuration."""
MAX_SHORT_NAME_LENGTH = 100


class Interface(IntEnum):
    """The form of the requests to an outgoing webhook, as the API numbers it."""

    NATIVE = 1
    TEXT = 2
    """A form with the fields that services of another wide-spread kind expect, answered with `text`."""


@dataclass(frozen=True, slots=True)
class DefaultChannel:
    """A channel, with the name by which the owner of the bot knows it. The name follows the channel's as long
    as the owner may know of the channel.
    """

    id: ChannelId
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class BotSettings:
    """The settings of one bot. A bot without any has the defaults."""

    sending_channel: DefaultChannel | None = None
    """The channel of its messages that name no place."""
    events_channel: DefaultChannel | None = None
    """The channel to which its event queues without a narrow of their own are narrowed."""
    all_public: bool = False
    """Whether its event queues get the messages of all public channels, unless they say otherwise."""
    service_name: str = ""
    """For an embedded bot its program, for an incoming webhook its integration, if one was named."""
    payload_url: str = ""
    """The address to which an outgoing webhook is posted."""
    interface: Interface = Interface.NATIVE
    config: Mapping[str, str] = field(default_factory=dict)

    def with_channel(self, name: str, channel: DefaultChannel | None) -> "BotSettings":
        """Return the settings with another default channel: `sending_channel` or `events_channel`."""
        if name == "sending_channel":
            return replace(self, sending_channel=channel)
        return replace(self, events_channel=channel)


def require_may_create(organization: Organization, actor: Actor, bot_type: BotType) -> None:
    """Check that the actor may create bots of a type.

    :raises BadRequest: a bot, or a person without the permission
    """
    if actor.is_bot:
        raise BadRequest("Bots cannot own other bots.")
    if actor.role.is_administrator or organization.permits("can_create_bots_group", actor):
        return
    if bot_type == BotType.INCOMING_WEBHOOK and organization.permits(
        "can_create_write_only_bots_group", actor
    ):
        return
    raise InsufficientPermission


def require_few_bots(own: int, existing: int, limits: Limits) -> None:
    """Refuse another bot for an owner of *own* bots, in an organization of *existing* ones.

    :raises BadRequest: too many, deactivated ones included
    """
    if own >= limits.max_bots_per_user:
        raise BadRequest(f"One person can own {limits.max_bots_per_user} bots, deactivated ones too.")
    if existing >= limits.max_bots:
        raise BadRequest(f"There can be {limits.max_bots} bots at most, deactivated ones too.")


def bot_type_of(number: int) -> BotType:
    """Return the type with a number.

    :raises BadRequest: there is none
    """
    if number not in set(BotType):
        raise BadRequest("Invalid bot type")
    return BotType(number)


def bot_address(short_name: str, host: str) -> str:
    """Return the address of a new bot.

    :raises BadRequest: a short name with which there is no address
    """
    name = short_name.strip().removesuffix("-bot")
    if not name or len(name) > MAX_SHORT_NAME_LENGTH or "@" in name:
        raise BadRequest("Bad name or username")
    return checked_email_address(f"{name}-bot@{host}", host)


def checked_payload_url(raw: str) -> str:
    """Check the address of a service and return it stripped.

    :raises BadRequest: no address of HTTP
    """
    url = raw.strip()
    if len(url) > MAX_URL_LENGTH:
        raise bad_payload_url()
    check_characters(url, "payload_url")
    if parse_web_address(url) is None or not url.isascii():
        raise bad_payload_url()
    return url


def bad_payload_url() -> BadRequest:
    """Return the error for what is no address of a service."""
    return BadRequest("payload_url is not a URL")


def interface_of(number: int) -> Interface:
    """Return the interface with a number.

    :raises BadRequest: there is none
    """
    if number not in set(Interface):
        raise BadRequest("Invalid interface")
    return Interface(number)


def checked_config(values: Mapping[str, str]) -> Mapping[str, str]:
    """Check a configuration and return a copy of it.

    :raises BadRequest: too much of it, or a text that cannot be stored
    """
    length = sum(len(key) + len(value) for key, value in values.items())
    if len(values) > MAX_CONFIG_KEYS or length > MAX_CONFIG_LENGTH:
        raise BadRequest("config_data is too long")
    for key, value in values.items():
        check_characters(key, "config_data")
        check_characters(value.replace("\n", ""), "config_data")
    return dict(values)


def checked_service_name(name: str, bot_type: BotType) -> str:
    """Check the program of an embedded bot or the integration of an incoming webhook; bots of other types
    have none, and get an empty text.

    :raises BadRequest: there is none of the name
    """
    if bot_type == BotType.EMBEDDED and name not in EMBEDDED_BOTS:
        raise BadRequest("Invalid embedded bot name.")
    if bot_type == BotType.INCOMING_WEBHOOK and name and name not in INTEGRATIONS:
        raise BadRequest("Invalid integration.")
    return name if bot_type in (BotType.EMBEDDED, BotType.INCOMING_WEBHOOK) else ""
