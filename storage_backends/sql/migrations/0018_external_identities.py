"""The identities of people at the providers that vouch for them."""

from peewee import Database

from storage_backends.sql.migration import run

STATEMENTS = """
CREATE TABLE external_identity (
    provider TEXT NOT NULL, subject TEXT NOT NULL, user_id {bigint} NOT NULL,
    PRIMARY KEY (provider, subject)
){without_rowid};
CREATE UNIQUE INDEX external_identity_user ON external_identity (user_id, provider);
"""


def up(migrator: object, db: Database) -> None:
    run(db, STATEMENTS)
