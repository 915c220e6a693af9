"""The rows of a store, table by table, as an archive has them.

An archive has the tables and columns that the store exports; the store knows which of the others are secret,
and which it makes anew.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol, TypeAlias, TypeVar

from chatcore.domain.ids import Position, UserId

Value: TypeAlias = bool | int | str | None
Row: TypeAlias = Mapping[str, Value]
T = TypeVar("T", int, str)


def cell(row: Row, column: str, kind: type[T]) -> T:
    """Return the value of a column that is never null.

    :raises ValueError: it is of another kind
    """
    value = row[column]
    if not isinstance(value, kind):
        raise ValueError(f"'{column}' is no {kind.__name__}")
    return value


@dataclass(frozen=True, slots=True)
class Column:
    """A column of an exported table."""

    name: str
    type: type
    """`bool`, `int` or `str`."""
    nullable: bool
    absent: tuple[Value, ...]
    """The value of rows from an older archive without this column; empty if it has to be there."""


@dataclass(frozen=True, slots=True)
class ExportedTable:
    """An exported table."""

    name: str
    columns: Sequence[Column]


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """The part of an organization that is exported, beside what is public in it."""

    people: frozenset[UserId]
    """The accounts whose private data is exported."""
    addresses: Mapping[UserId, str] = field(default_factory=dict)
    """Addresses to export instead of the real ones, of accounts whose address is hidden."""
    with_edits: bool = True
    """Whether earlier versions of messages are exported."""


@dataclass(frozen=True, slots=True)
class OnePerson:
    """What the organization has of one person, with names of others but none of their private data."""

    user_id: UserId


class BadRows(Exception):
    """Rows that do not fit together: a reference to nothing, a value twice, or one that cannot be read."""


class Tables(Protocol):
    def exported(self) -> Sequence[ExportedTable]:
        """Return the exported tables, in the order in which they are exported."""

    def export(
        self, scope: Scope | OnePerson | None
    ) -> Iterator[tuple[ExportedTable, Iterator[Sequence[Row]]]]:
        """Yield each table with its rows in the scope, in pages; without a scope, with all rows.

        The pages of a table have to be read before the next table. The tables of one person have other
        columns than those of an organization, and cannot be loaded.
        """

    def count_messages(self, most: int) -> int:
        """Return the number of messages, counting up to *most*."""

    def sequences(self) -> Mapping[str, int]:
        """Return the last id drawn by each table that draws ids."""

    def clear(self) -> None:
        """Remove the rows that a new store has."""

    def check(self, table: str, rows: Sequence[Row]) -> None:
        """Check that `load` would take rows, each by itself.

        :raises BadRows: one cannot be read
        """

    def check_whole(self, head: Position) -> None:
        """Check that the rows of the store fit together, as `finish` does.

        :raises BadRows: rows refer to rows that are not there, or cannot be read
        """

    def load(self, table: str, rows: Sequence[Row]) -> Sequence[Row]:
        """Add rows of a table, with what is made anew for them; return those that were left out because they
        cannot be read, of a table whose rows the program makes again.

        :raises BadRows: a value occurs twice, or has no place in the store
        """

    def finish(self, head: Position, sequences: Mapping[str, int]) -> None:
        """Check the loaded rows and make anew what follows from all of them. Ids and positions continue after
        the highest.

        :raises BadRows: rows refer to rows that are not there, or cannot be read
        """
