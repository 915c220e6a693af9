"""Values by the names of columns: a row becomes a value of the domain, and a value the columns of a row.

An attribute is in the column of the same name (`storage_backends.sql.schema.columns`); columns without an
attribute, such as those by which a row is found, belong to the repository.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from functools import cache
from typing import Any, TypeAlias, TypeVar

from storage_backends.sql.schema import Table
from storage_backends.sql.schema.columns import Serial

V = TypeVar("V")
Convert: TypeAlias = Callable[[Any], Any]


def attributes_of(value_class: Any) -> tuple[str, ...]:
    """Return the names of the attributes of a dataclass or Struct."""
    if is_dataclass(value_class):
        return tuple(field.name for field in fields(value_class))
    return tuple(value_class.__struct_fields__)


def reader(
    value_class: Callable[..., V], table: type[Table] | None, columns: Sequence[str]
) -> Callable[[Sequence[Any]], V]:
    """Return the function that makes a value of each row with these columns, in their order."""
    known = {} if table is None else table._meta.columns
    attributes = attributes_of(value_class)
    places: list[tuple[str, int, Convert | None]] = []
    for index, column in enumerate(columns):
        field = known.get(column)
        name = column if field is None else field.name
        if name in attributes:
            places.append((name, index, None if field is None else field.read))

    def read(row: Sequence[Any]) -> V:
        return value_class(
            **{
                name: row[index] if convert is None or row[index] is None else convert(row[index])
                for name, index, convert in places
            }
        )

    return read


def value_in(row: Any, value_class: Callable[..., V], table: type[Table]) -> V:
    """Return the value in a row that has other columns beside it."""
    value: V = _reader_of(value_class, table, row.__class__)(row)
    return value


@cache
def _reader_of(value_class: Any, table: type[Table], row_class: Any) -> Callable[[Any], Any]:
    return reader(value_class, table, row_class._fields)


def names_of(table: type[Table], value_class: Any) -> Sequence[str]:
    """Return the names of the columns of a table that hold attributes of a class."""
    return [name for name in attributes_of(value_class) if name in table._meta.fields]


def values_to_write(table: type[Table], attributes: Mapping[str, Any]) -> dict[str, Any]:
    """Return what the columns that hold attributes receive from a statement."""
    written: dict[str, Any] = {}
    for name, value in attributes.items():
        write = table._meta.fields[name].write
        written[name] = value if value is None or write is None else write(value)
    return written


def columns_of(table: type[Table], value: Any) -> dict[str, Any]:
    """Return what the columns of a table that hold the attributes of a value receive from a statement."""
    return values_to_write(table, {name: getattr(value, name) for name in names_of(table, value.__class__)})


def new_columns_of(table: type[Table], value: Any) -> dict[str, Any]:
    """Return what `columns_of` does, except for an id that the database assigns."""
    columns = columns_of(table, value)
    if isinstance(table._meta.primary_key, Serial):
        columns.pop(table._meta.primary_key.name, None)
    return columns
