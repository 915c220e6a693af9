"""Settings of bots, and the queue of their calls."""

from peewee import Database

from storage_backends.sql.migration import run

STATEMENTS = """
CREATE TABLE bot (
    user_id {bigint} PRIMARY KEY, sending_channel_id {bigint}, sending_channel TEXT,
    events_channel_id {bigint}, events_channel TEXT,
    all_public BOOLEAN NOT NULL, service_name TEXT NOT NULL, payload_url TEXT NOT NULL,
    interface {bigint} NOT NULL, config TEXT NOT NULL
);
CREATE TABLE bot_call (
    id {serial}, bot_id {bigint} NOT NULL, message_id {bigint} NOT NULL, is_mention BOOLEAN NOT NULL,
    due {bigint} NOT NULL, tries {bigint} NOT NULL, leased_until {bigint} NOT NULL
);
CREATE INDEX bot_call_bot ON bot_call (bot_id, leased_until);
CREATE INDEX bot_call_due ON bot_call (due, id);
"""


def up(migrator: object, db: Database) -> None:
    run(db, STATEMENTS)
