"""The organization's own emoji. An active one has its name for itself; deactivated ones stay."""

from peewee import Database, SqliteDatabase

STATEMENTS = """
CREATE TABLE custom_emoji (
    id {serial}, name TEXT NOT NULL, author_id {bigint} NOT NULL, token TEXT NOT NULL UNIQUE,
    content_type TEXT NOT NULL, is_animated BOOLEAN NOT NULL, deactivated BOOLEAN NOT NULL
);
CREATE UNIQUE INDEX custom_emoji_active ON custom_emoji (name) WHERE NOT deactivated;
"""

SQLITE = {"bigint": "INTEGER", "serial": "INTEGER PRIMARY KEY AUTOINCREMENT"}
POSTGRES = {"bigint": "BIGINT", "serial": "BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY"}


def up(migrator: object, db: Database) -> None:
    script = STATEMENTS.format(**(SQLITE if isinstance(db, SqliteDatabase) else POSTGRES))
    for statement in script.split(";\n"):
        if statement.strip():
            db.execute_sql(statement)
