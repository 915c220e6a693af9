"""Per-user message flags: their names, permissions to set them, and how they are derived.

No row is written for each receiver. A reader's flags follow from subscription periods, the watermark, the
message's own facts and, only where these do not suffice, sparse exceptions.
"""

from collections.abc import Sequence
from enum import IntFlag
from functools import cache
from typing import Literal

from chatcore.domain.errors import BadRequest, shorten


class Flag(IntFlag):
    """Flags of one message for one reader. The values are stored."""

    READ = 1
    STARRED = 2
    COLLAPSED = 4
    MENTIONED = 8
    CHANNEL_WILDCARD = 16
    TOPIC_WILDCARD = 32
    HAS_ALERT_WORD = 64
    HISTORICAL = 128
    CALLED = 1024
    """A bot has received the message because it was mentioned in a channel to which it is not subscribed.
    HISTORICAL is set, too, but not sent to clients. (The store uses the numbers between this one and the one
    above.)
    """

    NONE = 0
    WILDCARD = CHANNEL_WILDCARD | TOPIC_WILDCARD
    ANY_MENTION = MENTIONED | CHANNEL_WILDCARD | TOPIC_WILDCARD


OF_TEXT = Flag.MENTIONED | Flag.TOPIC_WILDCARD | Flag.HAS_ALERT_WORD
"""Per-reader flags that follow from the text of a message; recomputed when the text changes."""

KEPT_WHEN_MOVED = (Flag.STARRED, Flag.COLLAPSED)
"""Flags that a reader has set. They stay while a moved message can still be read."""

OF_CALLED = Flag.MENTIONED | Flag.HISTORICAL | Flag.CALLED
"""Flags of a bot that is mentioned in a channel to which it is not subscribed."""

FLAGS_BY_NAME: dict[str, Flag] = {
    "read": Flag.READ,
    "starred": Flag.STARRED,
    "collapsed": Flag.COLLAPSED,
    "mentioned": Flag.MENTIONED,
    "stream_wildcard_mentioned": Flag.CHANNEL_WILDCARD,
    "topic_wildcard_mentioned": Flag.TOPIC_WILDCARD,
    "has_alert_word": Flag.HAS_ALERT_WORD,
    "historical": Flag.HISTORICAL,
}
"""The single flags by the names that clients receive, in the order in which lists of them are written."""

CHANGEABLE_NAMES = frozenset({"read", "starred", "collapsed"})
_CHANGEABLE_QUOTED = ", ".join(f"'{name}'" for name in FLAGS_BY_NAME if name in CHANGEABLE_NAMES)
KNOWN_NAMES = frozenset(FLAGS_BY_NAME) | {"wildcard_mentioned", "group_mentioned"}

Op = Literal["add", "remove"]

NEVER_RECEIVED = Flag.READ | Flag.HISTORICAL
"""Flags that a reader sees on a readable message that they never received."""


@cache
def flags_as_sent(flags: Flag) -> Sequence[str]:
    """Return the names by which the set flags are sent. `wildcard_mentioned` is only sent, not stored: it
    follows from its two kinds.
    """
    if flags & Flag.CALLED:
        flags &= ~Flag.HISTORICAL
    names = [name for name, flag in FLAGS_BY_NAME.items() if flags & flag]
    if flags & Flag.WILDCARD:
        names.append("wildcard_mentioned")
    return tuple(names)


def changeable_flag(name: str, op: str) -> tuple[Flag, Op]:
    """Return the flag and operation of a client's request, checked in the API's order.

    :raises BadRequest: an unknown flag, one that only the server changes, or an unknown operation
    """
    if name not in KNOWN_NAMES:
        raise BadRequest(f"Invalid flag: '{shorten(name)}'; use one of {_CHANGEABLE_QUOTED}")
    if name not in CHANGEABLE_NAMES:
        raise BadRequest(f"Flag not editable: '{name}'; use one of {_CHANGEABLE_QUOTED}")
    if op == "add":
        return FLAGS_BY_NAME[name], "add"
    if op == "remove":
        return FLAGS_BY_NAME[name], "remove"
    raise BadRequest(f"Invalid message flag operation: '{shorten(op)}'; use 'add' or 'remove'")
