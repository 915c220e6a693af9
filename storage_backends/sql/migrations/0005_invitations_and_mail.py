"""Invitations, mails that wait to be sent, and links that confirm an address."""

from peewee import Database

from storage_backends.sql.migration import run

STATEMENTS = """
CREATE TABLE invitation (
    id {serial}, email TEXT, email_key TEXT, inviter_id {bigint} NOT NULL, invited_at {bigint} NOT NULL,
    expires_at {bigint}, role {bigint} NOT NULL, channel_ids TEXT NOT NULL, group_ids TEXT NOT NULL,
    joins_defaults BOOLEAN NOT NULL, notifies_inviter BOOLEAN NOT NULL, welcome_text TEXT,
    nonce TEXT NOT NULL, token_hash TEXT{bytewise} NOT NULL UNIQUE
);
CREATE INDEX invitation_inviter ON invitation (inviter_id, id);
CREATE INDEX invitation_email ON invitation (email_key);
CREATE INDEX invitation_expiry ON invitation (expires_at);
CREATE TABLE confirmation (
    token_hash TEXT{bytewise} PRIMARY KEY, proof TEXT NOT NULL, nonce TEXT NOT NULL, email TEXT NOT NULL,
    email_key TEXT NOT NULL, user_id {bigint}, key_version {bigint} NOT NULL, expires_at {bigint} NOT NULL
){without_rowid};
CREATE INDEX confirmation_email ON confirmation (email_key, proof);
CREATE INDEX confirmation_user ON confirmation (user_id, proof);
CREATE INDEX confirmation_expiry ON confirmation (expires_at);
CREATE TABLE mail (
    id {serial}, message_key TEXT NOT NULL, recipient TEXT NOT NULL, wording TEXT NOT NULL,
    facts TEXT NOT NULL, nonce TEXT, written_at {bigint} NOT NULL, due {bigint} NOT NULL,
    tries {bigint} NOT NULL
);
CREATE INDEX mail_due ON mail (due, id);
"""


def up(migrator: object, db: Database) -> None:
    run(db, STATEMENTS)
