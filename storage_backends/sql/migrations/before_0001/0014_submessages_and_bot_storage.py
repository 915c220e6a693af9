"""Submessages, and what programs keep between their runs."""

from peewee import Database

from storage_backends.sql.migration import run

STATEMENTS = """
CREATE TABLE submessage (
    id {serial}, message_id {bigint} NOT NULL, sender_id {bigint} NOT NULL, msg_type TEXT NOT NULL,
    content TEXT NOT NULL
);
CREATE INDEX submessage_message ON submessage (message_id, id);
ALTER TABLE message ADD COLUMN has_submessages BOOLEAN NOT NULL DEFAULT FALSE;

CREATE TABLE bot_storage (
    user_id {bigint} NOT NULL, name TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (user_id, name)
){without_rowid};
"""


def up(migrator: object, db: Database) -> None:
    run(db, STATEMENTS)
