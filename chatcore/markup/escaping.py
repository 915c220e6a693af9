"""Text to HTML. References such as `&copy;` in a message are kept; everything else is escaped."""

from __future__ import annotations

import html
import re
from typing import Final

REFERENCE: Final = r"&(?:#[0-9]{1,8}|#[xX][0-9a-fA-F]{1,8}|[a-zA-Z0-9]{1,32});"
"""A character reference. A longer one names no character and is text: Python reads no number of thousands of
digits.
"""

_BEHIND_TAG = re.compile(">([^<]+)")
_LONELY_AMPERSAND = re.compile(f"&(?!{REFERENCE.removeprefix('&')})")


def escape_text(text: str) -> str:
    """Escape text between tags: quotes and character references stay."""
    if "&" in text:
        text = _LONELY_AMPERSAND.sub("&amp;", text)
    return text.replace("<", "&lt;").replace(">", "&gt;")


def escape_address(url: str) -> str:
    """Escape an address in an attribute: character references stay, so `?a=1&amp;b=2` is not escaped
    twice.
    """
    return escape_text(url).replace('"', "&quot;")


def escape_literally(text: str) -> str:
    """Escape code, names and other text that is shown literally."""
    return html.escape(text)


def escape_code(text: str) -> str:
    """Escape inline code: literally, but without quotes."""
    return html.escape(text, quote=False)


def text_of(markup: str) -> str:
    """Return the text of our own HTML without its tags; references stay."""
    return "".join(_BEHIND_TAG.findall(f">{markup}"))
