"""Unread messages are found in an index, without a look at their rows."""

from peewee import Database

from storage_backends.sql.migration import run

STATEMENTS = """
DROP INDEX message_recipient;
CREATE INDEX message_recipient ON message (
    recipient_id, id, topic, sender_id, arrives_read, moved_from, arrived_at, channel_wildcard
);
"""


def up(migrator: object, db: Database) -> None:
    run(db, STATEMENTS)
