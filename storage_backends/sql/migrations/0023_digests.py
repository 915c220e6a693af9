"""How far the summaries by mail are written."""

from peewee import Database

from storage_backends.sql.migration import run

STATEMENTS = """
CREATE TABLE digest_round (
    id {bigint} NOT NULL PRIMARY KEY, begun_at {bigint} NOT NULL, since {bigint} NOT NULL,
    after_user_id {bigint} NOT NULL
);
"""


def up(migrator: object, db: Database) -> None:
    run(db, STATEMENTS)
