"""Revisions of messages: triggers draw a new one with every change of a message, its reactions, edits or
submessages.

A revision is random: a counter could reach the same number twice, with another text, after a restore.
"""

from peewee import Database, SqliteDatabase

from storage_backends.sql.migration import RANDOM_POSTGRES, RANDOM_SQLITE, run

COLUMN = "ALTER TABLE message ADD COLUMN revision {bigint} NOT NULL DEFAULT 0;\n"
OF_MESSAGES = (
    "sender_id, recipient_id, topic, topic_key, topic_links, content, rendered_content, timestamp, client,"
    " has_link, has_image, has_attachment, has_reaction, has_submessages, has_edits, channel_wildcard,"
    " last_edit_timestamp, last_moved_timestamp, arrived_at, moved_from, arrives_read"
)
PARTS = ("reaction", "message_edit", "submessage")
# The names are qualified, as restoring a dump empties the search path.
FUNCTIONS = (
    f"""
CREATE FUNCTION draw_revision() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.revision := {RANDOM_POSTGRES};
    RETURN NEW;
END $$
""",
    """
CREATE FUNCTION draw_revision_of_whole() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP <> 'INSERT' THEN
        EXECUTE format('UPDATE %I.message SET revision = 0 WHERE id = $1', TG_TABLE_SCHEMA)
        USING OLD.message_id;
    END IF;
    IF TG_OP <> 'DELETE' THEN
        EXECUTE format('UPDATE %I.message SET revision = 0 WHERE id = $1', TG_TABLE_SCHEMA)
        USING NEW.message_id;
    END IF;
    RETURN NULL;
END $$
""",
)


def up(migrator: object, db: Database) -> None:
    run(db, COLUMN)
    if isinstance(db, SqliteDatabase):
        _draw_on_sqlite(db)
    else:
        _draw_on_postgres(db)


def _draw_on_sqlite(db: Database) -> None:
    def draw(row: str) -> str:
        return f"UPDATE message SET revision = {RANDOM_SQLITE} WHERE id = {row};"

    db.execute_sql(
        f"CREATE TRIGGER message_revision AFTER UPDATE OF {OF_MESSAGES} ON message BEGIN {draw('NEW.id')} END"
    )
    for table in PARTS:
        for action, row in (("INSERT", "NEW"), ("DELETE", "OLD"), ("UPDATE", "NEW")):
            db.execute_sql(
                f"CREATE TRIGGER {table}_revision_{action.lower()} AFTER {action} ON {table}"
                f" BEGIN {draw(f'{row}.message_id')} END"
            )


def _draw_on_postgres(db: Database) -> None:
    for function in FUNCTIONS:
        db.execute_sql(function.replace("%", "%%"))
    db.execute_sql(
        "CREATE TRIGGER message_revision BEFORE UPDATE ON message"
        " FOR EACH ROW EXECUTE FUNCTION draw_revision()"
    )
    db.execute_sql("ALTER TABLE message ENABLE ALWAYS TRIGGER message_revision")
    for table in PARTS:
        db.execute_sql(
            f"CREATE TRIGGER {table}_revision AFTER INSERT OR UPDATE OR DELETE ON {table}"
            " FOR EACH ROW EXECUTE FUNCTION draw_revision_of_whole()"
        )
        db.execute_sql(f"ALTER TABLE {table} ENABLE ALWAYS TRIGGER {table}_revision")
