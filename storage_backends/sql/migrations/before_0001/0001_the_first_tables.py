"""Organization, accounts, channels, messages, flags, the event log and its queues."""

from peewee import Database, SqliteDatabase

from storage_backends.sql.migration import run

STATEMENTS = """
CREATE TABLE organization (id {bigint} PRIMARY KEY, data TEXT NOT NULL);

CREATE TABLE log_head (id {bigint} PRIMARY KEY, position {bigint} NOT NULL);
INSERT INTO log_head (id, position) VALUES (1, 0);
CREATE TABLE event (
    id {bigint} PRIMARY KEY, kind TEXT NOT NULL, body TEXT NOT NULL, audience TEXT NOT NULL
);
CREATE TABLE event_queue (
    id TEXT PRIMARY KEY, user_id {bigint} NOT NULL, registration TEXT NOT NULL,
    created_at {bigint} NOT NULL, acknowledged {bigint} NOT NULL, last_seen DOUBLE PRECISION NOT NULL
);
CREATE INDEX event_queue_user ON event_queue (user_id, last_seen);
CREATE TABLE local_echo (
    queue_id TEXT NOT NULL, local_id TEXT NOT NULL, message_id {bigint} NOT NULL, digest TEXT NOT NULL,
    PRIMARY KEY (queue_id, local_id)
);

CREATE TABLE recipient (id {serial}, kind TEXT NOT NULL);
CREATE TABLE account (
    id {bigint} PRIMARY KEY, email TEXT NOT NULL, email_key TEXT NOT NULL UNIQUE,
    full_name TEXT NOT NULL, name_key TEXT NOT NULL, role {bigint} NOT NULL, is_bot BOOLEAN NOT NULL,
    bot_type {bigint}, bot_owner_id {bigint}, is_active BOOLEAN NOT NULL, date_joined {bigint} NOT NULL,
    timezone TEXT NOT NULL, avatar_source TEXT NOT NULL, avatar_version {bigint} NOT NULL,
    email_visibility {bigint} NOT NULL, key_version {bigint} NOT NULL, password_hash TEXT,
    settings TEXT NOT NULL
);
CREATE INDEX account_name ON account (name_key);
CREATE INDEX account_inactive ON account (id) WHERE NOT is_active;
CREATE TABLE login_failure (name_key TEXT NOT NULL, failed_at DOUBLE PRECISION NOT NULL);
CREATE INDEX login_failure_name ON login_failure (name_key, failed_at);
CREATE INDEX login_failure_time ON login_failure (failed_at);

CREATE TABLE channel (
    id {bigint} PRIMARY KEY, name TEXT NOT NULL, name_key TEXT NOT NULL UNIQUE,
    description TEXT NOT NULL, rendered_description TEXT NOT NULL, date_created {bigint} NOT NULL,
    creator_id {bigint}, invite_only BOOLEAN NOT NULL, is_web_public BOOLEAN NOT NULL,
    history_public_to_subscribers BOOLEAN NOT NULL, is_archived BOOLEAN NOT NULL,
    message_retention_days {bigint}, topics_policy TEXT NOT NULL, subscriber_count {bigint} NOT NULL,
    permissions TEXT NOT NULL
);
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

CREATE TABLE conversation (id {bigint} PRIMARY KEY, people TEXT NOT NULL UNIQUE, size {bigint} NOT NULL);
CREATE TABLE conversation_member (
    user_id {bigint} NOT NULL, conversation_id {bigint} NOT NULL, PRIMARY KEY (user_id, conversation_id)
){without_rowid};
CREATE INDEX conversation_member_conversation ON conversation_member (conversation_id, user_id);

CREATE TABLE message (
    id {bigint} PRIMARY KEY, sender_id {bigint} NOT NULL, recipient_id {bigint} NOT NULL,
    topic TEXT NOT NULL, topic_key TEXT{bytewise}, content TEXT NOT NULL, rendered_content TEXT NOT NULL,
    timestamp {bigint} NOT NULL, client TEXT NOT NULL, has_link BOOLEAN NOT NULL,
    has_image BOOLEAN NOT NULL, has_attachment BOOLEAN NOT NULL, channel_wildcard BOOLEAN NOT NULL,
    topic_links TEXT, has_reaction BOOLEAN NOT NULL DEFAULT FALSE
);
CREATE INDEX message_recipient ON message (recipient_id, id);
CREATE INDEX message_topic ON message (recipient_id, topic_key, id);
CREATE INDEX message_sender ON message (recipient_id, sender_id, id);
CREATE INDEX message_with_image ON message (recipient_id, id) WHERE has_image;
CREATE INDEX message_with_attachment ON message (recipient_id, id) WHERE has_attachment;
CREATE INDEX message_with_link ON message (recipient_id, id) WHERE has_link;
CREATE INDEX message_with_reaction ON message (recipient_id, id) WHERE has_reaction;
CREATE INDEX message_resolved ON message (recipient_id, id) WHERE substr(topic, 1, 2) = '✔ ';
CREATE INDEX message_to_all ON message (recipient_id, id) WHERE channel_wildcard;
CREATE TABLE reaction (
    id {serial}, message_id {bigint} NOT NULL, user_id {bigint} NOT NULL, emoji_name TEXT NOT NULL,
    emoji_code TEXT NOT NULL, reaction_type TEXT NOT NULL,
    UNIQUE (message_id, user_id, reaction_type, emoji_code)
);

CREATE TABLE message_flag (
    user_id {bigint} NOT NULL, recipient_id {bigint} NOT NULL, message_id {bigint} NOT NULL,
    bits {bigint} NOT NULL, PRIMARY KEY (user_id, message_id)
){without_rowid};
CREATE INDEX message_flag_recipient ON message_flag (user_id, recipient_id, message_id);
CREATE INDEX message_flag_message ON message_flag (message_id);
CREATE INDEX message_flag_starred ON message_flag (user_id, message_id) WHERE (bits & 2) != 0;
CREATE INDEX message_flag_mentioned ON message_flag (user_id, message_id) WHERE (bits & 40) != 0;
CREATE INDEX message_flag_alerted ON message_flag (user_id, message_id) WHERE (bits & 64) != 0;
CREATE INDEX message_flag_historical ON message_flag (user_id, message_id) WHERE (bits & 128) != 0;
CREATE INDEX message_flag_unread_below ON message_flag (user_id, message_id) WHERE (bits & 512) != 0;
CREATE TABLE read_watermark (
    user_id {bigint} NOT NULL, recipient_id {bigint} NOT NULL, position {bigint} NOT NULL,
    PRIMARY KEY (user_id, recipient_id)
){without_rowid};
CREATE TABLE topic_policy (
    user_id {bigint} NOT NULL, channel_id {bigint} NOT NULL, topic_key TEXT NOT NULL,
    topic TEXT NOT NULL, policy {bigint} NOT NULL, updated {bigint} NOT NULL,
    PRIMARY KEY (user_id, channel_id, topic_key)
);
CREATE INDEX topic_policy_topic ON topic_policy (channel_id, topic_key, user_id);
CREATE TABLE alert_word (
    id {serial}, user_id {bigint} NOT NULL, word_key TEXT NOT NULL, word TEXT NOT NULL,
    first_token TEXT NOT NULL, UNIQUE (user_id, word_key)
);
CREATE INDEX alert_word_token ON alert_word (first_token);

CREATE TABLE import_progress (source TEXT PRIMARY KEY, lines {bigint} NOT NULL, finished BOOLEAN NOT NULL);
"""

SEARCH_SQLITE = """
CREATE VIRTUAL TABLE message_search
    USING fts5 (words, folded UNINDEXED, tokenize = 'ascii', detail = 'none', columnsize = 0);
"""
SEARCH_POSTGRES = """
CREATE TABLE message_search (rowid BIGINT PRIMARY KEY, words TSVECTOR NOT NULL, folded TEXT NOT NULL);
CREATE INDEX message_search_words ON message_search USING gin (words);
"""


def up(migrator: object, db: Database) -> None:
    run(db, STATEMENTS)
    run(db, SEARCH_SQLITE if isinstance(db, SqliteDatabase) else SEARCH_POSTGRES)
