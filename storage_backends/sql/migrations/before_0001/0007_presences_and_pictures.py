"""When people were last there, and where their uploaded pictures are."""

from peewee import Database

from storage_backends.sql.migration import run

STATEMENTS = """
CREATE TABLE user_presence (
    user_id {bigint} PRIMARY KEY, active_at {bigint}, connected_at {bigint} NOT NULL,
    update_id {bigint} NOT NULL
);
CREATE INDEX user_presence_update ON user_presence (update_id);

ALTER TABLE account ADD COLUMN avatar_key TEXT NOT NULL DEFAULT '';
"""


def up(migrator: object, db: Database) -> None:
    run(db, STATEMENTS)
