"""Versions of values that change seldom: triggers draw a new one with every change of their tables.

A version is random: a counter could reach the same number twice, with other values, after a restore.
"""

from peewee import Database, SqliteDatabase

from storage_backends.sql.migration import run

COLUMNS = ("organization_version", "people_version", "groups_version", "configuration_version")
TABLES = (
    ("organization", "organization_version"),
    ("account", "people_version"),
    ("user_group", "groups_version"),
    ("user_group_member", "groups_version"),
    ("user_group_subgroup", "groups_version"),
    ("linkifier", "configuration_version"),
    ("playground", "configuration_version"),
    ("custom_emoji", "configuration_version"),
    ("profile_field", "configuration_version"),
)
POSTGRES_FUNCTION = """
CREATE FUNCTION draw_version() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE format(
        'UPDATE log_head SET %I = (random() * 9007199254740992)::bigint', TG_ARGV[0]
    );
    RETURN NULL;
END $$
"""


def up(migrator: object, db: Database) -> None:
    for column in COLUMNS:
        run(db, f"ALTER TABLE log_head ADD COLUMN {column} {{bigint}} NOT NULL DEFAULT 0;\n")
    if isinstance(db, SqliteDatabase):
        for table, column in TABLES:
            for action in ("insert", "update", "delete"):
                db.execute_sql(
                    f"CREATE TRIGGER {table}_{action} AFTER {action.upper()} ON {table}"
                    f" BEGIN UPDATE log_head SET {column} = random(); END"
                )
        return
    db.execute_sql(POSTGRES_FUNCTION.replace("%", "%%"))
    for table, column in TABLES:
        db.execute_sql(
            f"CREATE TRIGGER {table}_version AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON {table}"
            f" FOR EACH STATEMENT EXECUTE FUNCTION draw_version('{column}')"
        )
