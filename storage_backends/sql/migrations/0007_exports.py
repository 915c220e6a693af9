"""Exports of the organization that administrators have requested."""

from peewee import Database

from storage_backends.sql.migration import run

STATEMENTS = """
CREATE TABLE requested_export (
    id {serial}, acting_user_id {bigint} NOT NULL, export_type {bigint} NOT NULL,
    requested_at {bigint} NOT NULL, token TEXT NOT NULL UNIQUE, attempts {bigint} NOT NULL,
    finished_at {bigint}, failed_at {bigint}, deleted_at {bigint}
);
"""


def up(migrator: object, db: Database) -> None:
    run(db, STATEMENTS)
