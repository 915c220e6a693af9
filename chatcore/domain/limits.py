"""Lengths, counts and times that the API promises or enforces and that may differ, as one value.

Those that are the same everywhere are constants, `MAX_…`, beside the rule that they belong to. Lengths count
Unicode code points, times are seconds.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """The limits of one organization; the defaults are the API's usual values."""

    max_message_length: int = 10_000
    max_topic_length: int = 60
    max_channel_name_length: int = 60
    max_channel_description_length: int = 1024
    max_full_name_length: int = 100
    max_alert_word_length: int = 100
    max_group_name_length: int = 100
    max_group_description_length: int = 10_000

    max_users: int = 100_000
    """Accounts of the organization, bots and deactivated ones too."""
    max_channels: int = 10_000
    """Channels of the organization, archived ones too."""
    max_groups: int = 10_000
    """How many user groups there can be in the organization, deactivated ones too."""
    max_named_in_setting: int = 500
    """People and groups that one permission setting may name besides a single group."""
    max_direct_message_people: int = 500
    """People of one conversation."""

    max_new_channels_per_user_and_day: int = 100
    """A day is one of UTC. Administrators may make any number of channels, groups and emoji."""
    max_new_groups_per_user_and_day: int = 100
    max_new_emoji_per_user_and_day: int = 100
    max_new_group_conversations_per_user_and_day: int = 200
    """Conversations of three people or more: there are as many as there are sets of people."""
    max_returns_per_user_and_day: int = 100
    """Subscriptions to channels that the account has left before, and where something has happened since."""
    max_returns_per_user: int = 2_000
    """Likewise, ever: each is a subscription period of its own."""
    max_mutings_per_user: int = 5_000
    """Times that one account has muted somebody; each is a period of its own."""

    max_group_depth: int = 100
    """Levels of subgroups below a group."""
    max_direct_subgroups: int = 1000
    max_members_told: int = 100
    """Up to so many people in one request are told by a message that they were added or removed."""

    max_messages_per_fetch: int = 5000
    """`num_before` + `num_after`, or the number of `message_ids`."""
    max_fetch_size: int = 16 * 2**20
    """Bytes of all that one fetch reads of messages; a range ends earlier, and asked for by ids they are too
    many. Thousands of ordinary messages have a quarter of it."""
    max_messages_per_flag_range: int = 5000
    max_narrow_terms: int = 100
    max_search_words: int = 50
    max_ids_per_request: int = 10_000
    """How many ids one list parameter may hold where no smaller limit applies."""

    max_subscriptions_per_request: int = 10_000
    """Channels times people."""
    max_subscription_settings_per_request: int = 1000
    max_new_channels_per_request: int = 100
    max_local_id_length: int = 100
    max_event_types: int = 200
    """How many event types a registration may name, and how long each may be."""
    max_event_type_length: int = 100
    session_lifetime: int = 14 * 86_400
    """Of a session in a browser, however much it is used."""

    max_subscribers_told_of_typing: int = 100
    """In a channel with more, nobody is told who is writing."""
    wildcard_mention_free_up_to: int = 15
    """Subscribers or topic participants up to which anybody may use a wildcard mention."""
    max_unread_in_register: int = 50_000
    max_starred_in_register: int = 10_000
    max_recent_direct_messages: int = 1000
    max_bulk_new_subscription_messages: int = 100

    event_queue_idle: int = 600
    event_queue_max_lifespan: int = 604_800
    event_queue_longpoll_timeout: int = 90
    heartbeat_latest: int = 60
    heartbeat_jitter: int = 15
    max_event_queues_per_user: int = 200
    """Registering one more drops the one that has been idle longest."""
    max_event_queues_size_per_user: int = 2**20
    """Bytes of the registrations of all queues of an account, as JSON; likewise."""
    max_event_queue_lag: int = 200_000
    """Log positions a queue may stay behind before it is expired as a whole, never thinned. Positions of the
    last `event_queue_idle` seconds do not count."""
    max_events_per_read: int = 1000
    """Events that are read of the log at once, if they are not larger together than the next limit says;
    sizes are about those in bytes, and one event may be larger."""
    max_event_size_per_read: int = 4 * 2**20
    max_event_size_per_answer: int = 2**20
    """Of the answer to one poll; what is more comes with the next."""
    max_remembered_events: int = 5000
    """Events that a process keeps in memory, in the forms in which they were sent."""
    max_remembered_size: int = 32 * 2**20

    max_edits_per_message: int = 100
    """Of a message with more, the oldest become one, from how it was at first to how it was after them."""
    max_edit_history_length: int = 400_000
    """Likewise, of all the texts together that a message has had, as they were written and as HTML."""
    max_emoji_per_message: int = 100
    """Different emoji among the reactions to one message."""
    max_submessages_per_message: int = 5000
    max_submessages_length: int = 400_000
    """Of the contents of all submessages of one message together."""
    max_submessages_of_account: int = 500
    max_submessages_length_of_account: int = 40_000
    """The same of those that one account adds to a message, so that nobody closes a poll for all."""

    max_topic_policies_per_user: int = 10_000
    """Topics that one account can mute, unmute or follow; with so many, none is added by itself either."""
    max_drafts_per_user: int = 1000
    max_drafts_size: int = 16 * 2**20
    """Bytes of all drafts of an account, which are given out together."""
    max_drafts_in_register: int = 1000
    max_bot_storage_keys: int = 10_000
    """What one account can keep in its storage; and of all keys and values together:"""
    max_bot_storage_length: int = 1_000_000

    max_files_per_message: int = 100
    """To which one message may link."""
    max_file_upload_size_mib: int = 100
    """0 is for no uploads at all."""
    max_unfinished_uploads_per_user: int = 100
    """Uploads of one user that run or rest at a time, the plain ones too."""
    max_files_per_user: int = 50_000
    max_upload_space_per_user_mib: int = 20 * 1024
    """MiB of all files of one account, unfinished ones too."""
    max_uploads_per_user_and_day_mib: int = 5 * 1024
    min_free_disk_mib: int = 512
    """No upload begins or goes on while the file store has less free space."""
    unfinished_upload_lifetime: int = 86_400
    """Seconds without a byte after which an unfinished upload is dropped."""
    announced_upload_lifetime: int = 3_600
    """Likewise, of a resumable upload before its first byte."""
    unlinked_upload_lifetime: int = 35 * 86_400
    """Seconds after which an upload is dropped that no message links to."""
    temporary_url_lifetime: int = 60
    max_avatar_file_size_mib: int = 5
    max_emoji_file_size_mib: int = 5
    max_custom_emoji: int = 5000
    """The deactivated ones too."""
