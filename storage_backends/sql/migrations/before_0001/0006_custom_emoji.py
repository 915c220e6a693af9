"""The organization's own emoji. An active one has its name for itself; deactivated ones stay."""

from peewee import Database

from storage_backends.sql.migration import run

STATEMENTS = """
CREATE TABLE custom_emoji (
    id {serial}, name TEXT NOT NULL, author_id {bigint} NOT NULL, token TEXT NOT NULL UNIQUE,
    content_type TEXT NOT NULL, is_animated BOOLEAN NOT NULL, deactivated BOOLEAN NOT NULL
);
CREATE UNIQUE INDEX custom_emoji_active ON custom_emoji (name) WHERE NOT deactivated;
"""


def up(migrator: object, db: Database) -> None:
    run(db, STATEMENTS)
