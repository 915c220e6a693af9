"""Initial state: the caller's messages, topics, drafts and snippets."""

from collections.abc import Mapping

from chatcore.application.messages.unread import unread_of
from chatcore.application.registration.fetch import Fetch
from chatcore.application.visibility.viewers import newest_in_history
from chatcore.domain.messages.flags import Flag
from chatcore.domain.people import setting_values
from chatcore.domain.topics import VisibilityPolicy
from chatcore.events.payloads.drafts import draft_object
from chatcore.events.payloads.saved_snippets import saved_snippet_object
from chatcore.events.payloads.scheduled import reminder_object, scheduled_message_object, shown_object

NO_MESSAGES = -1
"""`max_message_id` of callers who have no messages."""

NOTHING_UNREAD: Mapping[str, object] = {
    "count": 0,
    "pms": [],
    "streams": [],
    "huddles": [],
    "mentions": [],
    "old_unreads_missing": False,
}


def alert_words(fetch: Fetch) -> dict[str, object]:
    return {"alert_words": fetch.snapshot.alert_words.of_user(fetch.user.id)}


def max_message_id(fetch: Fetch) -> dict[str, object]:
    """`max_message_id`: the newest message in the caller's history, not the newest of the organization."""
    assert fetch.actor is not None
    newest = newest_in_history(fetch.snapshot, fetch.actor)
    return {"max_message_id": NO_MESSAGES if newest is None else newest}


def starred_messages(fetch: Fetch) -> dict[str, object]:
    limit = fetch.svc.limits.max_starred_in_register
    return {"starred_messages": fetch.snapshot.flags.with_flag(fetch.user.id, Flag.STARRED, limit)}


def recent_private_conversations(fetch: Fetch) -> dict[str, object]:
    """`recent_private_conversations`: conversations by their newest message; their people without the
    caller.
    """
    recent = fetch.snapshot.conversations.recent(fetch.user.id, fetch.svc.limits.max_recent_direct_messages)
    return {
        "recent_private_conversations": [
            {"max_message_id": newest, "user_ids": sorted(conversation.user_ids - {fetch.user.id})}
            for conversation, newest in recent
        ]
    }


def user_topics(fetch: Fetch) -> dict[str, object]:
    return {
        "user_topics": [
            {
                "stream_id": channel_id,
                "topic_name": fetch.topic_name(topic),
                "last_updated": updated,
                "visibility_policy": int(policy),
            }
            for (channel_id, _), (topic, policy, updated) in fetch.topic_policies.items()
        ]
    }


def muted_topics(fetch: Fetch) -> dict[str, object]:
    """`muted_topics`: the deprecated form of `user_topics`, with muted ones only, and the channel's name."""
    return {
        "muted_topics": [
            [fetch.channels[channel_id].name, fetch.topic_name(topic), updated]
            for (channel_id, _), (topic, policy, updated) in fetch.topic_policies.items()
            if policy == VisibilityPolicy.MUTED
        ]
    }


def unread_msgs(fetch: Fetch) -> dict[str, object]:
    """`unread_msgs`: the newest unread messages by conversation and topic, including muted ones, which are
    not counted.
    """
    unread = unread_of(fetch.snapshot, fetch.viewer, fetch.svc.limits.max_unread_in_register)
    one_to_one = {}
    groups = {}
    for conversation in unread.conversations:
        people = conversation.user_ids
        if len(people) > 2:
            groups[",".join(map(str, sorted(people)))] = conversation.message_ids
        else:
            other_id = min(people - {fetch.user.id}, default=fetch.user.id)  # else with oneself
            one_to_one[other_id] = conversation.message_ids
    return {
        "unread_msgs": {
            "count": unread.count,
            "pms": [
                {"other_user_id": other, "sender_id": other, "unread_message_ids": ids}
                for other, ids in sorted(one_to_one.items())
            ],
            "streams": [
                {
                    "stream_id": topic.channel_id,
                    "topic": fetch.topic_name(topic.topic),
                    "unread_message_ids": topic.message_ids,
                }
                for topic in unread.topics
            ],
            "huddles": [
                {"user_ids_string": people, "unread_message_ids": ids}
                for people, ids in sorted(groups.items())
            ],
            "mentions": unread.mentions,
            "old_unreads_missing": not unread.is_complete,
        }
    }


def drafts(fetch: Fetch) -> dict[str, object]:
    """`drafts`: the drafts that a client starts with; the one edited last is first."""
    assert fetch.actor is not None, "without an account the answer is fixed"
    if not setting_values.value(fetch.user, "enable_drafts_synchronization"):
        return {"drafts": []}
    limit = fetch.svc.limits.max_drafts_in_register
    return {"drafts": [draft_object(d) for d in fetch.snapshot.drafts.newest(fetch.actor.user_id, limit)]}


def saved_snippets(fetch: Fetch) -> dict[str, object]:
    """`saved_snippets`: all of the caller's, oldest first."""
    assert fetch.actor is not None, "without an account the answer is fixed"
    snippets = fetch.snapshot.saved_snippets.of_user(fetch.actor.user_id)
    return {"saved_snippets": [saved_snippet_object(snippet) for snippet in snippets]}


def scheduled_messages(fetch: Fetch) -> dict[str, object]:
    """`scheduled_messages`: the caller's, with those that could not be sent; the first due comes first."""
    media = fetch.svc.settings.foreign_media
    return {
        "scheduled_messages": [
            shown_object(scheduled_message_object(message), media)
            for message in fetch.scheduled
            if not message.is_reminder
        ]
    }


def reminders(fetch: Fetch) -> dict[str, object]:
    """`reminders`: the caller's, with those that could not be delivered; the first due comes first."""
    media = fetch.svc.settings.foreign_media
    return {
        "reminders": [
            shown_object(reminder_object(scheduled), media)
            for scheduled in fetch.scheduled
            if scheduled.is_reminder
        ]
    }
