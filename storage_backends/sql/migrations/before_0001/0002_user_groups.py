"""User groups, who is in them, and which groups are in which."""

from peewee import Database, SqliteDatabase

from storage_backends.sql.migration import run

STATEMENTS = """
CREATE TABLE user_group (
    id {bigint} PRIMARY KEY, name TEXT NOT NULL UNIQUE, description TEXT NOT NULL, creator_id {bigint},
    date_created {bigint}, deactivated BOOLEAN NOT NULL, settings TEXT NOT NULL
);
CREATE TABLE user_group_member (
    user_id {bigint} NOT NULL, group_id {bigint} NOT NULL, PRIMARY KEY (user_id, group_id)
){without_rowid};
CREATE INDEX user_group_member_group ON user_group_member (group_id, user_id);
CREATE TABLE user_group_subgroup (
    subgroup_id {bigint} NOT NULL, group_id {bigint} NOT NULL, PRIMARY KEY (subgroup_id, group_id)
){without_rowid};
CREATE INDEX user_group_subgroup_group ON user_group_subgroup (group_id, subgroup_id);
CREATE TABLE full_members_announced (id {bigint} PRIMARY KEY, up_to {bigint} NOT NULL);
CREATE INDEX account_joined ON account (date_joined) WHERE role = 400 AND is_active;
"""

SYSTEM_GROUPS = (
    ("role:nobody", "Nobody"),
    ("role:owners", "Owners of this organization"),
    ("role:administrators", "Administrators of this organization, including owners"),
    ("role:moderators", "Moderators of this organization, including administrators"),
    ("role:fullmembers", "Members of this organization, not including new accounts and guests"),
    ("role:members", "Members of this organization, not including guests"),
    ("role:everyone", "Everyone in this organization, including guests"),
    ("role:internet", "Everyone on the Internet"),
)
"""With ids from 1 on. Each but the first two holds the one before; their members follow from roles."""


def up(migrator: object, db: Database) -> None:
    run(db, STATEMENTS)
    place = "?" if isinstance(db, SqliteDatabase) else "%s"
    for group_id, (name, description) in enumerate(SYSTEM_GROUPS, start=1):
        db.execute_sql(
            "INSERT INTO user_group (id, name, description, deactivated, settings)"
            f" VALUES ({', '.join([place] * 5)})",
            (group_id, name, description, False, "{}"),
        )
        if group_id > 2:
            db.execute_sql(
                f"INSERT INTO user_group_subgroup (subgroup_id, group_id) VALUES ({place}, {place})",
                (group_id - 1, group_id),
            )
