"""Saved snippets, and messages and reminders that wait for their time."""

from peewee import Database

from storage_backends.sql.migration import run

STATEMENTS = """
CREATE TABLE saved_snippet (
    id {serial}, user_id {bigint} NOT NULL, title TEXT NOT NULL, content TEXT NOT NULL,
    date_created {bigint} NOT NULL
);
CREATE INDEX saved_snippet_user ON saved_snippet (user_id, id);
CREATE TABLE scheduled_message (
    id {serial}, user_id {bigint} NOT NULL, due {bigint} NOT NULL, channel_id {bigint},
    people TEXT NOT NULL, topic TEXT NOT NULL, content TEXT NOT NULL, rendered_content TEXT NOT NULL,
    client TEXT NOT NULL, read_by_sender BOOLEAN NOT NULL, failure TEXT, reminds_of {bigint},
    note TEXT NOT NULL
);
CREATE INDEX scheduled_message_user ON scheduled_message (user_id, due, id);
CREATE INDEX scheduled_message_due ON scheduled_message (due, id) WHERE failure IS NULL;
"""


def up(migrator: object, db: Database) -> None:
    run(db, STATEMENTS)
