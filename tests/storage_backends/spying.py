"""Recording of the statements that are sent to a database."""

from collections.abc import Iterator
from contextlib import contextmanager

from storage_backends.sql.store import SqlStorage


@contextmanager
def statements(storage: SqlStorage) -> Iterator[list[tuple[str, object]]]:
    """The statements that are sent meanwhile, each with its parameters, by a store that remembers nothing."""
    storage.memory.forget()
    database = storage.backend.database
    execute, sent = database.execute_sql, []

    def spy(statement: str, parameters: object = None) -> object:
        sent.append((statement, parameters))
        return execute(statement, parameters)

    database.execute_sql = spy
    try:
        yield sent
    finally:
        del database.execute_sql
