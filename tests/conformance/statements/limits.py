"""Limits."""

from collections.abc import Mapping

LIMITS: Mapping[str, Mapping[str, str]] = {
    "Limits": {
        "limit.messages": "Messages of one request: 5000",
        "limit.message-length": "Length of a message, as register tells",
        "limit.topic-length": "Length of a topic, as register tells",
        "limit.file-size": "Size of a file, as register tells",
        "limit.queue-idle": "Idle time of a queue: ten minutes",
        "limit.heartbeat": "Between heartbeats: a minute",
        "limit.summary": "Fields in the summary: two",
        "limit.presence-history": "Days of presence history: as asked for, by default 14",
        "limit.flag-range": "Messages of one change of flags: the server may take fewer.",
        "limit.playground": "Variables of a playground's template: one",
    },
}
