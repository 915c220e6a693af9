"""Rules for the settings by which a proxy says in a header of requests who has logged in there."""

import re
from collections.abc import Collection
from ipaddress import ip_network
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from chatcore.settings import Settings

UNIX: Final = "unix"
"""The word for whoever connects to a UNIX socket."""

_HEADER: Final = re.compile(r"[A-Za-z][A-Za-z0-9-]{0,99}")
_DOMAIN: Final = re.compile(r"[a-z0-9-]+(?:\.[a-z0-9-]+)*")


def require_header_name(value: str) -> None:
    """Check the name of a header. One with an underscore would be the same as another one to many servers.

    :raises ValueError:
    """
    if not _HEADER.fullmatch(value):
        raise ValueError("use the name of a header in letters, digits and hyphens, such as 'Remote-User'")


def require_networks(value: Collection[str]) -> None:
    """Check addresses and networks, of which none is that of everybody.

    :raises ValueError:
    """
    if isinstance(value, str):
        raise ValueError("use a collection of addresses")
    for text in value:
        try:
            if text != UNIX and ip_network(text).prefixlen == 0:
                raise ValueError("anybody could log in as anybody")
        except ValueError as error:
            raise ValueError(
                f"use addresses and networks such as '127.0.0.1' or '10.1.0.0/16', or '{UNIX}': {error}"
            ) from None


def require_domain(value: str) -> None:
    """Check the domain of mail addresses.

    :raises ValueError:
    """
    if not _DOMAIN.fullmatch(value):
        raise ValueError("use a domain such as 'example.com'")


def require_named_proxies(settings: "Settings") -> None:
    """Check that a header is believed from named proxies alone, and that each setting has those without which
    it would have no effect.

    :raises ValueError:
    """
    if settings.remote_user_header and not settings.remote_user_proxies:
        raise ValueError(
            "remote_user_header is set without remote_user_proxies: name the addresses of the proxies that"
            " set the header, such as '127.0.0.1'; otherwise anybody could log in as anybody."
        )
    if not settings.remote_user_header:
        for name in settings.__dataclass_fields__:
            if name.startswith("remote_user_") and getattr(settings, name):
                raise ValueError(f"{name} is set without remote_user_header, and would have no effect.")
    if bool(settings.remote_user_groups_header) != bool(settings.remote_user_groups):
        raise ValueError(
            "remote_user_groups_header and remote_user_groups have an effect together alone: the header that"
            " names a person's groups, and the groups of which it decides who is in them."
        )
