"""The tables that archives have, in their order, and what the Models say of them."""

from collections.abc import Mapping, Sequence
from typing import Final

from msgspec import UNSET

from chatcore.storage.archives.tables import Value
from storage_backends.sql import schema
from storage_backends.sql.schema import Table
from storage_backends.sql.schema.archives import Exported, Make
from storage_backends.sql.schema.columns import Column

FIRST: Final[Sequence[type[Table]]] = (schema.Message, schema.AttachmentLink, schema.Attachment)
"""Tables that come before all others: which of their rows a partial export has decides on rows of others, and
of each other in this order.
"""


EXPORTED: Final[Mapping[type[Table], Exported]] = {
    table: table.archive
    for table in dict.fromkeys((*FIRST, *Table.__subclasses__()))
    if isinstance(table.archive, Exported)
}
TABLES_BY_NAME: Final = {table._meta.table_name: table for table in EXPORTED}


def _columns(table: type[Table]) -> Sequence[Column]:
    columns: Sequence[Column] = table._meta.sorted_fields
    return columns


def exported_columns(table: type[Table]) -> Sequence[Column]:
    return [column for column in _columns(table) if column.anew is None]


def made_anew(table: type[Table]) -> Mapping[str, Make]:
    """Return what makes the columns that archives do not have, by their names."""
    return {column.column_name: column.anew for column in _columns(table) if column.anew is not None}


def personal_columns(table: type[Table]) -> Mapping[str, Value]:
    """Return the columns that belong to the account in `person_of`, with the values for other people."""
    return {column.column_name: column.personal for column in _columns(table) if column.personal is not UNSET}


def references(table: type[Table]) -> Mapping[str, type[Table]]:
    """Return the columns with the ids of rows of other tables."""
    return {column.column_name: TABLES_BY_NAME[column.refers] for column in _columns(table) if column.refers}
