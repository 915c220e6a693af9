"""The audit log, whose entries stay as they are: triggers refuse whatever else asks to change them."""

from peewee import Database, SqliteDatabase

from storage_backends.sql.migration import run

STATEMENTS = """
CREATE TABLE audit_entry (
    id {serial}, at {bigint} NOT NULL, kind TEXT NOT NULL, actor_id {bigint}, origin TEXT NOT NULL,
    client TEXT NOT NULL, address TEXT NOT NULL, target_type TEXT NOT NULL, target_id {bigint},
    before TEXT NOT NULL, after TEXT NOT NULL, personal TEXT NOT NULL
);
CREATE INDEX audit_entry_at ON audit_entry (at);
CREATE INDEX audit_entry_kind ON audit_entry (kind, id);
CREATE INDEX audit_entry_actor ON audit_entry (actor_id, id);
CREATE INDEX audit_entry_target ON audit_entry (target_type, target_id, id);
CREATE TABLE audit_retention (id {bigint} NOT NULL PRIMARY KEY, kept_since {bigint} NOT NULL);
INSERT INTO audit_retention (id, kept_since) VALUES (1, 0);
"""
FIXED = ("id", "at", "kind", "actor_id", "origin", "client", "target_type", "target_id", "before", "after")
REFUSAL = "the audit log keeps its entries"
IS_KEPT = "OLD.at >= (SELECT coalesce(max(kept_since), 0) FROM {schema}audit_retention)"


def up(migrator: object, db: Database) -> None:
    run(db, STATEMENTS)
    is_sqlite = isinstance(db, SqliteDatabase)
    differs = "IS NOT" if is_sqlite else "IS DISTINCT FROM"
    changes = " OR ".join(
        [
            *(f"NEW.{name} {differs} OLD.{name}" for name in FIXED),
            "(NEW.address <> OLD.address AND NEW.address <> '')",
            "(NEW.personal <> OLD.personal AND NEW.personal <> '{}')",
        ]
    )
    if is_sqlite:
        for action, refused in (("UPDATE", changes), ("DELETE", IS_KEPT.format(schema=""))):
            db.execute_sql(
                f"CREATE TRIGGER audit_entry_{action.lower()} BEFORE {action} ON audit_entry"
                f" WHEN {refused} BEGIN SELECT RAISE(ABORT, '{REFUSAL}'); END"
            )
        return
    # The names are qualified, as restoring a dump empties the search path.
    db.execute_sql(
        "CREATE FUNCTION keep_audit_entry() RETURNS trigger LANGUAGE plpgsql AS $$ DECLARE kept bigint; BEGIN"
        " EXECUTE format('SELECT coalesce(max(kept_since), 0) FROM %%I.audit_retention', TG_TABLE_SCHEMA)"
        " INTO kept;"
        f" IF TG_OP = 'DELETE' THEN IF OLD.at >= kept THEN RAISE EXCEPTION '{REFUSAL}'; END IF; RETURN OLD;"
        f" END IF; IF {changes} THEN RAISE EXCEPTION '{REFUSAL}'; END IF; RETURN NEW; END $$"
    )
    db.execute_sql(
        "CREATE TRIGGER audit_entry_kept BEFORE UPDATE OR DELETE ON audit_entry"
        " FOR EACH ROW EXECUTE FUNCTION keep_audit_entry()"
    )
