"""Shared code of the migrations: SQL that is the same for both databases except for a few words.

Existing tables were made from it: words may be added, but none changed.
"""

from peewee import Database, SqliteDatabase

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
