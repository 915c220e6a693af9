"""Reading a mail: headers, texts and attachments, as far as they can be read.

Mails are made by all kinds of programs, and by strangers who try what happens. Nothing here fails for a mail
that is broken: what cannot be read is left out.
"""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from email.headerregistry import Address
from email.message import EmailMessage
from email.parser import BytesParser
from email.policy import EmailPolicy, default
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from chatcore.domain.charsets import decoded
from chatcore.domain.errors import BadRequest

MAX_TEXT: Final = 2**18
"""Characters of a text that are looked at; messages have far fewer."""
MAX_BYTES_OF_TEXT: Final = 4 * MAX_TEXT
MAX_PARTS: Final = 200
MAX_DEPTH: Final = 10
"""Parts around a part: the library looks for the ends of all of them in each line."""
MAX_LINES: Final = 1_000_000
"""A mail of 25 MiB has 350,000 lines of the usual length."""
MAX_HEADER: Final = 1000
MAX_SOURCE_OF_HEADER: Final = 2 * MAX_HEADER
"""Characters of a header that are decoded: the library needs much time and memory for long ones."""


class UnreadableMail(BadRequest):
    """The mail is nested too deeply to be read, or has too many parts or lines."""

    def __init__(self) -> None:
        super().__init__("The mail cannot be read")


@dataclass(frozen=True, slots=True, kw_only=True)
class MailAttachment:
    name: str
    """The name that the mail gives, or an empty text."""
    content_type: str
    content: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class ReceivedMail:
    subject: str
    sender: str
    """The name and address in From, for people; anybody can write anything there."""
    sender_address: str
    text: str
    """The plain text, or an empty text."""
    html: str
    attachments: tuple[MailAttachment, ...]
    key: str
    """Identifies the mail in all deliveries: made from its Message-ID, or else from all of its bytes."""
    is_automatic: bool
    """Whether a program answers or reports by itself, such as a notice of absence or of failed delivery."""


def read_mail(data: bytes) -> ReceivedMail:
    """Read a mail as it comes from a mail server.

    :raises UnreadableMail: parts in parts without end, or too many parts or lines
    """
    if data.count(b"\n") + data.count(b"\r") > 2 * MAX_LINES:
        raise UnreadableMail
    try:
        message = BytesParser(_Parts(), policy=_Policy(refold_source="none")).parsebytes(data)
        parts = list(_parts(message))
    except RecursionError:
        raise UnreadableMail from None
    texts = {kind: _first_text(parts, kind) for kind in ("text/plain", "text/html")}
    bodies = {id(part) for part in parts if not _is_attachment(part)}
    return ReceivedMail(
        subject=_header(message, "Subject"),
        sender=_header(message, "From"),
        sender_address=_address(message),
        text=texts["text/plain"],
        html=texts["text/html"],
        attachments=tuple(
            MailAttachment(name=_name(part), content_type=part.get_content_type(), content=_bytes(part))
            for part in parts
            if id(part) not in bodies
        ),
        key=_key(message, data),
        is_automatic=_is_automatic(message),
    )


if TYPE_CHECKING:
    Policy = EmailPolicy[EmailMessage]
else:
    Policy = EmailPolicy


class _Policy(Policy):
    """The rules by which the library reads mails, for headers of a bounded length."""

    def header_fetch_parse(self, name: str, value: str) -> Any:
        return _parsed(name, value[:MAX_SOURCE_OF_HEADER])


@lru_cache(maxsize=64)
def _parsed(name: str, value: str) -> Any:
    """Return a header as the library reads it, which asks for those of a part many times."""
    return default.header_fetch_parse(name, value)


class _Parts:
    """Makes the parts of one mail for the library, up to a number of them."""

    def __init__(self) -> None:
        self._left = MAX_PARTS

    def __call__(self, policy: Policy = default) -> EmailMessage:
        if not self._left:
            raise UnreadableMail
        self._left -= 1
        return _Part(policy)


class _Part(EmailMessage):
    """A part that knows how many parts are around it; the library attaches each one as it begins."""

    depth = 0

    def attach(self, payload: Any) -> None:
        payload.depth = self.depth + 1
        if payload.depth > MAX_DEPTH:
            raise UnreadableMail
        super().attach(payload)


def _parts(message: EmailMessage) -> Iterator[EmailMessage]:
    """Yield the parts with content, in their order; a mail in a mail is one part."""
    left = [message]
    while left:
        part = left.pop(0)
        inner = part.get_payload() if part.get_content_maintype() == "multipart" else None
        if isinstance(inner, list):
            left[:0] = [one for one in inner if isinstance(one, EmailMessage)]
        else:
            yield part


def _is_attachment(part: EmailMessage) -> bool:
    try:
        is_named = part.get_content_disposition() == "attachment" or bool(part.get_filename())
    except Exception:  # headers that the library cannot read
        is_named = False
    return is_named or _kind(part) not in ("text/plain", "text/html")


def _kind(part: EmailMessage) -> str:
    """Return the type of a part; one that says that it has parts, and has none, is a text."""
    return "text/plain" if part.get_content_maintype() == "multipart" else part.get_content_type()


def _first_text(parts: list[EmailMessage], kind: str) -> str:
    found = (_text(part) for part in parts if _kind(part) == kind and not _is_attachment(part))
    return next((text for text in found if text.strip()), "")


def _text(part: EmailMessage) -> str:
    data = _bytes(part)[:MAX_BYTES_OF_TEXT]
    charsets = (part.get_content_charset() or "utf-8", "utf-8", "latin-1")
    text = next((text for one in charsets if (text := decoded(data, one, "strict")) is not None), "")
    return text[:MAX_TEXT].replace("\r\n", "\n").replace("\r", "\n").replace("\x00", "")


def _bytes(part: EmailMessage) -> bytes:
    try:
        if part.get_content_maintype() == "message":
            return b"".join(inner.as_bytes() for inner in part.iter_parts())
        data = part.get_payload(decode=True)
        if data is None:  # of several parts that are none
            data = str(part.get_payload()).encode(errors="surrogateescape")
    except Exception:  # encodings that the library cannot read
        return b""
    return data if isinstance(data, bytes) else b""


def _header(message: EmailMessage, name: str) -> str:
    """Return a header as a text of one line, decoded as far as possible."""
    try:
        text = str(message.get(name) or "")
    except Exception:  # the library fails on some broken headers
        text = next((str(value) for key, value in message.raw_items() if key.lower() == name.lower()), "")
    return " ".join(text.encode(errors="replace").decode().replace("\x00", "")[:MAX_HEADER].split())


def _name(part: EmailMessage) -> str:
    try:
        return str(part.get_filename() or "")
    except Exception:
        return ""


def _address(message: EmailMessage) -> str:
    try:
        addresses: tuple[Address, ...] = message["From"].addresses
        return addresses[0].addr_spec
    except Exception:
        return ""


def _key(message: EmailMessage, data: bytes) -> str:
    given = _header(message, "Message-ID")
    return hashlib.sha256(given.encode() if given else data).hexdigest()


def _is_automatic(message: EmailMessage) -> bool:
    submitted = _header(message, "Auto-Submitted").lower().partition(";")[0].strip()
    return (
        submitted not in ("", "no")
        or bool(_header(message, "X-Autoreply"))
        or bool(_header(message, "X-Autorespond"))
        or _header(message, "Precedence").lower() == "auto_reply"
        or _header(message, "Return-Path") == "<>"
        or message.get_content_type() == "multipart/report"
    )
