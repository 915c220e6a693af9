"""The dumps of databases, one of each kind for each released version. `scripts/make_dump.py` makes them.

A dump is SQL, compressed. Its first line is a comment: the API keys of the people, as JSON. `0.1.0a` is of
the days before `0001_the_tables` replaced the first migrations.
"""

import gzip
import json
import sqlite3
from contextlib import closing
from pathlib import Path

import psycopg

from storage_backends.sql.schema import MessageSearch

FOLDER = Path(__file__).parent / "dumps"
KINDS = ("sqlite", "postgresql")
SECRET = "the secret of all dumps, which is no secret"
MOST_BYTES = 100_000


def dump_of(version: str, kind: str) -> Path:
    return FOLDER / f"{version}.{kind}.sql.gz"


def versions() -> list[str]:
    return sorted({path.name.removesuffix(f".{KINDS[0]}.sql.gz") for path in FOLDER.glob(f"*.{KINDS[0]}.*")})


def write_dump(path: Path, keys: dict[str, str], statements: str) -> None:
    text = f"-- {json.dumps(keys)}\n{statements}"
    path.write_bytes(gzip.compress(text.encode(), mtime=0))


def restore(path: Path, url: str) -> dict[str, str]:
    """Restore a dump into an empty database; return the API keys of its people."""
    text = gzip.decompress(path.read_bytes()).decode()
    if url.startswith("sqlite"):
        with closing(sqlite3.connect(url.removeprefix("sqlite:///"))) as connection:
            connection.executescript(text)
    else:
        with psycopg.connect(url) as connection:
            connection.execute(text.encode())
    keys: dict[str, str] = json.loads(text.partition("\n")[0].removeprefix("-- "))
    return keys


def sqlite_statements(file: Path) -> str:
    """Return the statements that make a SQLite database anew; its words fill the search index."""
    search = MessageSearch._meta.table_name
    with closing(sqlite3.connect(file)) as connection:
        made = connection.execute(
            "SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%'"
            " ORDER BY rowid"
        ).fetchall()
        tables = [name for kind, name, _ in made if kind == "table" and not name.startswith(f"{search}_")]
        lines = ["BEGIN", *(sql for _, name, sql in made if name in tables)]
        for table in tables:
            lines += _rows_of(connection, table, with_rowid=table == search)
        lines += ["DELETE FROM sqlite_sequence", *_rows_of(connection, "sqlite_sequence")]
        lines += [sql for kind, _, sql in made if kind != "table"]
    return ";\n".join([*lines, "COMMIT;\n"])


def _rows_of(connection: sqlite3.Connection, table: str, *, with_rowid: bool = False) -> list[str]:
    columns = [name for _, name, *_ in connection.execute(f"PRAGMA table_info({table})")]
    named = ["rowid", *columns] if with_rowid else columns
    values = " || ', ' || ".join(f"quote({name})" for name in named)
    rows = connection.execute(f"SELECT {values} FROM {table}").fetchall()
    return [f"INSERT INTO {table} ({', '.join(named)}) VALUES ({row})" for (row,) in rows]
