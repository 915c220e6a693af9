"""The tables of an organization, with their initial rows.

The Models of `storage_backends.sql.schema` describe the same tables; a test compares the two.
"""

from peewee import Database, SqliteDatabase

from storage_backends.sql.migration import run

STATEMENTS = """
CREATE TABLE organization (id {bigint} PRIMARY KEY, data TEXT NOT NULL);
CREATE TABLE linkifier (
    id {serial}, place {bigint} NOT NULL, pattern TEXT NOT NULL, url_template TEXT NOT NULL
);
CREATE TABLE playground (
    id {serial}, name TEXT NOT NULL, highlighter_language TEXT NOT NULL, url_template TEXT NOT NULL,
    UNIQUE (highlighter_language, name)
);
CREATE TABLE custom_emoji (
    id {serial}, name TEXT NOT NULL, author_id {bigint} NOT NULL, token TEXT NOT NULL UNIQUE,
    content_type TEXT NOT NULL, is_animated BOOLEAN NOT NULL, deactivated BOOLEAN NOT NULL
);
CREATE UNIQUE INDEX custom_emoji_active ON custom_emoji (name) WHERE NOT deactivated;
CREATE TABLE import_progress (
    source TEXT PRIMARY KEY, lines {bigint} NOT NULL, finished BOOLEAN NOT NULL
);

CREATE TABLE event (
    id {bigint} PRIMARY KEY, kind TEXT NOT NULL, body TEXT NOT NULL, audience TEXT NOT NULL
);
CREATE TABLE log_head (id {bigint} PRIMARY KEY, position {bigint} NOT NULL);
INSERT INTO log_head (id, position) VALUES (1, 0);
CREATE TABLE adopted_log (identity TEXT NOT NULL);
CREATE TABLE event_queue (
    id TEXT PRIMARY KEY, user_id {bigint} NOT NULL, registration TEXT NOT NULL,
    created_at {bigint} NOT NULL, acknowledged {bigint} NOT NULL, last_seen DOUBLE PRECISION NOT NULL,
    heartbeat {bigint} NOT NULL DEFAULT 0
);
CREATE INDEX event_queue_user ON event_queue (user_id, last_seen);
CREATE TABLE local_echo (
    queue_id TEXT NOT NULL, local_id TEXT NOT NULL, message_id {bigint} NOT NULL, digest TEXT NOT NULL,
    PRIMARY KEY (queue_id, local_id)
);

CREATE TABLE account (
    id {bigint} PRIMARY KEY, email TEXT NOT NULL, email_key TEXT NOT NULL UNIQUE, full_name TEXT NOT NULL,
    name_key TEXT NOT NULL, role {bigint} NOT NULL, is_bot BOOLEAN NOT NULL, bot_type {bigint},
    bot_owner_id {bigint}, is_active BOOLEAN NOT NULL, date_joined {bigint} NOT NULL,
    timezone TEXT NOT NULL, avatar_source TEXT NOT NULL, avatar_version {bigint} NOT NULL,
    avatar_key TEXT NOT NULL DEFAULT '', email_visibility {bigint} NOT NULL,
    key_version {bigint} NOT NULL, password_hash TEXT, settings TEXT NOT NULL,
    can_change_user_emails BOOLEAN NOT NULL DEFAULT FALSE, can_create_users BOOLEAN NOT NULL DEFAULT FALSE
);
CREATE INDEX account_name ON account (name_key);
CREATE INDEX account_inactive ON account (id) WHERE NOT is_active;
CREATE INDEX account_joined ON account (date_joined) WHERE ((role = 400) AND is_active);
CREATE TABLE login_failure (name_key TEXT NOT NULL, failed_at DOUBLE PRECISION NOT NULL);
CREATE INDEX login_failure_name ON login_failure (name_key, failed_at);
CREATE INDEX login_failure_time ON login_failure (failed_at);
CREATE TABLE known_network (
    user_id {bigint} NOT NULL, network TEXT NOT NULL, seen_at {bigint} NOT NULL,
    PRIMARY KEY (user_id, network)
){without_rowid};
CREATE TABLE daily_use (
    user_id {bigint} NOT NULL, what TEXT NOT NULL, day {bigint} NOT NULL, amount {bigint} NOT NULL,
    PRIMARY KEY (user_id, what)
){without_rowid};
CREATE {unlogged}TABLE request_count (
    name TEXT NOT NULL, until {bigint} NOT NULL, amount {bigint} NOT NULL, PRIMARY KEY (name, until)
){without_rowid};
CREATE INDEX request_count_until ON request_count (until);

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
CREATE TABLE user_presence (
    user_id {bigint} PRIMARY KEY, active_at {bigint}, connected_at {bigint} NOT NULL,
    update_id {bigint} NOT NULL
);
CREATE INDEX user_presence_update ON user_presence (update_id);
CREATE TABLE muting_period (
    user_id {bigint} NOT NULL, muted_id {bigint} NOT NULL, start_position {bigint} NOT NULL,
    until_position {bigint}, muted_at {bigint} NOT NULL, PRIMARY KEY (user_id, muted_id, start_position)
){without_rowid};
CREATE INDEX muting_period_muted ON muting_period (muted_id, user_id);
CREATE TABLE alert_word (
    id {serial}, user_id {bigint} NOT NULL, word_key TEXT NOT NULL, word TEXT NOT NULL,
    first_token TEXT NOT NULL, UNIQUE (user_id, word_key)
);
CREATE INDEX alert_word_token ON alert_word (first_token);
CREATE TABLE draft (
    id {serial}, user_id {bigint} NOT NULL, type TEXT NOT NULL, recipients TEXT NOT NULL,
    topic TEXT NOT NULL, content TEXT NOT NULL, timestamp {bigint} NOT NULL
);
CREATE INDEX draft_user ON draft (user_id, timestamp, id);
CREATE TABLE bot_storage (
    user_id {bigint} NOT NULL, name TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (user_id, name)
){without_rowid};

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

CREATE TABLE channel (
    id {bigint} PRIMARY KEY, name TEXT NOT NULL, name_key TEXT NOT NULL UNIQUE, description TEXT NOT NULL,
    rendered_description TEXT NOT NULL, date_created {bigint} NOT NULL, creator_id {bigint},
    invite_only BOOLEAN NOT NULL, is_web_public BOOLEAN NOT NULL,
    history_public_to_subscribers BOOLEAN NOT NULL, is_archived BOOLEAN NOT NULL,
    message_retention_days {bigint}, topics_policy TEXT NOT NULL, subscriber_count {bigint} NOT NULL,
    permissions TEXT NOT NULL
);
CREATE TABLE channel_event (channel_id {bigint} PRIMARY KEY, position {bigint} NOT NULL);
CREATE TABLE channel_traffic (
    channel_id {bigint} NOT NULL, day {bigint} NOT NULL, messages {bigint} NOT NULL,
    PRIMARY KEY (channel_id, day)
){without_rowid};
CREATE TABLE subscription (
    user_id {bigint} NOT NULL, channel_id {bigint} NOT NULL, active BOOLEAN NOT NULL, color TEXT NOT NULL,
    is_muted BOOLEAN NOT NULL, pin_to_top BOOLEAN NOT NULL, desktop_notifications BOOLEAN,
    email_notifications BOOLEAN, push_notifications BOOLEAN, audible_notifications BOOLEAN,
    wildcard_mentions_notify BOOLEAN, PRIMARY KEY (user_id, channel_id)
){without_rowid};
CREATE INDEX subscription_channel ON subscription (channel_id, user_id) WHERE active;
CREATE TABLE subscription_period (
    user_id {bigint} NOT NULL, recipient_id {bigint} NOT NULL, start_position {bigint} NOT NULL,
    until_position {bigint}, PRIMARY KEY (user_id, recipient_id, start_position)
){without_rowid};
CREATE INDEX subscription_period_recipient ON subscription_period (recipient_id, user_id);
CREATE TABLE topic_policy (
    user_id {bigint} NOT NULL, channel_id {bigint} NOT NULL, topic_key TEXT NOT NULL, topic TEXT NOT NULL,
    policy {bigint} NOT NULL, updated {bigint} NOT NULL, PRIMARY KEY (user_id, channel_id, topic_key)
);
CREATE INDEX topic_policy_topic ON topic_policy (channel_id, topic_key, user_id);

CREATE TABLE recipient (id {serial}, kind TEXT NOT NULL);
CREATE TABLE conversation (id {bigint} PRIMARY KEY, people TEXT NOT NULL UNIQUE, size {bigint} NOT NULL);
CREATE TABLE conversation_member (
    user_id {bigint} NOT NULL, conversation_id {bigint} NOT NULL, PRIMARY KEY (user_id, conversation_id)
){without_rowid};
CREATE INDEX conversation_member_conversation ON conversation_member (conversation_id, user_id);
CREATE TABLE message (
    id {bigint} PRIMARY KEY, sender_id {bigint} NOT NULL, recipient_id {bigint} NOT NULL,
    topic TEXT NOT NULL, topic_key TEXT{bytewise}, folded_topic TEXT NOT NULL DEFAULT '',
    topic_links TEXT, content TEXT NOT NULL, rendered_content TEXT NOT NULL, timestamp {bigint} NOT NULL,
    client TEXT NOT NULL, has_link BOOLEAN NOT NULL, has_image BOOLEAN NOT NULL,
    has_attachment BOOLEAN NOT NULL, has_reaction BOOLEAN NOT NULL DEFAULT FALSE,
    has_submessages BOOLEAN NOT NULL DEFAULT FALSE, has_edits BOOLEAN NOT NULL DEFAULT FALSE,
    channel_wildcard BOOLEAN NOT NULL, last_edit_timestamp {bigint}, last_moved_timestamp {bigint},
    arrived_at {bigint}, moved_from {bigint}, arrives_read BOOLEAN NOT NULL DEFAULT FALSE
);
CREATE INDEX message_recipient ON message (recipient_id, id);
CREATE INDEX message_topic ON message (recipient_id, topic_key, id);
CREATE INDEX message_sender ON message (recipient_id, sender_id, id);
CREATE INDEX message_with_image ON message (recipient_id, id) WHERE has_image;
CREATE INDEX message_with_attachment ON message (recipient_id, id) WHERE has_attachment;
CREATE INDEX message_with_link ON message (recipient_id, id) WHERE has_link;
CREATE INDEX message_with_reaction ON message (recipient_id, id) WHERE has_reaction;
CREATE INDEX message_to_all ON message (recipient_id, id) WHERE channel_wildcard;
CREATE INDEX message_resolved ON message (recipient_id, id) WHERE (substr(topic, 1, 2) = '✔ ');
CREATE INDEX message_arrived ON message (recipient_id, id, arrived_at) WHERE (arrived_at IS NOT NULL);
CREATE TABLE message_edit (
    id {serial}, message_id {bigint} NOT NULL, user_id {bigint} NOT NULL, timestamp {bigint} NOT NULL,
    prev_content TEXT, prev_rendered_content TEXT, prev_topic TEXT, topic TEXT, prev_channel_id {bigint},
    channel_id {bigint}, prev_arrived_at {bigint}
);
CREATE INDEX message_edit_message ON message_edit (message_id, id);
CREATE TABLE reaction (
    id {serial}, message_id {bigint} NOT NULL, user_id {bigint} NOT NULL, emoji_name TEXT NOT NULL,
    emoji_code TEXT NOT NULL, reaction_type TEXT NOT NULL,
    UNIQUE (message_id, user_id, reaction_type, emoji_code)
);
CREATE TABLE submessage (
    id {serial}, message_id {bigint} NOT NULL, sender_id {bigint} NOT NULL, msg_type TEXT NOT NULL,
    content TEXT NOT NULL
);
CREATE INDEX submessage_message ON submessage (message_id, id);
CREATE TABLE message_flag (
    user_id {bigint} NOT NULL, recipient_id {bigint} NOT NULL, message_id {bigint} NOT NULL,
    bits {bigint} NOT NULL, PRIMARY KEY (user_id, message_id)
){without_rowid};
CREATE INDEX message_flag_recipient ON message_flag (user_id, recipient_id, message_id);
CREATE INDEX message_flag_message ON message_flag (message_id);
CREATE INDEX message_flag_starred ON message_flag (user_id, message_id) WHERE ((bits & 2) != 0);
CREATE INDEX message_flag_mentioned ON message_flag (user_id, message_id) WHERE ((bits & 40) != 0);
CREATE INDEX message_flag_alerted ON message_flag (user_id, message_id) WHERE ((bits & 64) != 0);
CREATE INDEX message_flag_historical ON message_flag (user_id, message_id) WHERE ((bits & 128) != 0);
CREATE INDEX message_flag_unread_below ON message_flag (user_id, message_id) WHERE ((bits & 512) != 0);
CREATE TABLE read_watermark (
    user_id {bigint} NOT NULL, recipient_id {bigint} NOT NULL, position {bigint} NOT NULL,
    PRIMARY KEY (user_id, recipient_id)
){without_rowid};

CREATE TABLE attachment (
    id {serial}, path_id TEXT NOT NULL UNIQUE, owner_id {bigint} NOT NULL, name TEXT NOT NULL,
    content_type TEXT NOT NULL, is_shown BOOLEAN NOT NULL, size {bigint} NOT NULL,
    created {bigint} NOT NULL, unlinked_since {bigint}
);
CREATE INDEX attachment_owner ON attachment (owner_id, id);
CREATE INDEX attachment_unlinked ON attachment (unlinked_since) WHERE (unlinked_since IS NOT NULL);
CREATE TABLE attachment_link (
    attachment_id {bigint} NOT NULL, message_id {bigint} NOT NULL, PRIMARY KEY (attachment_id, message_id)
){without_rowid};
CREATE INDEX attachment_link_message ON attachment_link (message_id, attachment_id);
CREATE TABLE unfinished_upload (
    path_id TEXT PRIMARY KEY, owner_id {bigint} NOT NULL, name TEXT NOT NULL, content_type TEXT NOT NULL,
    metadata TEXT NOT NULL, length {bigint}, position {bigint} NOT NULL, expires_at {bigint} NOT NULL
);
CREATE INDEX unfinished_upload_owner ON unfinished_upload (owner_id);
CREATE INDEX unfinished_upload_expiry ON unfinished_upload (expires_at);
CREATE TABLE upload_space (id {bigint} PRIMARY KEY, used {bigint} NOT NULL);
INSERT INTO upload_space (id, used) VALUES (1, 0);
CREATE TABLE upload_space_of_user (
    owner_id {bigint} PRIMARY KEY, files {bigint} NOT NULL, used {bigint} NOT NULL
);
"""

SEARCH_SQLITE = """
CREATE VIRTUAL TABLE message_search
    USING fts5 (words, place, folded UNINDEXED, tokenize = 'ascii', detail = 'none', columnsize = 0);
"""
SEARCH_POSTGRES = """
CREATE TABLE message_search (
    rowid BIGINT PRIMARY KEY, words TSVECTOR NOT NULL, place TSVECTOR NOT NULL, folded TEXT NOT NULL
);
CREATE INDEX message_search_words ON message_search USING gin ((words || place));
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


def up(migrator: object, db: Database) -> None:
    run(db, STATEMENTS)
    run(db, SEARCH_SQLITE if isinstance(db, SqliteDatabase) else SEARCH_POSTGRES)
    _make_system_groups(db)


def _make_system_groups(db: Database) -> None:
    """Make the system groups. Each, except for the first two, has the one before it as a subgroup."""
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
