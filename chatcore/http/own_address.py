"""The address at which the client of a request reaches the organization."""

from ipaddress import AddressValueError, IPv4Address, IPv6Address
from typing import TYPE_CHECKING
from urllib.parse import quote

from chatcore.settings import Settings, host_name

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIEnvironment


def own_address(settings: Settings, environ: "WSGIEnvironment") -> str:
    """Return `external_url`, or if it is not set the address to which the client has connected."""
    path = quote(environ.get("SCRIPT_NAME", ""))
    return _trusted(settings, environ["wsgi.url_scheme"], environ.get("HTTP_HOST", ""), path)


def address_in(settings: Settings, url: str) -> str:
    """Return `external_url`, or if it is not set the address at which the client says it is."""
    scheme, _, rest = url.partition("://")
    host, slash, path = rest.partition("/")
    return _trusted(settings, scheme, host, slash + path)


def _trusted(settings: Settings, scheme: str, host: str, path: str) -> str:
    """A Host header is trusted only if it is a literal IP address or localhost, and only for the answer to
    this client. A name is not trusted, because the owner of any name can point it at this server.
    """
    if not settings.url_is_a_guess or not _is_literal(host):
        return settings.external_url
    return f"{scheme}://{host.lower()}{path}"


def _is_literal(host: str) -> bool:
    name = host_name(host)
    port = host[len(name) :]
    if port and not (port[0] == ":" and port[1:].isascii() and port[1:].isdecimal() and len(port) <= 6):
        return False
    try:
        if name.startswith("["):
            IPv6Address(name[1:-1])
        elif name != "localhost":
            IPv4Address(name)
    except AddressValueError:
        return False
    return True
