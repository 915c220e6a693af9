"""The messages of other systems that were imported, each by a digest, so that none is imported twice."""

from peewee import Database

from storage_backends.sql.migration import run

STATEMENTS = """
CREATE TABLE imported_message (digest TEXT NOT NULL PRIMARY KEY){without_rowid};
"""


def up(migrator: object, db: Database) -> None:
    run(db, STATEMENTS)
