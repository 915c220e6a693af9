"""Authentication of requests: from headers to a `Caller`.

This module parses a header into an address and a key; `chatcore.application.people.logins` checks the key.
"""

import binascii
import re
from base64 import b64decode
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Final, TypeAlias

from chatcore.domain.errors import NOT_LOGGED_IN, BadRequest, Unauthorized
from chatcore.domain.groups.actors import Actor
from chatcore.domain.people.users import BotType
from chatcore.runtime.admission import NO_TURN, Turn
from chatcore.runtime.suspensions import Suspension

if TYPE_CHECKING:
    from chatcore.application.services import Services

MAX_CLIENT_NAME: Final = 30
UNKNOWN_CLIENT: Final = "Unspecified"
MAX_CREDENTIALS: Final = 1000
"""The maximal length of an Authorization header in characters; a longer one is refused unparsed."""

Authenticate: TypeAlias = "Callable[[Services, str, str], Actor]"
"""A function from an API address and a key to an actor; raises as `logins.authenticate` does."""


class Auth(StrEnum):
    """The credentials that a route requires. Where they are optional, wrong ones are still refused."""

    REQUIRED = "required"
    SENDING = "sending"
    """Required, and open to incoming-webhook bots, whose only permission is to send."""
    KEY_IN_QUERY = "key in query"
    """Required, as the parameter `api_key` of the query: the key of a bot for programs that only post."""
    OPTIONAL = "optional"
    NONE = "none"
    OWN_PAGE = "own page"
    """None, but the request must come from the organization's own pages; see `sessions`, beside this."""


@dataclass(frozen=True, slots=True)
class Caller:
    """The sender of a request: its account, program and address."""

    actor_or_none: Actor | None
    client: str = UNKNOWN_CLIENT
    """Product name of the User-Agent; it becomes the `client` of a message."""
    address: str = ""
    """The network address from which the request came."""
    turn: Turn = NO_TURN
    """The request's turn, paused while the request waits for events."""
    user_agent: str = ""
    session: str = field(default="", repr=False)
    """The token of the browser's session; empty if the route does not read the cookie."""
    organization_url: str | None = None
    """The address at which this client reaches the organization; None means that of the settings."""
    suspension: Suspension | None = None
    """The state of a poll that waits without a thread, kept by the server."""

    @property
    def is_authenticated(self) -> bool:
        return self.actor_or_none is not None

    @property
    def actor(self) -> Actor:
        """Return the actor, on routes that require one."""
        if self.actor_or_none is None:
            raise Unauthorized(NOT_LOGGED_IN)
        return self.actor_or_none


def client_name(user_agent: str) -> str:
    """Return the product name of a User-Agent: `Name` of `Name/version (rest)` and of `Name (rest)`."""
    product = _PRODUCT.match(user_agent)
    assert product is not None  # both parts of the pattern may be empty
    return declared_client(product[0]) or UNKNOWN_CLIENT


def declared_client(name: str) -> str:
    """Return a client's name in the form that messages and the audit log store, with single spaces; empty if
    nothing is left of it.
    """
    if not name.isprintable():
        name = "".join(character for character in name if character.isprintable())
    return " ".join(name.split())[:MAX_CLIENT_NAME].rstrip()  # two spaces are between the columns of the log


_PRODUCT: Final = re.compile(r"[^/ ]*[^0-9/(]*")


def credentials(header: str) -> tuple[str, str]:
    """Return address and key of an HTTP Basic header; every malformed header gets the same refusal.

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
    """Return the actor of the Authorization header; without a header, the actor of the cookie.

    None means that the route takes no credentials, or that optional ones are absent.

    :raises Unauthorized: absent or wrong credentials, or a webhook bot on a route that is not open to it
    :raises BadRequest, OrganizationDeactivated, UserDeactivated: as `credentials` and *authenticate* do
    """
    if auth in (Auth.NONE, Auth.OWN_PAGE):
        return None
    if header is None:
        if by_cookie is not None or auth is Auth.OPTIONAL:
            return by_cookie
        raise Unauthorized(NOT_LOGGED_IN)
    actor = authenticate(svc, *credentials(header))
    if actor.bot_type == BotType.INCOMING_WEBHOOK and auth is not Auth.SENDING:
        raise Unauthorized("This is not available to incoming webhook bots")
    return actor
