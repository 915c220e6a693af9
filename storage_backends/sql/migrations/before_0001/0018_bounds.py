"""Counters behind limits: things made by account and day, files by account, and each channel's last event.

In channels that exist, something has happened up to now: periods that have ended stay apart.
"""

from peewee import Database

from storage_backends.sql.migration import run

STATEMENTS = """
CREATE TABLE daily_use (
    user_id {bigint} NOT NULL, what TEXT NOT NULL, day {bigint} NOT NULL, amount {bigint} NOT NULL,
    PRIMARY KEY (user_id, what)
){without_rowid};

CREATE TABLE upload_space_of_user (
    owner_id {bigint} PRIMARY KEY, files {bigint} NOT NULL, used {bigint} NOT NULL
);
INSERT INTO upload_space_of_user (owner_id, files, used)
    SELECT owner_id, count(*), sum(size) FROM attachment GROUP BY owner_id;

CREATE TABLE channel_event (channel_id {bigint} PRIMARY KEY, position {bigint} NOT NULL);
INSERT INTO channel_event (channel_id, position) SELECT channel.id, position FROM channel CROSS JOIN log_head;
"""


def up(migrator: object, db: Database) -> None:
    run(db, STATEMENTS)
