"""Statements: compiled once for each database, with named parameters.

A `Statement` holds a peewee expression over the Models of `schema`, or a text where a plan has to be chosen
by hand. Both name their parameters, and `Session` passes the values by these names. An expression is built
once, when its module is imported, and compiled when it is first used on a database.
"""

import re
import sys
from collections import namedtuple
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from operator import itemgetter
from typing import Any, Generic, TypeAlias, TypeVar

from peewee import SQL, ColumnBase, Context, Node, Query, fn

from storage_backends.sql.dialect import Dialect
from storage_backends.sql.memory import RememberedKind, kinds_changed_by
from storage_backends.sql.schema import Table
from storage_backends.sql.schema.columns import Serial
from storage_backends.sql.values import names_of, reader

V = TypeVar("V")
Values: TypeAlias = Mapping[str, Any]
Bind: TypeAlias = Callable[[Values], Sequence[Any]]

_PARAMETER = re.compile(r"(?<!:):([a-z_][a-z0-9_]*)(\[\]|\{\d*\})?")


@dataclass(frozen=True, slots=True)
class _Marker:
    """The mark of a parameter in a statement. By its *form*, as `Dialect` has it, it stands for one value
    (""), a list of values ("[]"), rows ("{}"), or one column of rows by its number ("{0}").
    """

    name: str
    form: str = ""


class _Parameter(ColumnBase):
    def __init__(self, marker: _Marker) -> None:
        self._marker = marker

    def __sql__(self, ctx: Any) -> Any:
        return ctx.value(self._marker, converter=False)


class _Listed(ColumnBase):
    def __init__(self, column: Any, name: str) -> None:
        self._column = column
        self._name = name

    def __sql__(self, ctx: Any) -> Any:
        before, after = ctx.state.dialect.in_list("").split(":[]")
        return ctx.sql(self._column).literal(f" {before}").value(_Marker(self._name, "[]")).literal(after)


class _Size(ColumnBase):
    def __init__(self, column: Any) -> None:
        self._column = column

    def __sql__(self, ctx: Any) -> Any:
        before, after = ctx.state.dialect.size("?").split("?")
        return ctx.literal(before).sql(self._column).literal(after)


def param(name: str) -> Any:
    """Return a parameter of an expression: ``Account.id == param("user_id")``."""
    return _Parameter(_Marker(name))


def in_list(column: Any, name: str) -> Any:
    """Return the condition that a column has one of the values of a list; one text serves lists of any
    length.
    """
    return _Listed(column, name)


def size(column: Any) -> Any:
    """Return the number of bytes of a text."""
    return _Size(column)


ROW_COUNT: Any = fn.count(SQL("*")).alias("row_count")


class _Context(Context):
    """Writes parameters as placeholders and constants as literals, so that partial indexes match."""

    _values: list[Any]

    def value(self, value: Any, converter: Any = None, add_param: bool = True) -> Any:
        """Write a value into the text: the mark of a parameter, or a literal."""
        if isinstance(value, _Marker):
            self._values.append(value)
            return self.literal(self.state.param)
        if isinstance(value, bool):
            return self.literal("TRUE" if value else "FALSE")
        if isinstance(value, str) and self.state.param == "%s":
            value = value.replace("%", "%%")
        with self(value_literals=True):
            return super().value(value, converter, add_param)


@dataclass(slots=True)
class Compiled:
    """A statement of one database: its text, and the order of the driver's parameters."""

    text: str
    bind: Bind
    takes: int
    """The maximum number of values for it; with more, a value has a name that the statement does not have."""
    changes: frozenset[RememberedKind]
    """The kinds of remembered values that it changes."""
    row: Callable[[Any], Any] | None = None
    """Makes what is returned for a row; set by the first run."""


@dataclass(slots=True, eq=False)
class Statement:
    """A statement with named parameters, for both databases."""

    source: Query | str | Callable[[Dialect], str]
    of_pieces: bool = False
    """Whether its text is joined from pieces, so that values whose names are not in the text are allowed."""
    _compiled: dict[str, Compiled] = field(default_factory=dict)

    def of(self, value_class: Callable[..., V], table: type[Table] | None = None) -> "StatementOf[V]":
        """Return this statement for rows that become values, by the names of the columns.

        :param table: has the columns; by default the table from which an expression selects
        """
        model = getattr(self.source, "model", None) if table is None else table
        return StatementOf(self.source, self.of_pieces, value_class=value_class, table=model)

    def row_maker(self, columns: Sequence[str]) -> Callable[[Any], Any]:
        """Return the function that makes what is returned for a row of these columns."""
        return partial(tuple.__new__, namedtuple("Row", columns))

    def on(self, dialect: Dialect) -> Compiled:
        """Return the statement compiled for a database."""
        compiled = self._compiled.get(dialect.name)
        if compiled is None:
            compiled = self._compiled[dialect.name] = self._compile_for(dialect)
        return compiled

    def _compile_for(self, dialect: Dialect) -> Compiled:
        if isinstance(self.source, Node):
            text, markers = _Context(**dialect.options, dialect=dialect).parse(self.source)
        else:
            written = self.source if isinstance(self.source, str) else self.source(dialect)
            text, markers = _with_placeholders(written, dialect.options["param"])
        takes = sys.maxsize if self.of_pieces else len({marker.name for marker in markers})
        return Compiled(text, _make_binder(markers, dialect), takes, kinds_changed_by(text))


@dataclass(slots=True, eq=False, kw_only=True)
class StatementOf(Statement, Generic[V]):
    """A statement whose rows become values of a class."""

    value_class: Callable[..., Any]
    table: type[Table] | None
    keys: Sequence[str] = ()

    def by(self, *columns: str) -> "StatementOf[tuple[Any, V]]":
        """Return this statement for rows that become pairs: what one or several columns hold as a key, and
        the value.
        """
        return StatementOf(
            self.source, self.of_pieces, value_class=self.value_class, table=self.table, keys=columns
        )

    def row_maker(self, columns: Sequence[str]) -> Callable[[Any], Any]:
        read = reader(self.value_class, self.table, columns)
        if not self.keys:
            return read
        key = itemgetter(*map(columns.index, self.keys))
        return lambda row: (key(row), read(row))


def _with_placeholders(text: str, placeholder: str) -> tuple[str, list[_Marker]]:
    """Return a text with the driver's placeholders, and the markers in their order."""
    markers = [_Marker(match[1], match[2] or "") for match in _PARAMETER.finditer(text)]
    if placeholder == "%s":
        text = text.replace("%", "%%")
    return _PARAMETER.sub(placeholder, text), markers


def _make_binder(markers: Sequence[_Marker], dialect: Dialect) -> Bind:
    """Return a function from the values of a call to those of the placeholders, in their order."""
    if not markers:
        return _none
    names = [marker.name for marker in markers]
    if all(marker.form == "" for marker in markers):
        return itemgetter(*names) if len(names) > 1 else lambda values: (values[names[0]],)
    readers = [_make_reader(marker, dialect) for marker in markers]
    return lambda values: [read(values) for read in readers]


def _none(values: Values) -> Sequence[Any]:
    return ()


def _make_reader(marker: _Marker, dialect: Dialect) -> Callable[[Values], Any]:
    """Return a function from the values of a call to what the driver gets for one marker."""
    name = marker.name
    if marker.form == "":
        return itemgetter(name)
    if marker.form == "[]":
        return lambda values: dialect.list_value(values[name])
    column = None if marker.form == "{}" else int(marker.form[1:-1])
    return lambda values: dialect.rows_value(values[name], column)


def insert(table: type[Table], *columns: str) -> Any:
    """Return an expression that inserts one row with values for these columns; by default for all except a
    serial id.

    :raises KeyError: the table has no such column
    """
    fields = table._meta.fields
    names = columns or [name for name, field in fields.items() if not isinstance(field, Serial)]
    return table.insert({fields[name]: param(name) for name in names})


def upsert(table: type[Table]) -> Statement:
    """Return a statement that inserts a row, or replaces all values of the row with its primary key."""
    fields, keys = table._meta.fields, _keys(table)
    target = [field for name, field in fields.items() if name in keys]
    replaced = [field for name, field in fields.items() if name not in keys]
    return Statement(insert(table).on_conflict(conflict_target=target, preserve=replaced))


@cache
def change(table: type[Table], *columns: str, of: type[Any] | None = None) -> Statement:
    """Return a statement that changes these columns of the row with a primary key; by default all columns, or
    those that hold attributes of a class.

    Values have the names of their columns.

    :raises KeyError: the table has no such column
    """
    fields, keys = table._meta.fields, _keys(table)
    all_names = fields if of is None else names_of(table, of)
    names = columns or [name for name in all_names if name not in keys]
    return Statement(
        table.update({fields[name]: param(name) for name in names}).where(
            *(fields[name] == param(name) for name in keys)
        )
    )


def remove_but_newest(kept: Any, key: str, *newest_first: Any) -> Statement:
    """Return a statement that removes a user's rows of a table, except for the newest `keep` of them.

    :param kept: an alias of the table
    :param key: the column that distinguishes the rows of one user
    :param newest_first: the order, in columns of the alias
    """
    table, user_id = kept.model, param("user_id")
    of_user = kept.select(getattr(kept, key)).where(kept.user_id == user_id)
    newest = of_user.order_by(*newest_first).limit(param("keep"))
    return Statement(table.delete().where(table.user_id == user_id, getattr(table, key).not_in(newest)))


def _keys(table: type[Table]) -> list[str]:
    return [field.name for field in table._meta.get_primary_keys()]
