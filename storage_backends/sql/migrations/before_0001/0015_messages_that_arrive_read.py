"""Messages that are no news to most of their readers. Those that there are stay as they are, read or not."""

from peewee import Database

from storage_backends.sql.migration import run

STATEMENTS = """
ALTER TABLE message ADD COLUMN arrives_read BOOLEAN NOT NULL DEFAULT FALSE;
"""


def up(migrator: object, db: Database) -> None:
    run(db, STATEMENTS)
