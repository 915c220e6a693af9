"""Reading a mail: headers, texts and attachments, as far as they can be read.

Mails are made by all kinds of programs, and by strangers who try what happens. Nothing here fails for a mail
that is broken: what cannot be read is left out.
"""

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from email.headerregistry import Address
from email.message import EmailMessage
from email.parser import BytesParser
from email.policy import EmailPolicy, default
from email.utils import collapse_rfc2231_value
from typing import TYPE_CHECKING, Any, Final

from chatcore.domain.charsets import codec_of, decode_page, decode_text
from chatcore.domain.errors import BadRequest
from chatcore.domain.received_mail.flowed import joined_paragraphs
from chatcore.domain.received_mail.headers import file_name, in_one_charset, readable
from chatcore.domain.received_mail.secret_parts import without_secret_parts, without_secret_parts_in_file

MAX_TEXT: Final = 2**18
"""Characters of a text that are looked at; messages have far fewer."""
MAX_BYTES_OF_TEXT: Final = 4 * MAX_TEXT + 4
MAX_PARTS: Final = 200
MAX_DEPTH: Final = 10
"""Parts around a part: the library looks for the ends of all of them in each line."""
MAX_LINES: Final = 1_000_000
"""A mail of 25 MiB has 350,000 lines of the usual length."""
MAX_HEADER: Final = 1000
MAX_SOURCE_OF_HEADER: Final = 2 * MAX_HEADER
"""Characters of a header that are decoded: the library needs much time and memory for long ones."""


_ADDRESS: Final = re.compile(r"\S@\S")


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


@dataclass(frozen=True, slots=True)
class MailText:
    text: str
    is_html: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ReceivedMail:
    subject: str
    sender: str
    """The name and address in From, for people; anybody can write anything there."""
    sender_address: str
    """The address in From; empty if there is none, or more than one, also in its name."""
    plain: tuple[MailText, ...]
    """The texts in their order; of those that say the same, the plain one."""
    rich: tuple[MailText, ...]
    """The same, with the one in HTML."""
    attachments: tuple[MailAttachment, ...]
    key: str
    """Identifies the mail in all deliveries: made from its Message-ID, or else from all of its bytes."""
    is_answer: bool
    """Whether the mail names one that it belongs to, as answers do."""
    is_automatic: bool
    """Whether a program answers or reports by itself, such as a notice of absence or of failed delivery."""

    def texts(self, *, prefer_html: bool) -> tuple[tuple[MailText, ...], ...]:
        """Return the texts of the preferred form, and then those of the other."""
        return (self.rich, self.plain) if prefer_html else (self.plain, self.rich)


def read_mail(data: bytes) -> ReceivedMail:
    """Read a mail as it comes from a mail server.

    :raises UnreadableMail: parts in parts without end, or too many parts or lines
    """
    if data.count(b"\n") + data.count(b"\r") > 2 * MAX_LINES:
        raise UnreadableMail
    try:
        message = BytesParser(_Parts(), policy=_Policy(refold_source="none")).parsebytes(data)
        parts = list(_content_parts(message))
    except RecursionError:
        raise UnreadableMail from None
    bodies = {id(part): _read_text(part) for part in parts if not _is_attachment(part)}
    plain, rich = (
        tuple(bodies[id(part)] for part in _choose_texts(message, bodies, prefer_html=prefer_html))
        for prefer_html in (False, True)
    )
    return ReceivedMail(
        subject=without_secret_parts(_read_header(message, "Subject")),
        sender=without_secret_parts(_read_header(message, "From")),
        sender_address=_read_sender(message),
        plain=_limit_texts(plain),
        rich=_limit_texts(rich),
        attachments=tuple(
            _read_attachment(part, bodies.get(id(part))) for part in parts if _is_file(part, bodies)
        ),
        key=_key(message, data),
        is_answer=bool(_read_header(message, "In-Reply-To") or _read_header(message, "References")),
        is_automatic=_is_automatic(message),
    )


if TYPE_CHECKING:
    Policy = EmailPolicy[EmailMessage]
else:
    Policy = EmailPolicy


class _Policy(Policy):
    """The rules by which the library reads mails, for headers of a bounded length.

    Headers that describe a part (`Content-…`) stay texts: the library asks for them many times, and reads a
    text much faster than the value that it makes of one. It makes values of the others, those of the mail
    itself, which are few.
    """

    def header_fetch_parse(self, name: str, value: str) -> Any:
        source = value[:MAX_SOURCE_OF_HEADER]
        if name.lower().startswith("content-"):
            return readable(source).translate(_NO_LINE_ENDS).strip()
        return default.header_fetch_parse(name, in_one_charset(source))


_NO_LINE_ENDS: Final = {ord("\r"): None, ord("\n"): None}


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


def _content_parts(message: EmailMessage) -> Iterator[EmailMessage]:
    """Yield the parts with content, in their order; a mail in a mail is one part."""
    left = [message]
    while left:
        part = left.pop(0)
        inner = _inner_parts(part)
        if inner is None:
            yield part
        else:
            left[:0] = inner


def _inner_parts(part: EmailMessage) -> list[EmailMessage] | None:
    """Return the parts in a part, or None if it is one with content."""
    inner = part.get_payload() if part.get_content_maintype() == "multipart" else None
    return [each for each in inner if isinstance(each, EmailMessage)] if isinstance(inner, list) else None


def _is_attachment(part: EmailMessage) -> bool:
    try:
        is_named = part.get_content_disposition() == "attachment" or bool(part.get_filename())
    except Exception:  # headers that the library cannot read
        is_named = False
    return is_named or _kind(part) not in ("text/plain", "text/html")


def _kind(part: EmailMessage) -> str:
    """Return the media type of a part without parts; if its header says that it has some, it is a text."""
    return "text/plain" if part.get_content_maintype() == "multipart" else part.get_content_type()


def _choose_texts(
    part: EmailMessage, bodies: Mapping[int, MailText], *, prefer_html: bool
) -> list[EmailMessage]:
    """Return the texts in a part, in their order; of parts that say the same, those of the best one: the
    first with plain text, or the last with HTML. *bodies* has the texts by the `id` of their parts.
    """
    inner = _inner_parts(part)
    if inner is None:
        return [part] if id(part) in bodies and bodies[id(part)].text.strip() else []
    choices = [_choose_texts(each, bodies, prefer_html=prefer_html) for each in inner]
    choices = [texts for texts in choices if texts]
    if part.get_content_type() != "multipart/alternative":
        return [text for texts in choices for text in texts]
    if prefer_html:
        choices.reverse()
    for texts in choices:
        if any(bodies[id(text)].is_html == prefer_html for text in texts):
            return texts
    return choices[0] if choices else []


def _limit_texts(texts: Iterable[MailText]) -> tuple[MailText, ...]:
    """Return the texts, cut off where they have MAX_TEXT characters together. A part that is longer alone
    becomes a file, too (`_is_file`).
    """
    left, kept = MAX_TEXT, []
    for text in texts:
        kept.append(MailText(text.text[:left], text.is_html))
        left -= len(kept[-1].text)
    return tuple(kept)


def _is_file(part: EmailMessage, bodies: Mapping[int, MailText]) -> bool:
    """Whether a part becomes an attachment: it is no text, or a text that is too long for a message."""
    return id(part) not in bodies or len(bodies[id(part)].text) > MAX_TEXT


def _read_attachment(part: EmailMessage, body: MailText | None) -> MailAttachment:
    name = _read_name(part)
    if not name and body is not None:
        name = "mail.html" if body.is_html else "mail.txt"
    charset = _read_parameter(part, "charset") if part.get_content_maintype() == "text" else ""
    label = f"; charset={charset}" if codec_of(charset) else ""
    content = _read_bytes(part)
    if part.get_content_maintype() in ("text", "message") or name.lower().endswith(".eml"):
        content = without_secret_parts_in_file(content)
    return MailAttachment(
        name=without_secret_parts(name), content_type=part.get_content_type() + label, content=content
    )


def _read_text(part: EmailMessage) -> MailText:
    """Return the text of a part, cut off one character after the limit: so others see that there is more."""
    data, is_html = _read_bytes(part)[:MAX_BYTES_OF_TEXT], _kind(part) == "text/html"
    text = (decode_page if is_html else decode_text)(data, _read_parameter(part, "charset"))
    text = text[: MAX_TEXT + 1].replace("\r\n", "\n").replace("\r", "\n").replace("\x00", "")
    if is_html:
        return MailText(text, is_html=True)
    if _read_parameter(part, "format") == "flowed":
        text = joined_paragraphs(text, without_blank=_read_parameter(part, "delsp") == "yes")
    return MailText(text, is_html=False)


def _read_parameter(part: EmailMessage, name: str) -> str:
    try:
        return collapse_rfc2231_value(part.get_param(name, "")).lower()
    except Exception:  # headers that the library cannot read
        return ""


def _read_bytes(part: EmailMessage) -> bytes:
    """Return the decoded content of a part; empty if it cannot be decoded."""
    try:
        if part.get_content_maintype() == "message":
            return b"".join(inner.as_bytes() for inner in part.iter_parts())
        data = part.get_payload(decode=True)
        if data is None:  # of several parts that are none
            data = str(part.get_payload()).encode(errors="surrogateescape")
    except Exception:  # encodings that the library cannot read
        return b""
    return data if isinstance(data, bytes) else b""


def _read_header(message: EmailMessage, name: str) -> str:
    """Return a header as a text of one line, decoded as far as possible."""
    try:
        text = str(message.get(name) or "")
    except Exception:  # the library fails on some broken headers
        text = ""
    if not text.strip("<> "):  # or makes an empty address of one
        text = next((str(value) for key, value in message.raw_items() if key.lower() == name.lower()), "")
    return " ".join(text.encode(errors="replace").decode().replace("\x00", "")[:MAX_HEADER].split())


def _read_name(part: EmailMessage) -> str:
    try:
        return file_name(*(_raw_header(part, header) for header in ("content-disposition", "content-type")))
    except Exception:  # headers that the library cannot read
        return ""


def _raw_header(part: EmailMessage, lower_name: str) -> str:
    """Return the first header of a name, not decoded, cut off after MAX_SOURCE_OF_HEADER characters; empty if
    there is none.
    """
    source = next((str(value) for key, value in part.raw_items() if key.lower() == lower_name), "")
    return source[:MAX_SOURCE_OF_HEADER]


def _read_sender(message: EmailMessage) -> str:
    """Return the address in the header From; empty if there is none, or if another program than this could
    read another one there.
    """
    try:
        (source,) = (value for name, value in message.raw_items() if name.lower() == "from")
        addresses: tuple[Address, ...] = message["From"].addresses
        (address,) = addresses
        sender = address.addr_spec
    except Exception:  # no header or address, or more than one, or a header that the library cannot read
        return ""
    # Of several addresses the library may take one, and the server that vouches for the mail another.
    rest = source.lower().replace(sender.lower(), "")
    is_unmistakable = len(source) <= MAX_SOURCE_OF_HEADER and not _ADDRESS.search(rest)
    return sender if is_unmistakable else ""


def _key(message: EmailMessage, data: bytes) -> str:
    given = _read_header(message, "Message-ID")
    return hashlib.sha256(given.encode() if given else data).hexdigest()


def _is_automatic(message: EmailMessage) -> bool:
    submitted = _read_header(message, "Auto-Submitted").lower().partition(";")[0].strip()
    return (
        submitted not in ("", "no")
        or bool(_read_header(message, "X-Autoreply"))
        or bool(_read_header(message, "X-Autorespond"))
        or _read_header(message, "Precedence").lower() == "auto_reply"
        or _read_header(message, "Return-Path") == "<>"
        or message.get_content_type() == "multipart/report"
    )
