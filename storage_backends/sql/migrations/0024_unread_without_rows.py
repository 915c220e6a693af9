"""Unread messages are found in an index, without a look at their rows."""

from peewee import Database

from storage_backends.sql.migration import run

# The new index comes first: while it is built, PostgreSQL keeps others from writing, and not from reading.
STATEMENTS = """
CREATE INDEX message_place ON message (
    recipient_id, id, topic, sender_id, arrives_read, moved_from, arrived_at, channel_wildcard
);
DROP INDEX message_recipient;
"""


def up(migrator: object, db: Database) -> None:
    run(db, STATEMENTS)
