"""What was edited and moved: the times on the message, and each edit with what was there before."""

from peewee import Database

from storage_backends.sql.migration import run

STATEMENTS = """
ALTER TABLE message ADD COLUMN last_edit_timestamp {bigint};
ALTER TABLE message ADD COLUMN last_moved_timestamp {bigint};
ALTER TABLE message ADD COLUMN arrived_at {bigint};
ALTER TABLE message ADD COLUMN has_edits BOOLEAN NOT NULL DEFAULT FALSE;
CREATE INDEX message_arrived ON message (recipient_id, id, arrived_at) WHERE arrived_at IS NOT NULL;

CREATE TABLE message_edit (
    id {serial}, message_id {bigint} NOT NULL, user_id {bigint} NOT NULL, timestamp {bigint} NOT NULL,
    prev_content TEXT, prev_rendered_content TEXT, prev_topic TEXT, topic TEXT,
    prev_channel_id {bigint}, channel_id {bigint}
);
CREATE INDEX message_edit_message ON message_edit (message_id, id);
"""


def up(migrator: object, db: Database) -> None:
    run(db, STATEMENTS)
