"""The number of times that the e-mail addresses of a channel were replaced."""

from peewee import Database

from storage_backends.sql.migration import run

STATEMENTS = """
ALTER TABLE channel ADD COLUMN address_version {bigint} NOT NULL DEFAULT 0;
"""


def up(migrator: object, db: Database) -> None:
    run(db, STATEMENTS)
