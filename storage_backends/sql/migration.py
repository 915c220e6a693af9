"""What the migrations have in common: SQL that is the same for both databases but for a few words.

What is written here has made tables that exist: words are added, and none is changed.
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
    """Run statements, each of which ends with a semicolon and its line."""
    words = SQLITE if isinstance(db, SqliteDatabase) else POSTGRES
    for statement in script.format(**words).split(";\n"):
        if statement.strip():
            db.execute_sql(statement)
