"""Versions of values that change seldom: triggers draw a new one with every change of their tables.

A version is random: a counter could reach the same number twice, with other values, after a restore. Each
kind has a row of its own, so that a foreign transaction that has changed one table blocks only those who
change tables of the same kind.
"""

from peewee import Database, SqliteDatabase

from storage_backends.sql.migration import RANDOM_POSTGRES, add_kind, draw_versions, run

TABLE = "CREATE TABLE remembered_version (kind TEXT PRIMARY KEY, version {bigint} NOT NULL){without_rowid};\n"
KINDS = {
    "organization": ("organization",),
    "people": ("account",),
    "groups": ("user_group", "user_group_member", "user_group_subgroup"),
    "configuration": ("linkifier", "playground", "custom_emoji", "profile_field"),
}
# The names are qualified, as restoring a dump empties the search path.
FUNCTION = f"""
CREATE FUNCTION draw_version() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE format(
        'UPDATE %I.remembered_version SET version = {RANDOM_POSTGRES} WHERE kind = %L',
        TG_TABLE_SCHEMA, TG_ARGV[0]
    );
    RETURN NULL;
END $$
"""


def up(migrator: object, db: Database) -> None:
    run(db, TABLE)
    if not isinstance(db, SqliteDatabase):
        db.execute_sql(FUNCTION.replace("%", "%%"))
    for kind, tables in KINDS.items():
        add_kind(db, kind)
        draw_versions(db, kind, tables)
