"""Network addresses of clients, grouped for rate limits."""

import re
from ipaddress import IPv6Address, IPv6Network, ip_address

HOME = 64
"""Prefix length of an IPv6 network of one home, which can choose the remaining bits freely."""
SITE = 48
"""Prefix length of an IPv6 network of one site, which can contain 65,536 home networks."""


def neighbourhood(address: str) -> str:
    """Return the network that all addresses of one client share: an IPv6 /64, or the address itself."""
    known = _known(address)
    return _network(known, HOME) if isinstance(known, IPv6Address) else str(known)


def site(address: str) -> str | None:
    """Return the 48-bit network of an IPv6 address; None for all others."""
    known = _known(address)
    return _network(known, SITE) if isinstance(known, IPv6Address) else None


UNKNOWN = "unknown"
"""Stands for anything that is not an address, such as the path of a socket."""

_WITH_PORT = re.compile(r"\[(?P<v6>[^\]]*)\](?::\d+)?|(?P<v4>[\d.]+):\d+")


def _known(address: str) -> object:
    """Parse an address, unmapping IPv4 written as IPv6 and dropping the port that some proxies add."""
    found = _WITH_PORT.fullmatch(address)
    try:
        known = ip_address(found["v6"] or found["v4"] or "" if found else address)
    except ValueError:
        return UNKNOWN
    if isinstance(known, IPv6Address) and known.ipv4_mapped is not None:
        return known.ipv4_mapped
    return known


def _network(address: IPv6Address, bits: int) -> str:
    return str(IPv6Network((int(address), bits), strict=False))
