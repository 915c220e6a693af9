"""When people were muted, in positions of the log: what they wrote then is read without a row for it.

Who is muted already is so from here on; what came before has its rows.
"""

from peewee import Database

from storage_backends.sql.migration import run

STATEMENTS = """
CREATE TABLE muting_period (
    user_id {bigint} NOT NULL, muted_id {bigint} NOT NULL, start_position {bigint} NOT NULL,
    until_position {bigint}, muted_at {bigint} NOT NULL, PRIMARY KEY (user_id, muted_id, start_position)
){without_rowid};
INSERT INTO muting_period (user_id, muted_id, start_position, muted_at)
    SELECT user_id, muted_id, position + 1, muted_at FROM muted_user CROSS JOIN log_head;
DROP TABLE muted_user;
CREATE INDEX muting_period_muted ON muting_period (muted_id, user_id);
"""


def up(migrator: object, db: Database) -> None:
    run(db, STATEMENTS)
