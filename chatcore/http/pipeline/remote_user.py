"""The person whom a proxy in front of the server names in headers of a request.

Anybody can send such headers. They count if the connection itself comes from a proxy of the settings,
whatever `X-Forwarded-For` says.
"""

import re
from typing import TYPE_CHECKING, Final

from chatcore.domain.network_addresses import is_within
from chatcore.domain.sign_on.external_identities import BadIdentity, ExternalIdentity
from chatcore.domain.sign_on.ways_in import PROXY
from chatcore.settings import Settings
from chatcore.settings.remote_user import UNIX

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIEnvironment

NOBODY: Final = frozenset({"", "-", "(null)"})
"""Names, in lower case, by which proxies say that nobody has logged in."""
MAX_LENGTH: Final = 255
MAX_GROUPS_LENGTH: Final = 8000
BEFORE_THE_PROXY: Final = "werkzeug.proxy_fix.orig"
"""The key of the environment as it was before `X-Forwarded-…` was applied."""


def identity_in(settings: Settings, environ: "WSGIEnvironment") -> ExternalIdentity:
    """Return the person whom the proxy names.

    :raises BadIdentity: the request does not come from the proxy, or names nobody, or several
    """
    if not settings.remote_user_header or not _is_from_proxy(settings, environ):
        raise BadIdentity
    person = _only_value(environ, settings.remote_user_header)
    if person.lower() in NOBODY:
        raise BadIdentity
    email = person
    if settings.remote_user_email_header:
        email = _only_value(environ, settings.remote_user_email_header)
    elif "@" not in person:
        email = f"{person}@{settings.remote_user_domain}" if settings.remote_user_domain else ""
    groups = None
    if settings.remote_user_groups_header:
        text = _text(environ, settings.remote_user_groups_header, MAX_GROUPS_LENGTH)
        groups = [name.strip() for name in re.split("[,;]", text) if name.strip()]
    return ExternalIdentity(
        provider=PROXY,
        subject=person.lower(),  # proxies often take any spelling of a name
        email=email,
        full_name=_text(environ, settings.remote_user_name_header, MAX_LENGTH),
        groups=groups,
        managed_groups=settings.remote_user_groups,
    )


def _is_from_proxy(settings: Settings, environ: "WSGIEnvironment") -> bool:
    """Whether the other end of the connection is a proxy that is believed."""
    peer = environ.get(BEFORE_THE_PROXY, environ).get("REMOTE_ADDR", "")
    if not peer:
        return UNIX in settings.remote_user_proxies
    return is_within(peer, [proxy for proxy in settings.remote_user_proxies if proxy != UNIX])


def _only_value(environ: "WSGIEnvironment", name: str) -> str:
    """Return the value of a header that identifies a person, in plain characters; empty without one.

    :raises BadIdentity: a value of other characters; a comma is between the values of two headers
    """
    value = _text(environ, name, MAX_LENGTH)
    if not value.isascii() or not value.isprintable() or "," in value:
        raise BadIdentity
    return value


def _text(environ: "WSGIEnvironment", name: str, longest: int) -> str:
    """Return the value of a header, which is UTF-8; empty without one.

    :raises BadIdentity: it is too long, or not UTF-8
    """
    raw: str = environ.get("HTTP_" + name.upper().replace("-", "_"), "") if name else ""
    try:
        text = raw.encode("latin-1").decode().strip()
    except UnicodeError:
        raise BadIdentity from None
    if len(text) > longest:
        raise BadIdentity
    return text
