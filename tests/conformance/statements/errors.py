"""Errors."""

from collections.abc import Mapping

ERRORS: Mapping[str, Mapping[str, str]] = {
    "Codes": {
        "code.bad-request": "BAD_REQUEST: the general one",
        "code.no-channel": "STREAM_DOES_NOT_EXIST, with `stream`",
        "code.channel-wildcard": "STREAM_WILDCARD_MENTION_NOT_ALLOWED",
        "code.topic-wildcard": "TOPIC_WILDCARD_MENTION_NOT_ALLOWED",
        "code.bad-queue": "BAD_EVENT_QUEUE_ID",
    },
    "Rules": {
        "refused.too-many-messages": "More than 5000 messages at once",
        "refused.ids-and-window": "`message_ids` with what describes a window",
        "refused.register": "Parameters that register refuses without an account",
        "refused.development-key": "dev_fetch_api_key on a production server",
        "refused.no-topic": "No topic where one is demanded",
    },
}
