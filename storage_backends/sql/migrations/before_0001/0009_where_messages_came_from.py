"""From which channel a message was moved: who was in that one has it read, or not, as it was."""

from peewee import Database, SqliteDatabase


def up(migrator: object, db: Database) -> None:
    bigint = "INTEGER" if isinstance(db, SqliteDatabase) else "BIGINT"
    db.execute_sql(f"ALTER TABLE message ADD COLUMN moved_from {bigint}")
