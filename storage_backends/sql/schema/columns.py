"""The kinds of columns, and how their values are read and written.

A column has the name of the attribute whose value it holds; where the database has another name for it, that
is its `column_name`. `storage_backends.sql.values` makes values of rows by these names, and rows of values.
"""

from collections.abc import Callable
from enum import Enum
from functools import lru_cache
from typing import Any, Literal

import msgspec
from msgspec import UNSET, UnsetType
from peewee import AutoField, BigIntegerField, BooleanField, DoubleField, Field, TextField

from chatcore.storage.archives.tables import Value
from storage_backends.sql.schema.archives import Make


class Column(Field):
    """A column of any kind."""

    read: Callable[[Any], Any] | None = None
    """Makes the value of what the driver returns; None if that is the value already."""
    write: Callable[[Any], Any] | None = None
    """Makes what the driver receives of the value; None if it receives the value itself."""

    def __init__(
        self,
        *,
        refers: str | None = None,
        personal: Value | UnsetType = UNSET,
        anew: Make | None = None,
        exported: Literal[True] | None = None,
        **options: Any,
    ) -> None:
        """Make a column; all but the options of peewee says what archives have of it.

        :param refers: the table whose ids it holds
        :param personal: what archives have instead, in rows of people whose private data is not exported
        :param anew: makes the value for an import, because archives do not have the column: a secret is drawn
            or left empty, a key follows from another column, attempts begin anew
        :param exported: says that archives have it though its name is like that of a secret
        """
        super().__init__(**options)
        self.refers = refers
        self.personal = personal
        self.anew = anew
        self.exported = exported


class Integer(Column, BigIntegerField):
    pass


class Text(Column, TextField):
    pass


class Double(Column, DoubleField):
    pass


class Bytewise(Text):
    """A text that both databases compare byte by byte, in any locale."""

    field_type = "BYTEWISE"


class Serial(Column, AutoField):
    """An id that the database assigns and never reuses."""

    field_type = "SERIAL"


class Boolean(Column, BooleanField):
    """A truth value; the driver of SQLite returns a number."""

    read = bool


class Json(Text):
    """A value as JSON in a text."""

    read: Callable[[Any], Any]
    write: Callable[[Any], Any]

    def __init__(self, of: Any, *, remembered: int = 0, **options: Any) -> None:
        """Make a column of values of a type, such as ``tuple[int, ...]``.

        :param remembered: how many texts with their values are remembered, where many rows have the same text
        """
        super().__init__(**options)
        read = msgspec.json.Decoder(of).decode
        self.read = lru_cache(maxsize=remembered)(read) if remembered else read
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
