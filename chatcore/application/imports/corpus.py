"""An archive of channel messages: lines of JSON with timestamp, channel, topic, sender, content."""

import gzip
import re
import zlib
from codecs import BOM_UTF8, BOM_UTF16_BE, BOM_UTF16_LE
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b, sha256
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any

import msgspec

from chatcore.domain.channels.channels import checked_channel_name
from chatcore.domain.characters import cleaned_characters, storable
from chatcore.domain.charsets import NO_CHARACTER, decode_text
from chatcore.domain.errors import BadRequest, ChatcoreError
from chatcore.domain.limits import Limits
from chatcore.domain.mail_addresses import address_key
from chatcore.domain.messages.messages import content_for_sending
from chatcore.domain.people import users as user_rules
from chatcore.domain.times import SECONDS_PER_DAY
from chatcore.domain.topics import TopicsPolicy, topic_for_sending

DOMAIN = "corpus.example"
"""Domain of the addresses of senders without one; nobody can have a real address in it."""
DIGEST_SIZE = 16


class BadCorpus(ChatcoreError):
    """A file that cannot be imported; the error message names the line and the fault."""


class ImportLine(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """One message of an archive."""

    # Defaults are omitted, as earlier versions noted the digest of lines without them.

    timestamp: float
    """Seconds since 1970."""
    channel: str
    topic: str
    sender: str
    """The sender's name."""
    content: str
    sender_email: str | None = None
    """The sender's address; without one, an address follows from the name."""

    @property
    def address(self) -> str:
        """The address by which the sender is found: the same for all spellings of it."""
        return address_key(self.sender_email or "") or address_of(self.sender)

    def digest(self, number: int) -> str:
        """Return what names the message among all that are imported; *number* says how many equal messages
        come before it in the file.
        """
        # Not the sender's name: a person with an address may have changed it since.
        parts = (self.timestamp, self.channel, self.topic, self.address, self.content, number)
        return blake2b(_encode(parts), digest_size=DIGEST_SIZE).hexdigest()


@lru_cache(maxsize=4096)
def address_of(sender: str) -> str:
    """Return the address for a sender's name; it depends on nothing else, so that a second file finds the
    user.
    """
    if plain := re.fullmatch(r"([A-Z][a-z]+) ?([0-9]+)", sender):
        return f"{plain[1].lower()}{plain[2]}@{DOMAIN}"
    readable = re.sub(r"[^a-z0-9]+", "-", sender.lower()).strip("-")[:40]
    return f"{readable}-{sha256(sender.encode()).hexdigest()[:8]}@{DOMAIN}".lstrip("-")


@dataclass(frozen=True, slots=True)
class Sender:
    name: str
    first: int
    """The time of the sender's first message in the file."""


@dataclass(frozen=True, slots=True)
class Corpus:
    """A file that was read completely and is valid."""

    path: Path
    digest: str
    """Digest of the content, whether or not the file is compressed."""
    messages: tuple[str, ...]
    """The digest of each message, in the order of the file."""
    senders: Mapping[str, Sender]
    """The senders by address."""
    channels: Mapping[str, int]
    """Each channel's name, and the time of the first message in it."""

    @property
    def size(self) -> int:
        return len(self.messages)


def read_corpus(
    path: Path, limits: Limits, *, now: float, host: str = "", is_given_by_program: bool = False
) -> Corpus:
    """Check a file from beginning to end. Errors name it, unless a program has given its lines.

    :raises BadCorpus: it cannot be read, or a line is invalid
    """
    digest = sha256()
    messages: dict[str, None] = {}
    repeated: Counter[str] = Counter()
    senders: dict[str, Sender] = {}
    channels: dict[str, int] = {}
    topics: set[str] = set()
    number = 0
    for number, raw in numbered_lines(path):
        digest.update(raw)
        try:
            line = decode(raw)
            content_for_sending(line.content, limits)
            if line.topic not in topics:
                stored_topic(line.topic, limits)
                topics.add(line.topic)
            check_time(line.timestamp, now)
            if (address := line.address) not in senders:
                if line.sender_email and line.sender_email.strip():
                    user_rules.checked_email_address(line.sender_email, host)
                sender = user_rules.checked_full_name(line.sender, limits)
                senders[address] = Sender(sender, int(line.timestamp))
            if line.channel not in channels:
                checked_channel_name(line.channel, limits)
                channels[line.channel] = int(line.timestamp)
            if (message := line.digest(0)) in messages:
                repeated[message] += 1
                message = line.digest(repeated[message])
            messages[message] = None
        except (msgspec.DecodeError, BadRequest, UnicodeDecodeError, ValueError, OverflowError) as error:
            place = "" if is_given_by_program else f"{path}, "
            raise BadCorpus(f"{place}line {number}: {error}") from error
    if not messages:
        raise BadCorpus("there are no messages" if is_given_by_program else f"{path} has no messages")
    return Corpus(path, digest.hexdigest(), tuple(messages), senders, channels)


def check_time(timestamp: float, now: float) -> None:
    """Refuse the time of a message that nobody can have sent.

    :raises BadRequest:
    """
    if timestamp < 0:
        raise BadRequest(f"the time {timestamp:.15g} is before 1970")
    if timestamp > now + SECONDS_PER_DAY:
        raise BadRequest(
            f"the time {timestamp:.15g} is later than tomorrow; times are seconds since 1970,"
            " not milliseconds"
        )


_decode = msgspec.json.Decoder(ImportLine).decode


_ESCAPES = re.compile(r"(\\u[dD][89abAB]..\\u[dD][c-fC-F]..|\\[^u])|\\u[dD][89a-fA-F]..")
"""Escapes in JSON: of whole characters, as the group, or of halves."""


def decode(raw: bytes) -> ImportLine:
    """Read a line. In a text, a sign stands for each null character, which no store can hold, for half of a
    character, and for bytes that are no UTF-8, unless all of them seem to be in windows-1252.

    :raises msgspec.DecodeError:
    """
    try:
        line = _decode(raw)
    except (msgspec.DecodeError, UnicodeDecodeError):
        line = _decode(_ESCAPES.sub(lambda escape: escape[1] or NO_CHARACTER, decode_text(raw)))
    return msgspec.structs.replace(line, content=storable(line.content)) if "\0" in line.content else line


_encode = msgspec.json.Encoder().encode


@contextmanager
def file_of(lines: Iterable[ImportLine | Mapping[str, object]]) -> Iterator[Path]:
    """Write messages to a file that is removed at the end.

    :raises BadCorpus: one of them is no `ImportLine` or mapping of the same fields
    """
    with NamedTemporaryFile(prefix="chatcore-import-") as file:
        for number, line in enumerate(lines, start=1):
            if not isinstance(line, ImportLine | Mapping):
                raise BadCorpus(f"line {number}: {type(line).__name__} is not an ImportLine")
            try:
                file.write(_encode(line) + b"\n")
            except (TypeError, ValueError) as error:
                raise BadCorpus(f"line {number}: {error}") from error
        file.flush()
        yield Path(file.name)


def numbered_lines(path: Path) -> Iterator[tuple[int, bytes]]:
    """Yield the numbered lines of a file, plain or compressed."""
    try:
        with path.open("rb") as file:
            is_compressed = file.read(2) == b"\x1f\x8b"
            file.seek(0)
            unpacked: Any = gzip.GzipFile(fileobj=file) if is_compressed else file
            for number, line in enumerate(unpacked, start=1):
                if number == 1 and line.startswith((BOM_UTF16_LE, BOM_UTF16_BE)):
                    raise BadCorpus(f"{path} is text in UTF-16; save it as UTF-8")
                yield number, line.removeprefix(BOM_UTF8)
    except (OSError, EOFError, zlib.error) as error:
        reason = getattr(error, "strerror", None) or error
        raise BadCorpus(f"{path} cannot be read: {reason}") from error


def stored_topic(topic: str, limits: Limits) -> str:
    """Return a topic as it is stored, without characters that no topic has; tabs and line breaks become
    blanks.
    """
    if not topic.isprintable():
        topic = cleaned_characters(topic)
    return topic_for_sending(topic, empty_display_name="", policy=TopicsPolicy.ALLOW_EMPTY, limits=limits)
