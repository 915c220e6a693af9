"""The address at which the client of a request reaches the organization."""

import re
from ipaddress import AddressValueError, IPv4Address, IPv6Address
from typing import TYPE_CHECKING, Final
from urllib.parse import quote, unquote_to_bytes, urlsplit

from chatcore.domain.errors import BadRequest
from chatcore.settings import Settings, host_name

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIEnvironment


MAX_LENGTH: Final = 1000
USUAL_PORTS: Final = {"http": ":80", "https": ":443"}
_PORT = re.compile(":[0-9]{1,5}")


def asked_host(environ: "WSGIEnvironment") -> str:
    """Return the host that the client asked for."""
    return host_name(environ.get("HTTP_HOST") or environ.get("SERVER_NAME", ""))


def own_address(settings: Settings, environ: "WSGIEnvironment") -> str:
    """Return `external_url`, or if it is not set the address to which the client has connected."""
    path = environ.get("SCRIPT_NAME", "").encode("latin-1")
    return _trusted_address(settings, environ["wsgi.url_scheme"], environ.get("HTTP_HOST", ""), path)


def stated_address(settings: Settings, url: str) -> str:
    """Return `external_url`; if that is not set, the address *url* at which the client says that it reaches
    us, without a query, a fragment and a slash at the end; if *url* is empty, the guessed `external_url`.

    :raises BadRequest: not an address of the web
    """
    try:
        parts = urlsplit(url)
        path = unquote_to_bytes(parts.path)
    except ValueError as error:
        raise BadRequest(f"Invalid address: {error}") from error
    if url and (parts.scheme not in USUAL_PORTS or not parts.netloc or len(url) > MAX_LENGTH):
        raise BadRequest("Invalid address: use a complete one, such as 'http://127.0.0.1:5000/chat'")
    return _trusted_address(settings, parts.scheme, parts.netloc, path)


def _trusted_address(settings: Settings, scheme: str, host: str, path: bytes) -> str:
    """Return the address with a host that the client names, if that can be trusted; else `external_url`.

    A host is trusted only if it is a literal IP address or localhost, and only for the answer to this client.
    A name is not trusted, because the owner of any name can point it at this server.
    """
    if not settings.url_is_a_guess or not _is_literal(host):
        return settings.external_url
    host = host.lower().removesuffix(USUAL_PORTS.get(scheme, ""))
    return f"{scheme}://{host}{quote(path.rstrip(b'/'))}"


def _is_literal(host: str) -> bool:
    """Whether a Host header is an IP address or localhost, with or without a port."""
    name = host_name(host)
    port = host[len(name) :]
    if port and not _PORT.fullmatch(port):
        return False
    try:
        if name.startswith("["):
            IPv6Address(name[1:-1])
        elif name != "localhost":
            IPv4Address(name)
    except AddressValueError:
        return False
    return True
