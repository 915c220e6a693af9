"""Sessions of browsers."""

from peewee import Database

from storage_backends.sql.migration import run

STATEMENTS = """
CREATE TABLE browser_session (
    id {serial}, token_hash TEXT NOT NULL UNIQUE, user_id {bigint} NOT NULL,
    began_at {bigint} NOT NULL, used_at {bigint} NOT NULL, user_agent TEXT NOT NULL, address TEXT NOT NULL
);
CREATE INDEX browser_session_user ON browser_session (user_id, used_at, id);
CREATE INDEX browser_session_used ON browser_session (used_at);
"""


def up(migrator: object, db: Database) -> None:
    run(db, STATEMENTS)
