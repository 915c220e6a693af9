"""Networks from which accounts have logged in, and the request counts that processes share."""

from peewee import Database

from storage_backends.sql.migration import run

STATEMENTS = """
CREATE TABLE known_network (
    user_id {bigint} NOT NULL, network TEXT NOT NULL, seen_at {bigint} NOT NULL,
    PRIMARY KEY (user_id, network)
){without_rowid};

CREATE {unlogged}TABLE request_count (
    name TEXT NOT NULL, until {bigint} NOT NULL, amount {bigint} NOT NULL, PRIMARY KEY (name, until)
){without_rowid};
"""


def up(migrator: object, db: Database) -> None:
    run(db, STATEMENTS)
