"""Receipts of mails to channels."""

from peewee import Database

from storage_backends.sql.migration import run

STATEMENTS = """
CREATE TABLE mail_receipt (
    channel_id {bigint} NOT NULL, mail_key TEXT NOT NULL, received_at {bigint} NOT NULL,
    PRIMARY KEY (channel_id, mail_key)
);
CREATE INDEX mail_receipt_received ON mail_receipt (received_at);
CREATE INDEX mail_receipt_channel ON mail_receipt (channel_id, received_at);
"""


def up(migrator: object, db: Database) -> None:
    run(db, STATEMENTS)
