"""Limits that may differ between organizations: lengths, counts and times that the API promises or enforces.

Whoever runs a server may set those with bounds (`SETTABLE`, `chatcore.configuration`). Limits that are the
same everywhere are `MAX_…` constants beside the rule they belong to. Lengths count Unicode code points; times
are in seconds.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any, Final, NamedTuple

from chatcore.domain.times import SECONDS_PER_DAY

MOST_MIB: Final = 2**30
"""The most MiB that a limit of space can be: a petabyte."""


class Bounds(NamedTuple):
    """The least and the most value that a limit can be set to."""

    least: int
    most: int


def settable(default: int, least: int, most: int) -> Any:
    """Return the declaration of a limit that whoever runs a server may set, within bounds."""
    return field(default=default, metadata={"bounds": Bounds(least, most)})


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """The limits of one organization; the defaults are the API's usual values."""

    max_message_length: int = 10_000
    max_topic_length: int = 60
    max_channel_name_length: int = 60
    max_channel_description_length: int = 1024
    max_channel_folder_name_length: int = 60
    max_channel_folder_description_length: int = 1024
    max_full_name_length: int = 100
    max_alert_word_length: int = 100
    max_group_name_length: int = 100
    max_group_description_length: int = 10_000
    max_snippet_title_length: int = 60
    max_reminder_note_length: int = 1000

    max_users: int = settable(100_000, 1, 1_000_000)
    """Accounts of the organization, including bots and deactivated accounts."""
    max_invitations: int = 10_000
    """Valid invitations of the organization, by address and by link."""
    max_named_in_invitation: int = 1000
    """Channels that one invitation may name, and groups."""
    max_channels: int = 10_000
    """Channels of the organization, including archived ones."""
    max_channel_folders: int = 1000
    """Channel folders of the organization, including archived ones."""
    max_default_channel_groups: int = 100
    max_channels_per_default_group: int = 1000
    """Channels that one request may name for a group."""
    max_groups: int = 10_000
    """User groups of the organization, including deactivated ones."""
    max_named_in_setting: int = 500
    """Users and groups that one permission setting may name when it is not a single group."""
    max_direct_message_people: int = 500
    """Participants of one conversation."""

    max_new_channels_per_user_and_day: int = settable(100, 0, 1_000_000)
    """Channels that an account may create in a day, which is one of UTC. Administrators may create any number
    of channels, groups and emoji.
    """
    max_new_groups_per_user_and_day: int = settable(100, 0, 1_000_000)
    """User groups in a day."""
    max_new_emoji_per_user_and_day: int = settable(100, 0, 1_000_000)
    """Custom emoji in a day."""
    max_new_group_conversations_per_user_and_day: int = settable(200, 0, 1_000_000)
    """Conversations of three or more people in a day. Limited because each set of people is a new one."""
    max_reports_per_user_and_day: int = settable(100, 0, 1_000_000)
    """Messages that an account may report to the moderators in a day."""
    max_invitations_per_user_and_day: int = settable(100, 0, 1_000_000)
    """Invitations by address and by link in a day, and mails sent again. Administrators may invite any
    number.
    """
    max_returns_per_user_and_day: int = settable(100, 0, 1_000_000)
    """Resubscriptions in a day to channels that the account had left and that have had activity since."""
    max_returns_per_user: int = 2_000
    """Resubscriptions of one account in total, each of which adds a subscription period."""
    max_mutings_per_user: int = 5_000
    """Times that one account has muted any user; each adds a muting period."""

    max_group_depth: int = 100
    """Levels of subgroups below a group."""
    max_direct_subgroups: int = 1000
    max_notified_members: int = 100
    """Largest number of users added or removed by one request for which each receives a notice."""

    max_messages_per_fetch: int = 5000
    """`num_before` + `num_after`, or the number of `message_ids`."""
    max_fetch_size: int = 16 * 2**20
    """Bytes of messages that one fetch may read. A fetch by range is shortened to fit; a fetch by ids is
    refused. Thousands of ordinary messages take a quarter of it.
    """
    max_messages_per_flag_range: int = 5000
    max_moved_messages: int = 10_000
    """Messages that one request may move or rename, in one unit of work for which other writers wait."""
    max_moved_messages_by_administrators: int = 100_000
    max_narrow_terms: int = 100
    max_search_words: int = 50
    max_ids_per_request: int = 10_000
    """Ids in one list parameter where no smaller limit applies."""

    max_subscriptions_per_request: int = 10_000
    """Number of channels times number of users."""
    max_subscription_settings_per_request: int = 1000
    max_new_channels_per_request: int = 100
    max_local_id_length: int = 100
    max_event_types: int = 200
    """Event types that a registration may name; the next limit is the length of each."""
    max_event_type_length: int = 100
    max_sessions_per_user: int = settable(50, 1, 1000)
    """Browser sessions of one account; another login ends the one that has been unused longest."""
    session_lifetime: int = settable(365 * SECONDS_PER_DAY, 600, 3650 * SECONDS_PER_DAY)
    """Absolute lifetime of a browser session; use does not extend it."""
    session_idle: int = settable(28 * SECONDS_PER_DAY, 600, 3650 * SECONDS_PER_DAY)
    """Seconds without use after which a browser session ends."""

    max_subscribers_notified_of_typing: int = 100
    """In channels with more subscribers, nobody receives typing notifications."""
    wildcard_mention_free_up_to: int = 15
    """Number of subscribers or topic participants up to which anybody may use a wildcard mention."""
    max_unread_in_register: int = 50_000
    max_starred_in_register: int = 10_000
    max_recent_direct_messages: int = 1000
    max_bulk_new_subscription_messages: int = 100

    event_queue_idle: int = 600
    event_queue_max_lifespan: int = 604_800
    event_queue_longpoll_timeout: int = 90
    heartbeat_latest: int = 60
    heartbeat_jitter: int = 15
    max_event_queues_per_user: int = settable(200, 1, 10_000)
    """Registering another queue drops the one that has been idle longest."""
    max_event_queues_size_per_user: int = 2**20
    """Bytes of the registrations of all queues of an account, as JSON; above it, the
    longest idle is dropped.
    """
    max_event_queue_lag: int = 200_000
    """Log positions a queue may lag behind before it is expired as a whole; queues are never thinned.
    Positions of the last `event_queue_idle` seconds do not count.
    """
    max_events_per_read: int = 1000
    """Events read from the log at once, unless their total size reaches the next limit. Size limits are
    approximate, in bytes; a single event may be larger.
    """
    max_events_read_ahead: int = 1000
    """Events about channels and people that are read beyond those that are read at once, to know what is in
    sight now.
    """
    max_event_size_per_read: int = 4 * 2**20
    max_event_size_per_answer: int = 2**20
    """Size of the answer to one poll; the remaining events come with the next poll."""
    max_remembered_events: int = 5000
    """Events that a process caches in memory, in the forms in which they were sent."""
    max_remembered_size: int = 32 * 2**20

    max_edits_per_message: int = 100
    """Beyond this, the oldest edits are merged into one that spans from the original to the state after them.
    """
    max_edit_history_length: int = 400_000
    """Total length of all previous texts of a message, source and HTML; beyond it, edits are merged as well.
    """
    max_emoji_per_message: int = 100
    """Distinct emoji among the reactions to one message."""
    max_submessages_per_message: int = 5000
    max_submessages_length: int = 400_000
    """Total length of all submessages of one message."""
    max_submessages_of_account: int = 500
    max_submessages_length_of_account: int = 40_000
    """Total length of one account's submessages of a message, so that no account alone fills up a poll."""

    max_topic_policies_per_user: int = 10_000
    """Topics that one account can mute, unmute or follow; at the limit, none is added automatically."""
    max_navigation_views_per_user: int = 200
    max_drafts_per_user: int = 1000
    max_drafts_size: int = 16 * 2**20
    """Bytes of all drafts of an account, which are returned together."""
    max_drafts_in_register: int = 1000
    max_saved_snippets_per_user: int = 1000
    max_saved_snippets_size: int = 16 * 2**20
    """Bytes of all saved snippets of an account, which are returned together."""
    max_scheduled_messages_per_user: int = 1000
    max_reminders_per_user: int = 1000
    max_scheduled_size: int = 16 * 2**20
    """Bytes of all scheduled messages and reminders of an account, as source and as HTML."""
    max_bots: int = 10_000
    """Bots of the organization, including deactivated ones."""
    max_bots_per_user: int = settable(100, 0, 10_000)
    """Bots that one account may own, including deactivated ones."""
    max_bot_calls: int = 1000
    """Messages that may wait for the service of one bot."""
    max_bot_calls_of_account: int = 100
    """Messages of one sender among them, so that no account alone keeps those of all others from a bot."""
    max_bot_storage_keys: int = 10_000
    """Keys in the storage of one account; the next limit is the total length of its keys and values."""
    max_bot_storage_length: int = 1_000_000

    max_files_per_message: int = 100
    """Files to which one message may link."""
    max_file_upload_size_mib: int = settable(100, 0, 4096)
    """MiB of one file; 0 disables uploads."""
    max_unfinished_uploads_per_user: int = 100
    """Unfinished uploads of one user at a time, running or paused, including non-resumable ones."""
    max_files_per_user: int = 50_000
    max_upload_space_per_user_mib: int = settable(20 * 1024, 0, MOST_MIB)
    """MiB of all files of one account, including unfinished uploads."""
    max_upload_space_mib: int = settable(0, 0, MOST_MIB)
    """MiB of all files of an organization, including unfinished uploads; 0 for any number. The owners may set
    less for themselves (`upload_quota_mib`).
    """
    max_uploads_per_user_and_day_mib: int = settable(5 * 1024, 0, MOST_MIB)
    """MiB that an account may upload in a day."""
    min_free_disk_mib: int = settable(512, 0, MOST_MIB)
    """MiB: uploads are refused or stopped while the disk of the files has less free space."""
    unfinished_upload_lifetime: int = SECONDS_PER_DAY
    """Seconds without new bytes after which an unfinished upload is dropped."""
    announced_upload_lifetime: int = 3_600
    """Seconds after which a resumable upload is dropped that has received no byte at all."""
    unlinked_upload_lifetime: int = settable(35 * SECONDS_PER_DAY, SECONDS_PER_DAY, 3650 * SECONDS_PER_DAY)
    """Seconds after which an upload is dropped that no message links to."""
    temporary_url_lifetime: int = 60
    max_mail_size: int = 25 * 2**20
    """Bytes of a mail to the address of a channel."""
    max_mail_attachments: int = 20
    """Attachments of one mail that are stored."""
    max_mails_per_channel_and_hour: int = settable(100, 0, 100_000)
    """Mails that become messages of one channel in an hour, and answers by mail of one person; later ones are
    put off.
    """
    mail_receipt_lifetime: int = 7 * SECONDS_PER_DAY
    """Seconds in which a second delivery of a mail is recognized."""
    max_avatar_file_size_mib: int = 5
    max_emoji_file_size_mib: int = 5
    max_icon_file_size_mib: int = 5
    max_logo_file_size_mib: int = 5
    max_exports_per_week: int = settable(5, 0, 1000)
    """Exports that administrators may request in a week."""
    max_exports_of_person_per_week: int = settable(3, 0, 1000)
    """Exports of one person's data that one account requests in a week."""
    max_exports_kept: int = settable(20, 1, 1000)
    """Exports that are running or not deleted."""
    max_messages_per_export: int = settable(250_000, 0, 1_000_000_000)
    """Messages of an organization that a running server exports."""
    max_export_files_mib: int = settable(10 * 1024, 0, MOST_MIB)
    """MiB of all files of an organization that a running server exports."""
    max_custom_emoji: int = 5000
    """Includes deactivated emoji."""


SETTABLE: Final[Mapping[str, Bounds]] = {
    limit.name: limit.metadata["bounds"] for limit in fields(Limits) if "bounds" in limit.metadata
}
"""The limits that whoever runs a server may set, with their bounds."""
