"""Reports of messages to the moderators."""

from collections.abc import Mapping
from typing import Final

from chatcore.domain.characters import check_characters
from chatcore.domain.choices import require_one_of
from chatcore.domain.errors import BadRequest, too_long
from chatcore.domain.limits import Limits
from chatcore.domain.messages.messages import TRUNCATED

REASONS: Final[Mapping[str, str]] = {
    "spam": "Spam",
    "harassment": "Harassment",
    "inappropriate": "Inappropriate content",
    "norms": "Violates the norms of this organization",
    "other": "Other reason",
}
"""Types of reports, with the words for moderators."""
MAX_DESCRIPTION_LENGTH: Final = 1000
MAX_QUOTED_LENGTH: Final = 500
"""Characters of the reported message that a report repeats."""
TOPIC_ENDING: Final = "'s moderation requests"


def checked_description(report_type: str, description: str) -> str:
    """Return the reporter's description without outer blanks.

    :raises InvalidParameter: no such type
    :raises BadRequest: too long, invalid characters, or missing for the type 'other'
    """
    require_one_of("report_type", report_type, REASONS)
    if len(description) > MAX_DESCRIPTION_LENGTH:
        raise too_long("description", MAX_DESCRIPTION_LENGTH)
    check_characters(description.replace("\n", " ").replace("\r", " "), "description")
    description = description.strip()
    if report_type == "other" and not description:
        raise BadRequest("For reason=other, description is required.")
    return description


def shortened_message(content: str) -> str:
    """Return the beginning of a reported message."""
    if len(content) <= MAX_QUOTED_LENGTH:
        return content
    return content[:MAX_QUOTED_LENGTH] + TRUNCATED


def topic_of_reports(full_name: str, limits: Limits) -> str:
    """Return the topic of all reports about one person."""
    return full_name[: limits.max_topic_length - len(TOPIC_ENDING)] + TOPIC_ENDING
