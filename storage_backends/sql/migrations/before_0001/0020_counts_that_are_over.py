"""An index by which the counts of windows that are over are found."""

from peewee import Database

from storage_backends.sql.migration import run


def up(migrator: object, db: Database) -> None:
    run(db, "CREATE INDEX request_count_until ON request_count (until);")
