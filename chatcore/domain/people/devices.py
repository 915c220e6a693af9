"""Kinds of devices from which people log in, by what a browser or program calls itself."""

import re
from collections.abc import Sequence
from typing import Final

MAX_DEVICES: Final = 20
"""Kinds of devices stored from which an account has logged in; the oldest is dropped first."""
MAX_NAME: Final = 40
UNKNOWN: Final = "an unknown program"

BROWSERS: Final[Sequence[tuple[str, str]]] = (
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("SamsungBrowser/", "Samsung Internet"),
    ("Firefox/", "Firefox"),
    ("FxiOS/", "Firefox"),
    ("CriOS/", "Chrome"),
    ("Chrome/", "Chrome"),
    ("Safari/", "Safari"),
)
"""A part of the user agent and the browser it stands for. The first match counts: browsers also name those
that they resemble.
"""
SYSTEMS: Final[Sequence[tuple[str, str]]] = (
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Android", "Android"),
    ("Windows", "Windows"),
    ("Macintosh", "macOS"),
    ("CrOS", "ChromeOS"),
    ("Linux", "Linux"),
)
LOGIN_MAILS: Final = "enable_login_emails"
"""The setting for mails about logins from devices that are new to an account."""
_PRODUCT = re.compile(r"[A-Za-z][A-Za-z0-9._-]*")


def device_of(user_agent: str) -> str:
    """Return browser and system in words, without versions, which change; the name of another program."""
    system = _first_match(SYSTEMS, user_agent)
    program = _first_match(BROWSERS, user_agent)
    if not program:
        product = _PRODUCT.match(user_agent)
        program = UNKNOWN if product is None else product[0][:MAX_NAME]
    return " on ".join(filter(None, [program, system]))


def _first_match(kinds: Sequence[tuple[str, str]], user_agent: str) -> str:
    return next((kind for part, kind in kinds if part in user_agent), "")
