"""Versions of channels, subscriptions, conversations, alert words and muted users, and of the channels from
which users have copies of their own.
"""

from peewee import Database

from storage_backends.sql.migration import add_kind, draw_versions, draw_versions_of_rows

KINDS = {
    "channels": ("channel",),
    "subscriptions": ("subscription", "subscription_period", "conversation_member"),
    "preferences": ("alert_word", "muting_period"),
}
IS_OWN_COPY = "({row}.bits & 128) != 0"


def up(migrator: object, db: Database) -> None:
    for kind, tables in KINDS.items():
        add_kind(db, kind)
        draw_versions(db, kind, tables)
    add_kind(db, "own copies")
    draw_versions_of_rows(db, "own copies", "message_flag", IS_OWN_COPY)
