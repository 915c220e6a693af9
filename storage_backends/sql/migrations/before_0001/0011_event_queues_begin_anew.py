"""Events are written otherwise than before: the log is emptied, and clients register again."""

from peewee import Database

STATEMENTS = ("DELETE FROM event_queue", "DELETE FROM local_echo", "DELETE FROM event")


def up(migrator: object, db: Database) -> None:
    for statement in STATEMENTS:
        db.execute_sql(statement)
