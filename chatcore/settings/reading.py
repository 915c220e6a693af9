"""Reading the texts of settings, and the files that they name. A ValueError says what to use instead."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final, TypeAlias

from chatcore.domain.files.foreign_media import ForeignMode

Reader: TypeAlias = Callable[[str], object]
"""Reads a text as a value."""

TRUE_WORDS: Final = frozenset({"1", "true", "yes", "on"})
FALSE_WORDS: Final = frozenset({"0", "false", "no", "off"})


def boolean(text: str) -> bool:
    """Read 'on' or 'off'.

    :raises ValueError: another word
    """
    word = text.strip().lower()
    if word in TRUE_WORDS:
        return True
    if word in FALSE_WORDS:
        return False
    raise ValueError("use 'on' or 'off'")


def foreign_mode(text: str) -> str:
    """Read a `ForeignMode`; up to version 0.2.0, it was 'on' or 'off'."""
    word = text.strip().lower()
    if word in TRUE_WORDS:
        return ForeignMode.PROXY
    return ForeignMode.OFF if word in FALSE_WORDS else word


def number(text: str) -> int:
    """Read a number without a sign.

    :raises ValueError: another text
    """
    if not text.isascii() or not text.isdecimal():
        raise ValueError("use a number")
    return int(text)


def words(text: str) -> Iterator[str]:
    """Yield words that are separated by commas."""
    return (word.strip() for word in text.split(",") if word.strip())


def bytes_in(path: str) -> bytes:
    """Return what a file has, without blanks around it.

    :raises ValueError: it cannot be read
    """
    try:
        return Path(path).read_bytes().strip()
    except OSError as error:
        raise ValueError(error.strerror) from error


def first_line_in(path: str) -> str:
    """Return the first line of a file.

    :raises ValueError: it cannot be read
    """
    try:
        return bytes_in(path).decode("utf-8-sig").partition("\n")[0].strip()
    except UnicodeDecodeError as error:
        raise ValueError("the file is not UTF-8") from error
