"""Linkifiers, playgrounds, custom profile fields with their values, and what people say of themselves."""

from peewee import Database

from storage_backends.sql.migration import run

STATEMENTS = """
CREATE TABLE linkifier (
    id {serial}, place {bigint} NOT NULL, pattern TEXT NOT NULL, url_template TEXT NOT NULL
);

CREATE TABLE playground (
    id {serial}, name TEXT NOT NULL, highlighter_language TEXT NOT NULL, url_template TEXT NOT NULL,
    UNIQUE (highlighter_language, name)
);

CREATE TABLE profile_field (
    id {serial}, field_type {bigint} NOT NULL, name TEXT NOT NULL UNIQUE, hint TEXT NOT NULL,
    place {bigint} NOT NULL, field_data TEXT NOT NULL, display_in_profile_summary BOOLEAN NOT NULL,
    required BOOLEAN NOT NULL, editable_by_user BOOLEAN NOT NULL
);
CREATE TABLE profile_value (
    user_id {bigint} NOT NULL, field_id {bigint} NOT NULL, value TEXT NOT NULL, rendered_value TEXT,
    PRIMARY KEY (user_id, field_id)
){without_rowid};
CREATE INDEX profile_value_field ON profile_value (field_id);

CREATE TABLE user_status (
    user_id {bigint} PRIMARY KEY, status_text TEXT NOT NULL, emoji_name TEXT NOT NULL,
    emoji_code TEXT NOT NULL, reaction_type TEXT NOT NULL
);

ALTER TABLE account ADD COLUMN can_change_user_emails BOOLEAN NOT NULL DEFAULT FALSE;
"""


def up(migrator: object, db: Database) -> None:
    run(db, STATEMENTS)
