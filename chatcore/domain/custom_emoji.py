"""The organization's own emoji: what they are called, who may add and remove them, where the pictures are."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from chatcore.domain.errors import BadRequest, NotFound
from chatcore.domain.groups import Actor
from chatcore.domain.ids import EmojiId, UserId
from chatcore.domain.organization import Organization
from chatcore.domain.uploads import ORGANIZATION

IMAGES = f"/user_avatars/{ORGANIZATION}/emoji/images"
ENDINGS: Mapping[str, str] = {
    "image/png": "png",
    "image/gif": "gif",
    "image/webp": "webp",
}
"""A still picture is always the first; the others are of animations."""
SIZE = 64
"""Pixels on each side of the square."""
MAX_ANIMATED_SIZE = 128
"""Up to which an animation that is a square keeps its size."""
DURATION = 100
"""Milliseconds of a picture of an animation that says nothing of it."""
MAX_NAME_LENGTH = 100
_NAME = re.compile(r"[a-z0-9_-]*[a-z0-9]")


@dataclass(frozen=True, slots=True, kw_only=True)
class CustomEmoji:
    """One that is deactivated cannot be chosen any more, and stays where it was used."""

    id: EmojiId
    name: str
    author_id: UserId
    token: str
    """The part of the picture's address that nobody can guess."""
    content_type: str
    is_animated: bool
    deactivated: bool = False

    @property
    def file_name(self) -> str:
        return f"{self.token}.{ENDINGS[self.content_type]}"

    @property
    def source_url(self) -> str:
        return f"{IMAGES}/{self.file_name}"

    @property
    def still_url(self) -> str | None:
        """The first picture of an animation."""
        return f"{IMAGES}/still/{self.still_name}" if self.is_animated else None

    @property
    def still_name(self) -> str:
        return f"{self.token}.png"


def custom_emoji_name(raw: str) -> str:
    """:raises BadRequest: too long, or other than lower-case letters, digits, `-` and `_` in between"""
    name = raw.strip().lower().replace(" ", "_")
    if len(name) > MAX_NAME_LENGTH:
        raise BadRequest(f"Emoji name is too long (limit: {MAX_NAME_LENGTH} characters)")
    if not _NAME.fullmatch(name):
        raise BadRequest(
            "Emoji names must contain only lowercase English letters, digits, dashes and underscores,"
            " and end with a letter or a digit."
        )
    return name


def require_may_add(organization: Organization, actor: Actor) -> None:
    """:raises BadRequest: a guest, a bot, or not in `can_add_custom_emoji_group`"""
    if actor.is_guest:
        raise BadRequest("Not allowed for guest users")
    if actor.is_bot:
        raise BadRequest("This endpoint does not accept bot requests.")
    if not organization.permits("can_add_custom_emoji_group", actor):
        raise BadRequest("Insufficient permission")


def require_may_replace_built_in(actor: Actor) -> None:
    """Only administrators give another picture to a name that has one.

    :raises BadRequest:
    """
    if not actor.role.is_administrator:
        raise BadRequest("Only administrators can override default emoji.")


def require_may_remove(emoji: CustomEmoji, actor: Actor) -> None:
    """:raises BadRequest: neither an administrator nor who has added it"""
    if not actor.role.is_administrator and actor.user_id != emoji.author_id:
        raise BadRequest("Must be an organization administrator or emoji author")


class NoSuchEmoji(NotFound):
    """No custom emoji has this name."""

    def __init__(self, name: str) -> None:
        super().__init__(f"Emoji '{name[:MAX_NAME_LENGTH]}' does not exist")
