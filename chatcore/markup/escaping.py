"""Text to HTML. References such as `&copy;` in a message are kept; everything else is escaped."""

from __future__ import annotations

import html
import re
from typing import Final

REFERENCE: Final = r"&(?:#[0-9]+|#[xX][0-9a-fA-F]+|[a-zA-Z0-9]+);"

_BEHIND_TAG = re.compile(">([^<]+)")
_LONELY_AMPERSAND = re.compile(r"&(?!(?:#[0-9]+|#[xX][0-9a-fA-F]+|[a-zA-Z0-9]+);)")


def escape_text(text: str) -> str:
    """For text between tags: quotes and character references stay as they are."""
    if "&" in text:
        text = _LONELY_AMPERSAND.sub("&amp;", text)
    return text.replace("<", "&lt;").replace(">", "&gt;")


def escape_address(url: str) -> str:
    """For addresses in attributes: character references stay, so `?a=1&amp;b=2` is not escaped twice."""
    return escape_text(url).replace('"', "&quot;")


def escape_literally(text: str) -> str:
    """For code, names and whatever else is shown just as it is."""
    return html.escape(text)


def escape_code(text: str) -> str:
    """For inline code: literal, with quotes left alone."""
    return html.escape(text, quote=False)


def text_of(markup: str) -> str:
    """What is left of HTML of ours without its tags; references stay."""
    return "".join(_BEHIND_TAG.findall(f">{markup}"))
