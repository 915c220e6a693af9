"""Shared code of the migrations: SQL that is the same for both databases except for a few words.

Existing tables were made from it: words may be added, but none changed.
"""

from collections.abc import Sequence

from peewee import Database, SqliteDatabase

RANDOM_SQLITE = "random()"
RANDOM_POSTGRES = "(random() * 9007199254740992)::bigint"

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


def add_kind(db: Database, kind: str) -> None:
    """Draw the first version of a kind of values."""
    drawn = RANDOM_SQLITE if isinstance(db, SqliteDatabase) else RANDOM_POSTGRES
    db.execute_sql(f"INSERT INTO remembered_version (kind, version) VALUES ('{kind}', {drawn})")


def draw_versions_of_rows(db: Database, kind: str, table: str, condition: str) -> None:
    """Make triggers that draw a new version with every change of a row that fulfils a condition before the
    change or after it.

    :param condition: it names the row as {row}
    """
    if not isinstance(db, SqliteDatabase):
        _draw_by_statement(db, kind, table, "TRUNCATE")
    old, new = condition.format(row="OLD"), condition.format(row="NEW")
    for action, when in (("insert", new), ("update", f"({old}) OR ({new})"), ("delete", old)):
        if isinstance(db, SqliteDatabase):
            db.execute_sql(
                f"CREATE TRIGGER {table}_{action} AFTER {action.upper()} ON {table} WHEN {when} BEGIN"
                f" UPDATE remembered_version SET version = {RANDOM_SQLITE} WHERE kind = '{kind}'; END"
            )
        else:
            db.execute_sql(
                f"CREATE TRIGGER {table}_{action} AFTER {action.upper()} ON {table}"
                f" FOR EACH ROW WHEN ({when}) EXECUTE FUNCTION draw_version('{kind}')"
            )
            db.execute_sql(f"ALTER TABLE {table} ENABLE ALWAYS TRIGGER {table}_{action}")


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
            _draw_by_statement(db, kind, table, "INSERT OR UPDATE OR DELETE OR TRUNCATE")


def _draw_by_statement(db: Database, kind: str, table: str, actions: str) -> None:
    db.execute_sql(
        f"CREATE TRIGGER {table}_version AFTER {actions} ON {table}"
        f" FOR EACH STATEMENT EXECUTE FUNCTION draw_version('{kind}')"
    )
    db.execute_sql(f"ALTER TABLE {table} ENABLE ALWAYS TRIGGER {table}_version")  # in replicas, too
