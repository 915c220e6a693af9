"""Subscriptions of browsers to pushes, the pushes that wait, and how far messages were looked at for them."""

from peewee import Database

from storage_backends.sql.migration import run

STATEMENTS = """
CREATE TABLE push_subscription (
    id {serial}, user_id {bigint} NOT NULL, session_id {bigint} NOT NULL,
    endpoint TEXT{bytewise} NOT NULL UNIQUE, p256dh TEXT NOT NULL, auth TEXT NOT NULL,
    device TEXT NOT NULL, created_at {bigint} NOT NULL
);
CREATE INDEX push_subscription_user ON push_subscription (user_id, id);
CREATE TABLE push (
    id {serial}, subscription_id {bigint} NOT NULL, user_id {bigint} NOT NULL,
    recipient_id {bigint} NOT NULL, topic_key TEXT{bytewise} NOT NULL, message_ids TEXT NOT NULL,
    due {bigint} NOT NULL, attempts {bigint} NOT NULL
);
CREATE UNIQUE INDEX push_place ON push (subscription_id, recipient_id, topic_key);
CREATE INDEX push_due ON push (due, id);
CREATE INDEX push_user ON push (user_id);
INSERT INTO missed_progress (id, position) SELECT 2, coalesce(max(id), 0) FROM message;
"""


def up(migrator: object, db: Database) -> None:
    run(db, STATEMENTS)
