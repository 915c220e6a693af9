"""Topic names, how they compare, and what a person may have set for a topic."""

from enum import IntEnum

from chatcore.domain.characters import check_characters
from chatcore.domain.errors import BadRequest
from chatcore.domain.limits import Limits

RESOLVED_PREFIX = "✔ "
NO_TOPIC = "(no topic)"


class VisibilityPolicy(IntEnum):
    """A person's policy for one topic, as the API numbers it."""

    INHERIT = 0
    MUTED = 1
    UNMUTED = 2
    FOLLOWED = 3


class TopicsPolicy:
    """Values of `topics_policy`, of a channel and (but for INHERIT) of the organization."""

    INHERIT = "inherit"
    ALLOW_EMPTY = "allow_empty_topic"
    DISABLE_EMPTY = "disable_empty_topic"
    EMPTY_ONLY = "empty_topic_only"
    ALL = (INHERIT, ALLOW_EMPTY, DISABLE_EMPTY, EMPTY_ONLY)


def topic_key(topic: str) -> str:
    """What two spellings of one topic have in common; topics compare without regard to case."""
    return topic.lower()


def is_resolved(topic: str) -> bool:
    return topic.startswith(RESOLVED_PREFIX)


def read_topic(raw: str, empty_display_name: str) -> str:
    """A topic as a client names it: stripped, the spellings of the empty topic read as ``""``."""
    topic = raw.strip()
    return "" if topic in (NO_TOPIC, empty_display_name) else topic


def topic_for_sending(raw: str, *, empty_display_name: str, policy: str, limits: Limits) -> str:
    """The topic that a message sent with *raw* gets; one that is too long is cut with three dots.

    *policy* is the effective one, inherited already.

    :raises BadRequest: forbidden characters, or an empty (or named) topic where the policy excludes it
    """
    topic = read_topic(raw, empty_display_name)
    check_characters(topic, "topic")
    if len(topic) > limits.max_topic_length:
        topic = topic[: limits.max_topic_length - 3] + "..."
    if not topic and policy == TopicsPolicy.DISABLE_EMPTY:
        raise BadRequest("Topics are required in this channel.", empty_topic_display_name=empty_display_name)
    if topic and policy == TopicsPolicy.EMPTY_ONLY:
        raise BadRequest(
            f"Only the '{empty_display_name}' topic is allowed in this channel.",
            empty_topic_display_name=empty_display_name,
        )
    return topic


def topic_in_setting(raw: str, *, empty_display_name: str, limits: Limits) -> str:
    """The topic that a personal setting is about, which need not have any message.

    :raises BadRequest: forbidden characters, or a topic that is too long: here it is not cut
    """
    topic = read_topic(raw, empty_display_name)
    check_characters(topic, "topic")
    if len(topic) > limits.max_topic_length:
        raise BadRequest(f"topic is too long (limit: {limits.max_topic_length} characters)")
    return topic
