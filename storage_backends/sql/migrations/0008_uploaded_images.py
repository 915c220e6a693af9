"""Images in uploaded files, and whether their thumbnails are made."""

from peewee import Database

from storage_backends.sql.migration import run

STATEMENTS = """
CREATE TABLE uploaded_image (
    attachment_id {bigint} PRIMARY KEY, content_type TEXT NOT NULL, width {bigint} NOT NULL,
    height {bigint} NOT NULL, is_animated BOOLEAN NOT NULL, state TEXT NOT NULL, tries {bigint} NOT NULL,
    due {bigint} NOT NULL
);
CREATE INDEX uploaded_image_due ON uploaded_image (due, attachment_id) WHERE state = 'pending';
"""


def up(migrator: object, db: Database) -> None:
    run(db, STATEMENTS)
