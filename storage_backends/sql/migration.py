"""Shared code of the migrations: SQL that is the same for both databases except for a few words.

Existing tables were made from it: words may be added, but none changed.
"""

from collections.abc import Sequence

from peewee import Database, SqliteDatabase

RANDOM_SQLITE = "random()"

SQLITE = {
    "bigint": "INTEGER",
    "serial": "INTEGER PRIMARY KEY AUTOINCREMENT",
    "without_rowid": " WITHOUT ROWID",
    "bytewise": "",
    "unlogged": "",
}
POSTGRES = {
    "bigint": "BIGINT",
    "serial": "BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY",
    "without_rowid": "",
    "bytewise": ' COLLATE "C"',
    "unlogged": "UNLOGGED ",
}


def run(db: Database, script: str) -> None:
    """Run statements, each of which ends with a semicolon at the end of a line."""
    words = SQLITE if isinstance(db, SqliteDatabase) else POSTGRES
    for statement in script.format(**words).split(";\n"):
        if statement.strip():
            db.execute_sql(statement)


def draw_versions(db: Database, kind: str, tables: Sequence[str]) -> None:
    """Make triggers that draw a new version of a kind of values with every change of its tables."""
    for table in tables:
        if isinstance(db, SqliteDatabase):
            for action in ("insert", "update", "delete"):
                db.execute_sql(
                    f"CREATE TRIGGER {table}_{action} AFTER {action.upper()} ON {table} BEGIN"
                    f" UPDATE remembered_version SET version = {RANDOM_SQLITE} WHERE kind = '{kind}'; END"
                )
        else:
            db.execute_sql(
                f"CREATE TRIGGER {table}_version AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON {table}"
                f" FOR EACH STATEMENT EXECUTE FUNCTION draw_version('{kind}')"
            )
            db.execute_sql(f"ALTER TABLE {table} ENABLE ALWAYS TRIGGER {table}_version")  # in replicas, too
