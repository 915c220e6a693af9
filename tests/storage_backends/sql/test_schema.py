"""The Models of the schema describe the migrated databases, column by column and index by index.

Each database makes the tables that the Models describe beside its migrated ones, and both are read back.
"""

import ast
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import peewee
import psycopg

from storage_backends.sql import migrations, schema
from storage_backends.sql.schema.columns import Serial
from storage_backends.sql.store import SqlStorage

MODELS = [table for name in schema.__all__ if (table := getattr(schema, name)) is not schema.Table]
SEARCH = "message_search"
"""The search index is no table of both: a virtual one on SQLite, one of vectors on PostgreSQL."""
DESCRIBED = [table for table in MODELS if table is not schema.MessageSearch]
OF_THE_DATABASE = {"schema_migration", "sqlite_sequence"}

SQLITE_TYPES = {"SERIAL": "INTEGER", "BYTEWISE": "TEXT", "BOOL": "BOOLEAN", "DOUBLE": "DOUBLE PRECISION"}
POSTGRES_TYPES = {"SERIAL": "BIGINT GENERATED ALWAYS AS IDENTITY", "BYTEWISE": 'TEXT COLLATE "C"'}

POSTGRES_COLUMNS = """
    SELECT table_name, column_name, data_type, is_nullable, collation_name, column_default, is_identity
    FROM information_schema.columns WHERE table_schema = %s ORDER BY table_name, column_name
"""
POSTGRES_INDEXES = """
    SELECT tablename, indexname, replace(indexdef, schemaname || '.', '') FROM pg_indexes
    WHERE schemaname = %s ORDER BY tablename, indexname
"""


@contextmanager
def described(database: peewee.Database) -> Iterator[None]:
    """Tables in a database as the Models describe them."""
    without_rowid = {table: table._meta.without_rowid for table in DESCRIBED}
    try:
        for table in DESCRIBED:
            table._meta.set_database(database)
            if isinstance(database, peewee.PostgresqlDatabase):
                table._meta.without_rowid = False
            table.create_table(safe=False)
        yield
    finally:
        for table in DESCRIBED:
            table._meta.set_database(None)
            table._meta.without_rowid = without_rowid[table]
        database.close()


def test_the_models_are_the_tables_of_sqlite(sqlite_url: str) -> None:
    migrated = sqlite_schema(peewee.SqliteDatabase(sqlite_url.removeprefix("sqlite:///")))
    described_here = peewee.SqliteDatabase(":memory:", field_types=SQLITE_TYPES)
    with described(described_here):
        assert sqlite_schema(described_here) == migrated


def sqlite_schema(database: peewee.Database) -> dict[str, Any]:
    """Columns and indexes of each table."""
    found: dict[str, Any] = {}
    tables = database.execute_sql("SELECT name, sql FROM sqlite_master WHERE type = 'table'").fetchall()
    texts = dict(database.execute_sql("SELECT name, sql FROM sqlite_master WHERE type = 'index'").fetchall())
    for table, sql in tables:
        if is_apart(table):
            continue
        columns = database.execute_sql(f"PRAGMA table_info({table})").fetchall()
        indexes = database.execute_sql(f"PRAGMA index_list({table})").fetchall()
        found[table] = {
            "columns": {
                (name, kind, bool(needed or key), default, key)
                for _, name, kind, needed, default, key in columns
            },
            "rowid": "WITHOUT ROWID" not in sql,
            "indexes": {
                (columns_of(database, name), bool(unique), spelled(texts.get(name) or origin))
                for _, name, unique, origin, _ in indexes
            },
        }
    database.close()
    return found


def columns_of(database: peewee.Database, index: str) -> tuple[str, ...]:
    return tuple(name for _, _, name in database.execute_sql(f"PRAGMA index_info({index})").fetchall())


def spelled(statement: str) -> str:
    """A statement without quotes and redundant spaces and brackets."""
    return re.sub(r'[\s",()]+', " ", statement).strip().lower()


def test_numbers_of_serial_ids_are_never_given_twice(sqlite_url: str) -> None:
    database = peewee.SqliteDatabase(sqlite_url.removeprefix("sqlite:///"))
    drawn = database.execute_sql("SELECT name FROM sqlite_master WHERE sql LIKE '%AUTOINCREMENT%'").fetchall()
    database.close()
    serial = {table._meta.table_name for table in MODELS if isinstance(table._meta.primary_key, Serial)}
    assert {name for (name,) in drawn} == serial


def test_the_search_index_has_its_columns(storage: SqlStorage) -> None:
    with storage.backend.connection():
        names = {column.name for column in storage.backend.database.get_columns("message_search")}
    assert names | {"rowid"} == set(schema.MessageSearch._meta.fields)


def test_the_models_are_the_tables_of_postgresql(postgres_url: str) -> None:
    with psycopg.connect(postgres_url) as connection:
        connection.execute("CREATE SCHEMA described")
    database = peewee.PostgresqlDatabase(
        postgres_url, prefer_psycopg3=True, field_types=POSTGRES_TYPES, options="-c search_path=described"
    )
    try:
        with described(database), psycopg.connect(postgres_url) as connection:
            for statement in (POSTGRES_COLUMNS, POSTGRES_INDEXES):
                migrated, models = (
                    {row for row in connection.execute(statement, (name,)) if not is_apart(row[0])}
                    for name in ("public", "described")
                )
                assert models == migrated
    finally:
        with psycopg.connect(postgres_url) as connection:
            connection.execute("DROP SCHEMA described CASCADE")


def is_apart(table: str) -> bool:
    return table.startswith(SEARCH) or table in OF_THE_DATABASE


def test_migrations_know_no_living_code() -> None:
    """A migration that was released never changes, whatever happens to the code around it."""
    folder = Path(migrations.__path__[0])
    found = {
        name
        for path in folder.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Import | ast.ImportFrom)
        for name in ([node.module] if isinstance(node, ast.ImportFrom) else [one.name for one in node.names])
    }
    own = {name for name in found if name.startswith("storage_backends.")}
    assert own == {"storage_backends.sql.migration", "storage_backends.sql.migrations.before_0001.words"}
    assert {name.partition(".")[0] for name in found - own} <= {
        "peewee", "snowballstemmer", *sys.stdlib_module_names
    }  # fmt: skip
