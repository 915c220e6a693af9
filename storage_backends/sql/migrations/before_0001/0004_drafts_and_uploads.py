"""Drafts, uploaded files with the messages that link to them, and unfinished uploads."""

from peewee import Database

from storage_backends.sql.migration import run

STATEMENTS = """
CREATE TABLE draft (
    id {serial}, user_id {bigint} NOT NULL, type TEXT NOT NULL, recipients TEXT NOT NULL,
    topic TEXT NOT NULL, content TEXT NOT NULL, timestamp {bigint} NOT NULL
);
CREATE INDEX draft_user ON draft (user_id, timestamp, id);

CREATE TABLE attachment (
    id {serial}, path_id TEXT NOT NULL UNIQUE, owner_id {bigint} NOT NULL, name TEXT NOT NULL,
    content_type TEXT NOT NULL, is_shown BOOLEAN NOT NULL, size {bigint} NOT NULL,
    created {bigint} NOT NULL, unlinked_since {bigint}
);
CREATE INDEX attachment_owner ON attachment (owner_id, id);
CREATE INDEX attachment_unlinked ON attachment (unlinked_since) WHERE unlinked_since IS NOT NULL;
CREATE TABLE attachment_link (
    attachment_id {bigint} NOT NULL, message_id {bigint} NOT NULL, PRIMARY KEY (attachment_id, message_id)
){without_rowid};
CREATE INDEX attachment_link_message ON attachment_link (message_id, attachment_id);
CREATE TABLE upload_space (id {bigint} PRIMARY KEY, used {bigint} NOT NULL);
INSERT INTO upload_space (id, used) VALUES (1, 0);

CREATE TABLE unfinished_upload (
    path_id TEXT PRIMARY KEY, owner_id {bigint} NOT NULL, name TEXT NOT NULL, content_type TEXT NOT NULL,
    metadata TEXT NOT NULL, length {bigint}, position {bigint} NOT NULL, expires_at {bigint} NOT NULL
);
CREATE INDEX unfinished_upload_owner ON unfinished_upload (owner_id);
CREATE INDEX unfinished_upload_expiry ON unfinished_upload (expires_at);
"""


def up(migrator: object, db: Database) -> None:
    run(db, STATEMENTS)
