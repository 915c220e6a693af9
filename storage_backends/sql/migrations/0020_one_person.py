"""Exports of the data of one person, and the erasing of people."""

from peewee import Database

from storage_backends.sql.migration import run

STATEMENTS = """
ALTER TABLE requested_export ADD COLUMN user_id {bigint};
CREATE TABLE erasure (
    user_id {bigint} NOT NULL PRIMARY KEY, deletes_messages BOOLEAN NOT NULL, begun_at {bigint} NOT NULL,
    position {bigint} NOT NULL, step TEXT NOT NULL, reached {bigint} NOT NULL, email TEXT NOT NULL,
    full_name TEXT NOT NULL
);
"""


def up(migrator: object, db: Database) -> None:
    run(db, STATEMENTS)
