"""Pictures of other sites in messages: readers get them by way of this server, as links, or from there.

Messages are stored with the addresses of the other sites. What readers get of them is decided whenever HTML
leaves the server, so a changed setting and a replaced secret hold for old messages, too.
"""

import hashlib
import hmac
import re
from dataclasses import dataclass
from enum import StrEnum
from html import escape
from typing import Final

from chatcore.domain.charsets import unescape_html

PATH: Final = "/external_content"
MAX_URL: Final = 2000
"""Characters of an address that the server asks for; it is twice as long within an address of ours."""

_MARKS: Final = ("message_inline_image", "message_embed_image", "<audio ")
_PREVIEW: Final = re.compile(
    r'<div class="message_inline_image(?: message_inline_video)?"><a href="(?P<link>[^"]*)"'
    r'(?: title="(?P<title>[^"]*)")?>'
    r'<(?:img|video preload="metadata") src="(?P<source>https?://[^"]*)">(?P<film></video>)?</a></div>'
)
_SOUND: Final = re.compile(
    r'<audio controls preload="metadata" src="(?P<source>https?://[^"]*)"'
    r'(?: title="(?P<title>[^"]*)")?></audio>'
)
_PICTURE_OF_CARD: Final = re.compile(
    r'(?P<begin><a class="message_embed_image" href="[^"]*" style="background-image: url\(&quot;)'
    r"(?P<source>https?://[^\"]*?)(?P<end>&quot;\)\"></a>)"
)


class ForeignMode(StrEnum):
    """The ways in which messages show pictures of other sites."""

    PROXY = "proxy"
    """By way of this server; films and sounds are links."""
    OFF = "off"
    """Links only."""
    DIRECT = "direct"
    """From the other sites, which learn who reads, when, and from where."""


@dataclass(frozen=True, slots=True)
class ForeignMedia:
    """The rule for pictures, films and sounds of other sites; *key* signs the addresses."""

    mode: ForeignMode
    key: str

    def shown(self, html: str) -> str:
        """Return the HTML of a message as its readers get it."""
        if self.mode is ForeignMode.DIRECT:
            return html
        for mark in _MARKS:  # a loop, as every message that is read comes by here
            if mark in html:
                break
        else:
            return html
        previewed = _PREVIEW.sub(lambda found: self._rewrite_preview(found, html), html)
        return _SOUND.sub(_link_to_sound, _PICTURE_OF_CARD.sub(self._rewrite_card, previewed))

    def address(self, url: str) -> str | None:
        """Return the address at which this server shows a picture of another site; None if it does not."""
        if self.mode is not ForeignMode.PROXY or len(url) > MAX_URL:
            return None
        return f"{PATH}/{self._digest(url.encode())}/{url.encode().hex()}"

    def url_at(self, digest: str, encoded: str) -> str | None:
        """Return the address of another site from its form in one of our addresses; None if this server has
        not made ours, or no longer fetches for others.
        """
        try:
            url = bytes.fromhex(encoded)
            is_ours = hmac.compare_digest(self._digest(url), digest)
        except (ValueError, TypeError):
            return None
        return url.decode() if is_ours and self.mode is ForeignMode.PROXY else None

    def _digest(self, url: bytes) -> str:
        return hmac.new(self.key.encode(), url, hashlib.sha1).hexdigest()

    def _rewrite_preview(self, found: re.Match[str], html: str) -> str:
        """Return a preview that loads its picture from this server, or a link in its place if it cannot."""
        address = None if found["film"] else self.address(unescape_html(found["source"]))
        if address is not None:
            return found[0].replace(f' src="{found["source"]}"', f' src="{address}"')
        if html.count(f'<a href="{found["link"]}"') > 1:  # the text has the link already
            return ""
        return f'<p><a href="{found["link"]}">{found["title"] or found["link"]}</a></p>'

    def _rewrite_card(self, found: re.Match[str]) -> str:
        address = self.address(unescape_html(found["source"]))
        return "" if address is None else f"{found['begin']}{escape(address)}{found['end']}"


def _link_to_sound(found: re.Match[str]) -> str:
    return f'<a href="{found["source"]}">{found["title"] or found["source"]}</a>'
