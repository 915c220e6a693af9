"""Messages that wait for a mail, how far they were looked for, answers by mail, and the devices of people."""

from peewee import Database

from storage_backends.sql.migration import run

STATEMENTS = """
CREATE TABLE missed_conversation (
    user_id {bigint} NOT NULL, recipient_id {bigint} NOT NULL, topic_key TEXT{bytewise} NOT NULL,
    message_ids TEXT NOT NULL, due {bigint} NOT NULL,
    PRIMARY KEY (user_id, recipient_id, topic_key)
){without_rowid};
CREATE INDEX missed_conversation_due ON missed_conversation (due);
CREATE TABLE missed_progress (id {bigint} NOT NULL PRIMARY KEY, position {bigint} NOT NULL);
INSERT INTO missed_progress (id, position) SELECT 1, coalesce(max(id), 0) FROM message;
CREATE TABLE reply_receipt (
    user_id {bigint} NOT NULL, mail_key TEXT NOT NULL, received_at {bigint} NOT NULL,
    PRIMARY KEY (user_id, mail_key)
);
CREATE INDEX reply_receipt_received ON reply_receipt (received_at);
CREATE TABLE known_device (
    user_id {bigint} NOT NULL, device TEXT NOT NULL, seen_at {bigint} NOT NULL,
    PRIMARY KEY (user_id, device)
){without_rowid};
CREATE INDEX mail_recipient ON mail (recipient);
"""


def up(migrator: object, db: Database) -> None:
    run(db, STATEMENTS)
