"""Events."""

from collections.abc import Mapping

EVENTS: Mapping[str, Mapping[str, str]] = {
    "Queues": {
        "events.long-polling": "A client registers and polls with `queue_id` and `last_event_id`.",
        "events.dropped": "A queue is dropped after ten idle minutes; then BAD_EVENT_QUEUE_ID.",
        "events.heartbeat": "A heartbeat comes every minute.",
    },
    "Types": {
        "event.message": "`message`",
        "event.subscription": "`subscription`",
        "event.realm-user": "`realm_user`, with add and remove among others",
        "event.user-topic": "`user_topic`",
        "event.drafts": "`drafts`",
        "event.realm-linkifiers": "`realm_linkifiers`",
        "event.realm-emoji": "`realm_emoji`",
        "event.user-settings": "`user_settings`",
        "event.global-notifications": "`update_global_notifications`",
        "event.display-settings": "`update_display_settings`",
        "event.stream": "`stream`",
        "event.delete-message": "`delete_message`, of several messages or of one",
        "event.archived-channels": "Without `archived_channels` none is about such a channel.",
        "event.heartbeat": "`heartbeat`",
    },
    "Causes": {
        "cause.local-echo": "Sending with `queue_id` and `local_id`: the `message` has the latter",
        "cause.topic-policy": "Sending that changes a policy: `user_topic`, before the message",
        "cause.draft-edited": "Editing a draft: `drafts`",
        "cause.group-deactivated": "Deactivating a group: a remove event, for older clients",
    },
}
