"""Statuses of users: a short text and an emoji."""

from dataclasses import dataclass, replace
from typing import Final, Literal, TypedDict

from chatcore.domain.characters import check_characters
from chatcore.domain.emoji import Emoji
from chatcore.domain.errors import too_long

MAX_STATUS_TEXT_LENGTH = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class Status:
    """A status. An empty text means that the part is not set. Being away is a setting of the account."""

    status_text: str = ""
    emoji_name: str = ""
    emoji_code: str = ""
    reaction_type: str = ""

    @property
    def is_set(self) -> bool:
        return bool(self.status_text or self.emoji_name)

    def with_emoji(self, emoji: Emoji) -> "Status":
        return replace(self, emoji_name=emoji.name, emoji_code=emoji.code, reaction_type=emoji.reaction_type)


NO_EMOJI = Emoji("", "", "")

Part = Literal["status_text", "emoji_name", "emoji_code", "reaction_type"]
PARTS: Final[tuple[Part, ...]] = ("status_text", "emoji_name", "emoji_code", "reaction_type")


class StatusParts(TypedDict, total=False):
    """Parts of a status as clients read them, with whether the user is away."""

    status_text: str
    emoji_name: str
    emoji_code: str
    reaction_type: str
    away: bool


def changed_parts(old: Status, new: Status) -> StatusParts:
    """Return the parts that differ, with their new values."""
    changed: StatusParts = {}
    for part in PARTS:
        if getattr(old, part) != getattr(new, part):
            changed[part] = getattr(new, part)
    return changed


def checked_status_text(raw: str) -> str:
    """Check a status text and return it stripped.

    :raises BadRequest: too long, or with forbidden characters
    """
    text = raw.strip()
    if len(text) > MAX_STATUS_TEXT_LENGTH:
        raise too_long("status_text", MAX_STATUS_TEXT_LENGTH)
    check_characters(text, "status_text")
    return text
