"""Stores for chatcore: SQLite and PostgreSQL, opened by their URL, and stores of files."""

import re
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote

from chatcore.storage import BadDatabaseUrl
from chatcore.storage.copies import CannotCopy
from storage_backends.files import FilesInMemory, LocalFiles
from storage_backends.sql.store import SqlStorage

if TYPE_CHECKING:
    from chatcore.storage.slices import WaitForSocket
    from storage_backends.bucket import BucketFiles
    from storage_backends.sqlite import RunCommit

__all__ = [
    "BadDatabaseUrl",
    "FilesInMemory",
    "LocalFiles",
    "SqlStorage",
    "find_problem_of_copy",
    "open_bucket",
    "open_storage",
]

POSTGRESQL = {"postgresql", "postgres"}
FILLED_TABLE = "organization"
"""A table that has a row in each database."""
_PATH = re.compile(r"[\w./-]+")
_SCHEME = re.compile(r"[a-z][a-z0-9.+-]*")


def open_storage(
    url: str,
    run_commit: "RunCommit | None" = None,
    wait_for_socket: "WaitForSocket | None" = None,
    read_url: str = "",
) -> SqlStorage:
    """Return the store at *url*: ``sqlite:///relative.db``, ``sqlite:////absolute.db``,
    ``sqlite:///:memory:`` or ``postgresql://user@host/database``. This reads and makes nothing yet; see
    `SqlStorage.migrate`.

    A server of greenlets passes two functions. SQLite calls *run_commit* with each commit, to run it in
    another thread, and its long statements yield to other greenlets. The driver of PostgreSQL calls
    *wait_for_socket* to wait for the server. Snapshots are read from the database at *read_url*, a streaming
    replica, if it has all that is committed.

    :raises BadDatabaseUrl: any other URL; *read_url* for a store that has no replicas
    """
    scheme, _, rest = str(url).partition(":")  # a path is refused: it is no URL
    read_scheme, _, read_rest = read_url.partition(":")
    if read_url and not {scheme, read_scheme} <= POSTGRESQL:
        raise BadDatabaseUrl(
            "Only PostgreSQL has replicas to read from; both URLs are postgresql://user@host/name"
        )
    if scheme == "sqlite":
        path = unquote(rest.removeprefix("///"))
        if path == "" or "\0" in path or not rest.startswith("///"):
            raise BadDatabaseUrl("The database URL names no file; use sqlite:///chat.db")
        from storage_backends.sqlite import SqliteBackend

        return SqlStorage(SqliteBackend(path, run_commit))
    if scheme in POSTGRESQL:
        try:
            from storage_backends.postgres import PostgresBackend
        except ModuleNotFoundError as error:
            if error.name != "psycopg":
                raise
            raise BadDatabaseUrl(
                "PostgreSQL needs a driver; run in the folder of this project: pip install '.[postgres]'"
            ) from error
        # peewee would take the shorter name for the name of a database.
        primary = PostgresBackend(f"postgresql:{rest}", wait_for_socket)
        if not read_url:
            return SqlStorage(primary)
        from storage_backends.postgres_replica import PostgresReplica

        return SqlStorage(primary, PostgresReplica(primary, f"postgresql:{read_rest}", wait_for_socket))
    raise BadDatabaseUrl(_explain_refusal(str(url)))


def _explain_refusal(url: str) -> str:
    """Return what is wrong with a URL of no known kind. The text repeats only a kind and a plain path: in
    anything else a password may stand anywhere.
    """
    path = url if _PATH.fullmatch(url) else "chat.db"
    scheme, _, rest = url.partition(":")
    if rest.startswith("//") and _SCHEME.fullmatch(scheme):
        reason = f"Nothing that is installed opens '{scheme}'"
    else:
        reason = f"'{url}' is not a database URL" if path == url else "This is not a database URL"
    return f"{reason}; use sqlite:///{path} or postgresql://user@host/name"


def find_problem_of_copy(kind: str, file: Path) -> str | None:
    """Return why a copy of a database, made by `SqlStorage.copy_to`, cannot be used; None if it can."""
    if kind == "sqlite":
        from storage_backends.sqlite_file import find_damage

        return find_damage(file, FILLED_TABLE)
    from storage_backends.postgres_programs import read_through

    try:
        read_through(file, FILLED_TABLE)
    except CannotCopy as error:
        return str(error)
    return None


def open_bucket(url: str, unfinished: LocalFiles) -> "BucketFiles":
    """Return the store of files at ``s3://bucket/prefix``; *unfinished* holds them until they are finished.

    :raises ModuleNotFoundError: the client, `botocore`, is not installed
    :raises ValueError: the client refuses its own settings
    """
    from storage_backends.bucket import BucketFiles

    return BucketFiles(url, unfinished)
