"""Network addresses: of clients, grouped for rate limits, and of servers that requests may go to."""

import re
from collections.abc import Collection
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network

HOME_BITS = 64
"""Prefix length of an IPv6 network of one home, which can choose the remaining bits freely."""
SITE_BITS = 48
"""Prefix length of an IPv6 network of one site, which can contain 65,536 home networks."""


def neighbourhood(address: str) -> str:
    """Return the network that all addresses of one client share: an IPv6 /64, or the address itself."""
    parsed = _parse_address(address)
    return _network(parsed, HOME_BITS) if isinstance(parsed, IPv6Address) else str(parsed)


def site_network(address: str) -> str | None:
    """Return the 48-bit network of an IPv6 address; None for all others."""
    parsed = _parse_address(address)
    return _network(parsed, SITE_BITS) if isinstance(parsed, IPv6Address) else None


def plain_address(address: str) -> str:
    """Return what is kept of the other end of a request: its address without a port, or UNKNOWN for what is
    none, as `X-Forwarded-For` may hold any text. Empty, as for requests within a program, stays so.
    """
    return address and str(_parse_address(address))


UNKNOWN = "unknown"
"""Stands for anything that is not an address, such as the path of a socket."""

_WITH_PORT = re.compile(r"\[(?P<v6>[^\]]*)\](?::\d+)?|(?P<v4>[\d.]+):\d+")


def _parse_address(address: str) -> IPv4Address | IPv6Address | str:
    """Return the parsed address, or UNKNOWN: IPv4 written as IPv6 becomes IPv4, and a port added by a proxy
    is dropped.
    """
    if match := _WITH_PORT.fullmatch(address):
        address = match["v6"] or match["v4"] or ""
    try:
        parsed = ip_address(address)
    except ValueError:
        return UNKNOWN
    if isinstance(parsed, IPv6Address) and parsed.ipv4_mapped is not None:
        return parsed.ipv4_mapped
    return parsed


def is_within(address: str, networks: Collection[str]) -> bool:
    """Whether an address is one of these, or in one of these networks; IPv4 written as IPv6 is IPv4."""
    parsed = _parse_address(address)
    return not isinstance(parsed, str) and any(
        parsed in network for network in map(ip_network, networks) if network.version == parsed.version
    )


def _network(address: IPv6Address, bits: int) -> str:
    return str(IPv6Network((int(address), bits), strict=False))


# -- addresses that the server may connect to ---------------------------------------------------------

_EMBEDDING = (IPv6Network("64:ff9b::/96"), IPv6Network("64:ff9b:1::/48"))
"""Networks whose addresses lead to the IPv4 address in their last 32 bits."""

_INSIDE = (
    IPv4Network("192.0.0.0/24"),  # protocols, and services of some clouds
    IPv4Network("168.63.129.16/32"),  # the agent of the host, in each machine of a large cloud
    IPv6Network("3fff::/20"),  # documentation
)
"""Networks that are not outside, though Python, or an older version of it, counts them as global."""

WEB_PORTS = frozenset({80, 443})
LEAST_FREE_PORT = 1024
"""Below it, only the ports of the web belong to services that a request may be meant for."""


def is_public(address: str) -> bool:
    """Whether an address belongs to the public internet: not to a loopback, private, link-local, multicast or
    reserved network, in whatever form it is written, and not to an address that leads into one.
    """
    try:
        known: IPv4Address | IPv6Address = ip_address(address.partition("%")[0])
    except ValueError:
        return False
    if isinstance(known, IPv6Address):
        if any(known in network for network in _EMBEDDING):
            return False
        inner = known.ipv4_mapped or known.sixtofour
        if inner is not None:
            known = inner
        elif known.teredo is not None or known.is_site_local:
            return False
    if any(known in network for network in _INSIDE):
        return False
    return known.is_global and not (known.is_multicast or known.is_reserved or known.is_unspecified)


def is_open_port(port: int) -> bool:
    """Whether requests may go to this port of a public address."""
    return port in WEB_PORTS or port >= LEAST_FREE_PORT
