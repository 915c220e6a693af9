"""Since when a message had been in a channel that it was moved out of.

It can still be told where that was the first one: there it was sent. Of others nobody had received it.
"""

from peewee import Database, SqliteDatabase

STATEMENTS = """
ALTER TABLE message_edit ADD COLUMN prev_arrived_at {bigint};
UPDATE message_edit SET prev_arrived_at = 0 WHERE prev_channel_id IS NOT NULL;
UPDATE message_edit SET prev_arrived_at = message_id
    WHERE id IN (SELECT min(id) FROM message_edit WHERE prev_channel_id IS NOT NULL GROUP BY message_id);
"""

SQLITE = {"bigint": "INTEGER"}
POSTGRES = {"bigint": "BIGINT"}


def up(migrator: object, db: Database) -> None:
    script = STATEMENTS.format(**(SQLITE if isinstance(db, SqliteDatabase) else POSTGRES))
    for statement in script.split(";\n"):
        if statement.strip():
            db.execute_sql(statement)
