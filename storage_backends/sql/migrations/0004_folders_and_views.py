"""Channel folders, default channel groups, navigation views, onboarding steps."""

from peewee import Database

from storage_backends.sql.migration import draw_versions, run

STATEMENTS = """
CREATE TABLE channel_folder (
    id {serial}, place {bigint} NOT NULL, name TEXT NOT NULL, description TEXT NOT NULL,
    rendered_description TEXT NOT NULL, date_created {bigint} NOT NULL, creator_id {bigint},
    is_archived BOOLEAN NOT NULL
);
ALTER TABLE channel ADD COLUMN folder_id {bigint};
CREATE TABLE default_channel_group (
    id {serial}, name TEXT NOT NULL, description TEXT NOT NULL, channel_ids TEXT NOT NULL
);
CREATE TABLE navigation_view (
    user_id {bigint} NOT NULL, fragment TEXT{bytewise} NOT NULL, is_pinned BOOLEAN NOT NULL, name TEXT,
    PRIMARY KEY (user_id, fragment)
){without_rowid};
CREATE TABLE onboarding_step (
    user_id {bigint} NOT NULL, name TEXT NOT NULL, PRIMARY KEY (user_id, name)
){without_rowid};
"""
REMEMBERED = ("channel_folder", "default_channel_group")
"""Tables whose changes draw a new version of the configuration."""


def up(migrator: object, db: Database) -> None:
    run(db, STATEMENTS)
    draw_versions(db, "configuration", REMEMBERED)
