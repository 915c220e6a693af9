"""Subscriptions of browsers to pushes: each has the address of a push service, and keys for the content."""

from dataclasses import dataclass
from typing import Final

from chatcore.domain.errors import BadRequest, ChatError, NotFound
from chatcore.domain.ids import UserId
from chatcore.domain.web_addresses import parse_web_address

NOT_STORED: Final = 0
"""The id before a subscription is stored."""
NO_SESSION: Final = 0
"""Instead of the session of a browser, for a program with a key."""
MAX_SUBSCRIPTIONS: Final = 20
"""Subscriptions of a person; a new one takes the place of the oldest."""
MAX_ENDPOINT: Final = 1000
"""Characters of an address."""


class WebPushDisabled(ChatError):
    """The server sends no pushes to browsers."""

    code = "WEB_PUSH_DISABLED"

    def __init__(self) -> None:
        super().__init__("This server sends no push messages to browsers.")


class NoSuchPushSubscription(NotFound):
    """The single error for a subscription that does not exist or belongs to another user."""

    def __init__(self) -> None:
        super().__init__("There is no such subscription.")


@dataclass(frozen=True, slots=True, kw_only=True)
class PushSubscription:
    """A browser of a person that gets pushes. It ends with its session."""

    id: int = NOT_STORED
    user_id: UserId
    session_id: int
    endpoint: str
    """The address at a push service to which pushes are posted."""
    p256dh: str
    """The public key of the browser, in base64url."""
    auth: str
    """The secret of browser and server, in base64url."""
    device: str
    created_at: int

    @property
    def endpoint_host(self) -> str:
        target = parse_web_address(self.endpoint)
        return "" if target is None else target.hostname or ""


def require_endpoint(endpoint: str, *, allows_http: bool) -> None:
    """Check the address of a push service; which networks it may lead to is checked when it is used.

    :raises BadRequest: it is too long, no address, not encrypted, or has a name and a password
    """
    target = parse_web_address(endpoint)
    is_plain = len(endpoint) <= MAX_ENDPOINT and endpoint.isascii() and endpoint.isprintable()
    if target is None or not is_plain or target.username is not None or target.fragment:
        raise BadRequest("The endpoint is not the address of a push service.")
    if target.scheme != "https" and not allows_http:
        raise BadRequest("The endpoint has to be an address with https.")
