"""Where requests come from."""

from ipaddress import IPv6Address, IPv6Network, ip_address

HOME = 64
"""Bits of an IPv6 address that are those of a whole home, which can choose the others as it likes."""


def neighbourhood(address: str) -> str:
    """What somebody who tries again from another address of their own still has in common with the first."""
    try:
        known = ip_address(address)
    except ValueError:  # such as that of a socket in the file system
        return address
    if not isinstance(known, IPv6Address):
        return str(known)
    if known.ipv4_mapped is not None:
        return str(known.ipv4_mapped)
    return str(IPv6Network((int(known), HOME), strict=False))
