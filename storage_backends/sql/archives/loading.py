"""Adding the rows of an archive to a new store."""

from collections.abc import Sequence
from typing import Final

from peewee import DataError, IntegrityError

from chatcore.domain.ids import Position, RecipientId
from chatcore.domain.narrow.words import content_words, fold
from chatcore.storage.archives.tables import BadRows, Row, cell
from chatcore.storage.slices import in_slices
from storage_backends.sql import schema
from storage_backends.sql.archives.exported import EXPORTED, TABLES_BY_NAME, made_anew
from storage_backends.sql.archives.exporting import EXPORTED_TABLES
from storage_backends.sql.archives.rules import REMOVE_DANGLING, is_row, require_rows, require_whole
from storage_backends.sql.backend import Backend
from storage_backends.sql.messages.messages import SEARCH_COLUMNS
from storage_backends.sql.messages.rows import place_words
from storage_backends.sql.schema.columns import Serial
from storage_backends.sql.session import Session
from storage_backends.sql.statement import Statement

CLEAR: Final = [
    Statement(table.delete()) for table in (schema.UserGroup, schema.UserGroupSubgroup, schema.UploadSpace)
]
"""The rows that migrations make."""

COUNT_SPACE: Final = Statement(
    "INSERT INTO upload_space (id, used) SELECT 1, coalesce(sum(size), 0) FROM attachment"
)
COUNT_SPACE_OF_USERS: Final = Statement(
    "INSERT INTO upload_space_of_user (owner_id, files, used)"
    " SELECT owner_id, count(*), sum(size) FROM attachment GROUP BY owner_id"
)

HIGHEST: Final = {
    name: Statement(f"SELECT max(id) FROM {name}")
    for name, table in TABLES_BY_NAME.items()
    if isinstance(table._meta.primary_key, Serial)
}
"""The highest id of each table that draws ids."""


def clear(session: Session) -> None:
    """Remove the rows that migrations make, as the archive has its own."""
    for statement in CLEAR:
        session.run(statement)


def load(session: Session, name: str, rows: Sequence[Row]) -> Sequence[Row]:
    """Insert rows of a table; see `chatcore.storage.archives.tables`."""
    table = TABLES_BY_NAME[name]
    makers = made_anew(table)
    columns = [column.name for column in EXPORTED_TABLES[table].columns]
    left_out: list[Row] = []
    if EXPORTED[table].is_made_again:
        rows, left_out = _divide_rows(name, rows)
    else:
        require_rows(name, rows)
    try:
        values = [
            (*[row[column] for column in columns], *[make(row) for make in makers.values()])
            for row in in_slices(rows)
        ]
        session.load(name, [*columns, *makers], values)
        if table is schema.Message:
            search_rows = [_search_row(session.backend, row) for row in in_slices(rows)]
            session.load("message_search", SEARCH_COLUMNS, search_rows)
    except (IntegrityError, DataError) as error:
        raise BadRows(f"rows of '{name}' do not fit: {str(error).strip().splitlines()[0]}") from error
    return left_out


def _divide_rows(name: str, rows: Sequence[Row]) -> tuple[list[Row], list[Row]]:
    """Return the rows that can be read, and the others."""
    good: list[Row] = []
    bad: list[Row] = []
    for row in rows:
        (good if is_row(name, row) else bad).append(row)
    return good, bad


def _search_row(backend: Backend, row: Row) -> tuple[object, ...]:
    """Return the row of the search index for the row of a message."""
    recipient_id = RecipientId(cell(row, "recipient_id", int))
    words = content_words(cell(row, "rendered_content", str))
    return (
        row["id"],
        place_words(backend, recipient_id, cell(row, "topic", str)),
        backend.search_words(list(dict.fromkeys(words))),
        fold(cell(row, "content", str)),
    )


def finish(session: Session, head: Position) -> None:
    """Check the loaded rows, and make anew what follows from all of them.

    :raises BadRows:
    """
    for statement in REMOVE_DANGLING:
        session.run(statement)
    require_whole(session, head)
    session.run(COUNT_SPACE)
    session.run(COUNT_SPACE_OF_USERS)
