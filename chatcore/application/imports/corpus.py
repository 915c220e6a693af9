"""An archive of channel messages: lines of JSON with timestamp, channel, topic, sender, content."""

import gzip
import zlib
from codecs import BOM_UTF8
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any

import msgspec

from chatcore.domain.channels.channels import channel_name
from chatcore.domain.characters import cleaned_characters
from chatcore.domain.errors import BadRequest
from chatcore.domain.limits import Limits
from chatcore.domain.messages.messages import content_for_sending, storable
from chatcore.domain.people import users as user_rules
from chatcore.domain.topics import TopicsPolicy, topic_for_sending


class BadCorpus(Exception):
    """A file that cannot be imported; the error message names the line and the fault."""


class Line(msgspec.Struct, frozen=True, gc=False):
    """One message of an archive."""

    timestamp: float
    """Seconds since 1970."""
    channel: str
    topic: str
    sender: str
    content: str


@dataclass(frozen=True, slots=True)
class Corpus:
    """A file that was read completely and is valid."""

    path: Path
    digest: str
    """Digest of the content, whether or not the file is compressed."""
    size: int
    senders: Mapping[str, int]
    """Each sender's name, and the time of its first message."""
    channels: Mapping[str, int]
    """Each channel's name, and the time of the first message in it."""


def read_corpus(path: Path, limits: Limits) -> Corpus:
    """Check a file from beginning to end.

    :raises BadCorpus: it cannot be read, or a line is invalid
    """
    digest = sha256()
    senders: dict[str, int] = {}
    channels: dict[str, int] = {}
    topics: set[str] = set()
    number = 0
    for number, raw in numbered_lines(path):
        digest.update(raw)
        try:
            line = decode(raw)
            content_for_sending(line.content, limits)
            if line.topic not in topics:
                topic_of(line.topic, limits)
                topics.add(line.topic)
            if line.sender not in senders:
                user_rules.full_name(line.sender, limits)
                senders[line.sender] = int(line.timestamp)
            if line.channel not in channels:
                channel_name(line.channel, limits)
                channels[line.channel] = int(line.timestamp)
        except (msgspec.DecodeError, BadRequest, UnicodeDecodeError, ValueError, OverflowError) as error:
            raise BadCorpus(f"{path}, line {number}: {error}") from error
    if not number:
        raise BadCorpus(f"{path} has no messages")
    return Corpus(path, digest.hexdigest(), number, senders, channels)


_decode = msgspec.json.Decoder(Line).decode


def decode(raw: bytes) -> Line:
    """Read a line. In a text, a sign stands for each null character, which no store can hold.

    :raises msgspec.DecodeError:
    """
    line = _decode(raw)
    return msgspec.structs.replace(line, content=storable(line.content)) if "\0" in line.content else line


_encode = msgspec.json.Encoder().encode


@contextmanager
def file_of(lines: Iterable[Line]) -> Iterator[Path]:
    """Write messages to a file that is removed at the end."""
    with NamedTemporaryFile(prefix="chatcore-import-") as file:
        for line in lines:
            file.write(_encode(line) + b"\n")
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
                yield number, line.removeprefix(BOM_UTF8) if number == 1 else line
    except (OSError, EOFError, zlib.error) as error:
        reason = getattr(error, "strerror", None) or error
        raise BadCorpus(f"{path} cannot be read: {reason}") from error


def topic_of(topic: str, limits: Limits) -> str:
    """Return a topic as it is stored, without characters that no topic has; tabs and line breaks become
    blanks.
    """
    if not topic.isprintable():
        topic = cleaned_characters(topic)
    return topic_for_sending(topic, empty_display_name="", policy=TopicsPolicy.ALLOW_EMPTY, limits=limits)
