"""Who calls: from the request's headers to a `Caller`.

Whether a key is right is decided in `chatcore.application.people.accounts`; here a header becomes an address
and a key.
"""

import binascii
import re
from base64 import b64decode
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Final, TypeAlias

from chatcore.application.admission import FREE, Turn
from chatcore.domain.errors import BadRequest, Unauthorized
from chatcore.domain.groups import Actor
from chatcore.domain.users import BotType

if TYPE_CHECKING:
    from chatcore.application.services import Services

MAX_CLIENT_NAME: Final = 30
UNKNOWN_CLIENT: Final = "Unspecified"
MAX_CREDENTIALS: Final = 1000
"""Characters of an Authorization header; a longer one is not looked into."""

Authenticate: TypeAlias = "Callable[[Services, str, str], Actor]"
"""From an API address and a key; raises Unauthorized or UserDeactivated."""


class Auth(StrEnum):
    """What a route asks of its caller. Where credentials are optional, wrong ones are still refused."""

    REQUIRED = "required"
    SENDING = "sending"
    """Required, and open to incoming-webhook bots too, which may do nothing but send."""
    OPTIONAL = "optional"
    NONE = "none"
    OWN_PAGE = "own page"
    """None, but the request has to come from the organization's own pages; see `chatcore.http.sessions`."""


@dataclass(frozen=True, slots=True)
class Caller:
    """Who calls and with which program."""

    actor: Actor | None
    client: str = UNKNOWN_CLIENT
    """Product name of the User-Agent; becomes the `client` of a message."""
    address: str = ""
    """The network address the request came from."""
    turn: Turn = FREE
    """Paused while the request waits for events."""
    organization_url: str | None = None
    """The address at which this client reaches the organization; None is that of the settings."""

    @property
    def is_authenticated(self) -> bool:
        return self.actor is not None

    @property
    def user(self) -> Actor:
        """The actor, on routes that require one."""
        if self.actor is None:
            raise Unauthorized("Not logged in: API authentication required")
        return self.actor


def client_name(user_agent: str) -> str:
    """The product name of a User-Agent: `Name` of `Name/version (rest)` and of `Name (rest)`."""
    product = _PRODUCT.match(user_agent)
    assert product is not None  # both of its parts may be empty
    return declared_client(product[0]) or UNKNOWN_CLIENT


def declared_client(name: str) -> str:
    """A client's name as messages keep it; empty where nothing of it is left."""
    if not name.isprintable():
        name = "".join(character for character in name if character.isprintable())
    return name.strip()[:MAX_CLIENT_NAME].rstrip()


_PRODUCT: Final = re.compile(r"[^/ ]*[^0-9/(]*")


def credentials(header: str) -> tuple[str, str]:
    """Address and key of an HTTP Basic header; one refusal, whatever is wrong with it.

    :raises BadRequest: another scheme
    """
    scheme, _, encoded = header.partition(" ")
    if scheme.lower() != "basic":
        raise BadRequest("This endpoint requires HTTP basic authentication.")
    if len(encoded) > MAX_CREDENTIALS:
        raise Unauthorized
    try:
        decoded = b64decode(encoded.strip(), validate=True).decode()
    except (binascii.Error, ValueError) as error:
        raise Unauthorized from error
    if decoded.count(":") != 1 or "\0" in decoded:
        raise Unauthorized
    email, _, key = decoded.partition(":")
    if not email or not key:
        raise Unauthorized
    return email, key


def identify(
    svc: "Services", authenticate: Authenticate, auth: Auth, header: str | None, by_cookie: Actor | None
) -> Actor | None:
    """The actor that the Authorization header stands for; without one, whom the cookie stands for."""
    if auth in (Auth.NONE, Auth.OWN_PAGE):
        return None
    if header is None:
        if by_cookie is not None or auth is Auth.OPTIONAL:
            return by_cookie
        raise Unauthorized("Not logged in: API authentication required")
    actor = authenticate(svc, *credentials(header))
    if actor.bot_type == BotType.INCOMING_WEBHOOK and auth is not Auth.SENDING:
        raise Unauthorized("This is not available to incoming webhook bots")
    return actor
