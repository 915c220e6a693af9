"""Cards of linked websites: the title, description and image that a page declares in its head."""

import re
from dataclasses import dataclass
from typing import Final
from urllib.parse import urljoin

from chatcore.domain.charsets import decode_page, unescape_html

MAX_PER_MESSAGE: Final = 5
"""Links of one message that get cards."""
MAX_HEAD: Final = 200_000
"""Bytes at the beginning of a page that are read."""
MAX_TITLE: Final = 200
MAX_DESCRIPTION: Final = 500
MAX_IMAGE_URL: Final = 2000


@dataclass(frozen=True, slots=True)
class Card:
    title: str
    description: str = ""
    image_url: str = ""


# A tag ends before the next one, so that no page takes long.
_TAG = re.compile(r"<(?:(meta|title)\b[^<>]*>|body\b)", re.IGNORECASE)
_TITLE = re.compile(r"[^<]*")
# A name neither begins inside another one nor is unbounded, for the same reason.
_ATTRIBUTE = re.compile(
    r"""(?<![a-z:-])([a-z:-]{1,40})\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))""", re.IGNORECASE
)
_CHARSET = re.compile(r"charset=[\"']?([a-z0-9_.:+-]{1,40})", re.IGNORECASE)
_INVISIBLE = re.compile(r"[\s\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff\ud800-\udfff]+")


def card_of_page(url: str, content_type: str, body: bytes) -> Card | None:
    """Return the card of a page, by the OpenGraph names in its head, or by its title and description.

    None if it is not HTML, or has no title.
    """
    if content_type.partition(";")[0].strip().lower() not in ("text/html", "application/xhtml+xml"):
        return None
    charset = _CHARSET.search(content_type)
    declared = _read_head(decode_page(body[:MAX_HEAD], charset[1] if charset else ""))
    title = _one_line(declared.get("og:title") or declared.get("title", ""), MAX_TITLE)
    if not title:
        return None
    description = _one_line(
        declared.get("og:description") or declared.get("description", ""), MAX_DESCRIPTION
    )
    return Card(title, description, _image_address(url, declared.get("og:image", "")))


def _read_head(page: str) -> dict[str, str]:
    """Return the title and the properties that a page declares before its body; of equal names the first."""
    declared: dict[str, str] = {}
    for tag in _TAG.finditer(page):
        if tag[1] is None:
            break
        if tag[1].lower() == "title":
            text = _TITLE.match(page, tag.end())
            declared.setdefault("title", unescape_html(text[0]) if text else "")
            continue
        attributes = {
            each[1].lower(): unescape_html(each[2] or each[3] or each[4] or "")
            for each in _ATTRIBUTE.finditer(tag[0])
        }
        name = attributes.get("property") or attributes.get("name") or ""
        if name.lower() != "title":
            declared.setdefault(name.lower(), attributes.get("content", ""))
    return declared


def _one_line(text: str, length: int) -> str:
    return _INVISIBLE.sub(" ", text).strip()[:length].strip()


def _image_address(url: str, image: str) -> str:
    """Return the whole address of the picture that a page declares; empty if it is unusable."""
    try:
        address = urljoin(url, image.strip()) if image.strip() else ""
    except ValueError:
        return ""
    is_address = address.startswith(("http://", "https://")) and address.isprintable() and " " not in address
    return address if is_address and len(address) <= MAX_IMAGE_URL else ""
