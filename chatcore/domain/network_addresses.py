"""Where requests come from."""

import re
from ipaddress import IPv6Address, IPv6Network, ip_address

HOME = 64
"""Bits of an IPv6 address that are those of a whole home, which can choose the others as it likes."""
SITE = 48
"""Bits that are those of a whole site, which can have 65,536 such networks."""


def neighbourhood(address: str) -> str:
    """What somebody who tries again from another address of their own still has in common with the first."""
    known = _known(address)
    return _network(known, HOME) if isinstance(known, IPv6Address) else str(known)


def site(address: str) -> str | None:
    """Network of 48 bits of an IPv6 address; None for all others."""
    known = _known(address)
    return _network(known, SITE) if isinstance(known, IPv6Address) else None


UNKNOWN = "unknown"
"""Where everything is from that is no address, such as the path of a socket."""

_WITH_PORT = re.compile(r"\[(?P<v6>[^\]]*)\](?::\d+)?|(?P<v4>[\d.]+):\d+")


def _known(address: str) -> object:
    """The address, an IPv4 one also where it is written as IPv6, without the port that some proxies add."""
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
