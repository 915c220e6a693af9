"""The kinds of columns, and how their values are read and written.

A column has the name of the attribute whose value it holds; where the database has another name for it, that
is its `column_name`. `storage_backends.sql.values` makes values of rows by these names, and rows of values.
"""

from collections.abc import Callable
from enum import Enum
from typing import Any

import msgspec
from peewee import AutoField, BigIntegerField, BooleanField, TextField


class Integer(BigIntegerField):
    read: Callable[[Any], Any] | None = None
    """Makes the value of what the driver returns, unless that is the value."""
    write: Callable[[Any], Any] | None = None
    """Makes what the driver receives of the value, unless it receives the value."""


class Text(TextField):
    read: Callable[[Any], Any] | None = None
    write: Callable[[Any], Any] | None = None


class Bytewise(Text):
    """A text that both databases compare byte by byte, in any locale."""

    field_type = "BYTEWISE"


class Serial(AutoField):
    """An id that the database assigns and never reuses."""

    field_type = "SERIAL"
    read = None
    write = None


class Boolean(BooleanField):
    """A truth value; the driver of SQLite returns a number."""

    read = bool
    write = None


class Json(Text):
    """A value as JSON in a text."""

    def __init__(self, of: Any, **options: Any) -> None:
        """Make a column of values of a type, such as ``tuple[int, ...]``."""
        super().__init__(**options)
        self.read = msgspec.json.Decoder(of).decode
        self.write = _json


def _json(value: Any) -> str:
    return msgspec.json.encode(value).decode()


class Choice(Text):
    """A member of an enumeration, as its text."""

    def __init__(self, of: type[Enum], **options: Any) -> None:
        super().__init__(**options)
        self.read = of
        self.write = _member


class NumberedChoice(Integer):
    """A member of an enumeration, as its number."""

    def __init__(self, of: type[Enum], **options: Any) -> None:
        super().__init__(**options)
        self.read = of
        self.write = _member


def _member(value: Enum) -> Any:
    return value.value
