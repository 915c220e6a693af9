"""Bots have no role above their owner's: those that have are lowered, and get new keys. All event queues end
then, so that clients fetch the new roles.

An account that is a bot has the administrator who knows its key.
"""

from peewee import Database

from storage_backends.sql.migration import run

STATEMENTS = """
ALTER TABLE account ADD COLUMN key_holder_id {bigint};
DELETE FROM event_queue WHERE EXISTS (
    SELECT 1 FROM account bot JOIN account owner ON owner.id = bot.bot_owner_id WHERE owner.role > bot.role
);
UPDATE account SET
    role = (SELECT owner.role FROM account owner WHERE owner.id = account.bot_owner_id),
    key_version = key_version + 1
WHERE bot_owner_id IS NOT NULL AND EXISTS (
    SELECT 1 FROM account owner WHERE owner.id = account.bot_owner_id AND owner.role > account.role
);
"""


def up(migrator: object, db: Database) -> None:
    run(db, STATEMENTS)
