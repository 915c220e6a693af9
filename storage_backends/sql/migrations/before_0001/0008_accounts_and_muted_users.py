"""Who may make accounts, and whom people have muted."""

from peewee import Database

from storage_backends.sql.migration import run

STATEMENTS = """
ALTER TABLE account ADD COLUMN can_create_users BOOLEAN NOT NULL DEFAULT FALSE;

CREATE TABLE muted_user (
    user_id {bigint} NOT NULL, muted_id {bigint} NOT NULL, muted_at {bigint} NOT NULL,
    PRIMARY KEY (user_id, muted_id)
){without_rowid};
CREATE INDEX muted_user_muted ON muted_user (muted_id, user_id);
"""


def up(migrator: object, db: Database) -> None:
    run(db, STATEMENTS)
