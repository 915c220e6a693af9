"""Topic names, their comparison, and personal policies for topics."""

from enum import IntEnum

from chatcore.domain.characters import check_characters
from chatcore.domain.errors import BadRequest, too_long
from chatcore.domain.limits import Limits

RESOLVED_PREFIX = "✔ "
NO_TOPIC = "(no topic)"


class VisibilityPolicy(IntEnum):
    """A user's policy for one topic, as the API numbers it."""

    INHERIT = 0
    MUTED = 1
    UNMUTED = 2
    FOLLOWED = 3


class TopicsPolicy:
    """Values of `topics_policy`, for channels and (except INHERIT) for the organization."""

    INHERIT = "inherit"
    ALLOW_EMPTY = "allow_empty_topic"
    DISABLE_EMPTY = "disable_empty_topic"
    EMPTY_ONLY = "empty_topic_only"
    ALL = (INHERIT, ALLOW_EMPTY, DISABLE_EMPTY, EMPTY_ONLY)


def topic_key(topic: str) -> str:
    """Return the key under which spellings of one topic are equal: topics ignore case."""
    return topic.lower()


def is_resolved(topic: str) -> bool:
    return topic.startswith(RESOLVED_PREFIX)


def read_topic(raw: str, empty_display_name: str) -> str:
    """Return a client's topic, stripped; the names of the empty topic become ``""``."""
    topic = raw.strip()
    return "" if topic in (NO_TOPIC, empty_display_name) else topic


def truncated_topic(topic: str, limits: Limits) -> str:
    """Return a topic of at most the maximum length; one that is longer ends with three dots instead."""
    return topic if len(topic) <= limits.max_topic_length else topic[: limits.max_topic_length - 3] + "..."


def topic_for_sending(raw: str, *, empty_display_name: str, policy: str, limits: Limits) -> str:
    """Return the topic of a message sent with *raw*, truncated if it is too long.

    *policy* is the effective one, after inheritance.

    :raises BadRequest: forbidden characters in what is kept, or an empty (or named) topic where the policy
        excludes it
    """
    topic = truncated_topic(read_topic(raw, empty_display_name), limits)
    check_characters(topic, "topic")
    if not topic and policy == TopicsPolicy.DISABLE_EMPTY:
        raise BadRequest("Topics are required in this channel.", empty_topic_display_name=empty_display_name)
    if topic and policy == TopicsPolicy.EMPTY_ONLY:
        raise BadRequest(
            f"Only the '{empty_display_name}' topic is allowed in this channel.",
            empty_topic_display_name=empty_display_name,
        )
    return topic


def topic_in_setting(raw: str, *, limits: Limits) -> str:
    """Check the topic of a personal setting and return it stripped. The topic need not have any messages, and
    may be a name of the empty topic, which `read_topic` knows.

    :raises BadRequest: a topic that is too long: here it is not truncated; or forbidden characters
    """
    topic = raw.strip()
    if len(topic) > limits.max_topic_length:
        raise too_long("topic", limits.max_topic_length)
    check_characters(topic, "topic")
    return topic
