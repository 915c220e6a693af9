"""Urgent mails, the first call of each bot, and addresses that are confirmed to join by a link."""

from peewee import Database

from storage_backends.sql.migration import run

STATEMENTS = """
ALTER TABLE mail ADD COLUMN is_urgent BOOLEAN NOT NULL DEFAULT FALSE;
UPDATE mail SET is_urgent = (wording <> 'invitation');
CREATE INDEX mail_urgent ON mail (due, id) WHERE is_urgent;
ALTER TABLE confirmation ADD COLUMN invitation_id {bigint};
DROP INDEX bot_call_due;
CREATE INDEX bot_call_first ON bot_call (bot_id, id);
"""


def up(migrator: object, db: Database) -> None:
    run(db, STATEMENTS)
