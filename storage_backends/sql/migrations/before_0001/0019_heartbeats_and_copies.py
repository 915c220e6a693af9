"""The newest heartbeat of each event queue; and which database the log was last in use in."""

from peewee import Database

from storage_backends.sql.migration import run

STATEMENTS = """
ALTER TABLE event_queue ADD COLUMN heartbeat {bigint} NOT NULL DEFAULT 0;
CREATE TABLE adopted_log (identity TEXT NOT NULL);
"""


def up(migrator: object, db: Database) -> None:
    run(db, STATEMENTS)
