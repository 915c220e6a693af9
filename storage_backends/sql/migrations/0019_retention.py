"""Legal holds, marks of the time, and indexes by which old messages are found."""

from peewee import Database

from storage_backends.sql.migration import draw_versions, run

STATEMENTS = """
CREATE TABLE legal_hold (
    id {serial}, user_id {bigint}, channel_id {bigint}, reason TEXT NOT NULL, set_at {bigint} NOT NULL,
    set_by {bigint} NOT NULL
);
CREATE TABLE retention_mark (at {bigint} NOT NULL PRIMARY KEY, position {bigint} NOT NULL);
CREATE TABLE retention_claim (
    id {bigint} NOT NULL PRIMARY KEY, holder TEXT NOT NULL, until {bigint} NOT NULL
);
INSERT INTO retention_claim (id, holder, until) VALUES (1, '', 0);
CREATE INDEX message_age ON message (recipient_id, timestamp, id) WHERE topic_key IS NOT NULL;
CREATE INDEX message_direct_age ON message (timestamp, id) WHERE topic_key IS NULL;
"""


def up(migrator: object, db: Database) -> None:
    run(db, STATEMENTS)
    draw_versions(db, "configuration", ("legal_hold",))
