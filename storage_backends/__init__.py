"""Stores for chatcore: SQLite and PostgreSQL, opened by their URL, and stores of files."""

import re
from urllib.parse import unquote

from chatcore.storage import BadDatabaseUrl
from storage_backends.files import FilesInMemory, LocalFiles
from storage_backends.sql.store import SqlStorage

__all__ = ["BadDatabaseUrl", "FilesInMemory", "LocalFiles", "SqlStorage", "open_storage"]

_HEX = "%[0-9a-fA-F]{2}"
_HOST = rf"(?:\[[0-9a-fA-F:.]+\]|(?:[^:@/?#%\[\],]|{_HEX})*+)(?::[0-9]*+)?+"
_POSTGRES = re.compile(rf"//(?:(?:[^@/%]|{_HEX})*+@)?+{_HOST}(?:,{_HOST})*+(?:[/?]|$)")
"""What a URL has behind its scheme, up to the path; `@`, `/` and `%` in a name or a password would end it."""


def open_storage(url: str) -> SqlStorage:
    """The store at *url*: ``sqlite:///relative.db``, ``sqlite:////absolute.db``, ``sqlite:///:memory:``
    or ``postgresql://user@host/database``. Nothing is read or made yet; see `SqlStorage.migrate`.

    :raises BadDatabaseUrl: any other URL
    """
    scheme, _, rest = str(url).partition(":")  # a path is no URL, and is told so
    if scheme == "sqlite":
        path = rest.removeprefix("///")
        if path in ("", rest):
            raise BadDatabaseUrl("The database URL names no file; use sqlite:///chat.db")
        from storage_backends.sqlite import SqliteBackend

        return SqlStorage(SqliteBackend(unquote(path)))
    if scheme in ("postgresql", "postgres"):
        try:
            from storage_backends.postgres import PostgresBackend
        except ModuleNotFoundError as error:
            if error.name != "psycopg":
                raise
            raise BadDatabaseUrl(
                "PostgreSQL needs a driver; run in the folder of this project: pip install '.[postgres]'"
            ) from error
        if not _POSTGRES.match(rest):
            # What the driver says of it would have a part of the password in it.
            raise BadDatabaseUrl(
                "The database URL is not postgresql://user:password@host/name; in a name or a password write"
                " %40 for @, %2F for / and %25 for %"
            )
        # The shorter name is one that peewee would take for the name of a database.
        return SqlStorage(PostgresBackend(f"postgresql:{rest}"))
    # What was given may have a password in it, wherever.
    raise BadDatabaseUrl("This is no database URL; use sqlite:///chat.db or postgresql://user@host/name")
