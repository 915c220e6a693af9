"""Custom emoji of the organization: names, permissions to add and remove them, and URLs of the pictures."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from chatcore.domain.errors import BadRequest, InsufficientPermission, NotFound, too_long
from chatcore.domain.files.uploads import ORGANIZATION
from chatcore.domain.groups.actors import Actor
from chatcore.domain.ids import EmojiId, UserId
from chatcore.domain.organization.administration import require_no_bot, require_no_guest
from chatcore.domain.organization.organization import Organization

IMAGES = f"/user_avatars/{ORGANIZATION}/emoji/images"
ENDINGS: Mapping[str, str] = {
    "image/png": "png",
    "image/gif": "gif",
    "image/webp": "webp",
}
"""File extensions by media type. A still picture is always PNG; the other types are for animations."""
SIZE = 64
"""Pixels on each side of the square."""
MAX_ANIMATED_SIZE = 128
"""Largest side, in pixels, up to which a square animation keeps its size."""
DURATION = 100
"""Milliseconds per frame of an animation that does not specify a duration."""
MAX_NAME_LENGTH = 100
_NAME = re.compile(r"[a-z0-9_-]*[a-z0-9]")


@dataclass(frozen=True, slots=True, kw_only=True)
class CustomEmoji:
    """A custom emoji. A deactivated one cannot be chosen any more, but remains where it was used."""

    id: EmojiId
    name: str
    author_id: UserId
    token: str
    """Unguessable part of the picture's URL."""
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
        """URL of the first frame of an animation."""
        return f"{IMAGES}/still/{self.still_name}" if self.is_animated else None

    @property
    def still_name(self) -> str:
        return f"{self.token}.png"


NOT_STORED = EmojiId(0)
"""The id of an emoji that has none yet."""


def checked_emoji_name(raw: str) -> str:
    """Check the name of a custom emoji and return it normalised.

    :raises BadRequest: too long, or characters other than lower-case letters and digits, with `-` and `_`
        allowed before the last character
    """
    name = raw.strip().lower().replace(" ", "_")
    if len(name) > MAX_NAME_LENGTH:
        raise too_long("Emoji name", MAX_NAME_LENGTH)
    if not _NAME.fullmatch(name):
        raise BadRequest(
            "Emoji names must contain only lowercase English letters, digits, dashes and underscores,"
            " and end with a letter or a digit."
        )
    return name


def require_may_add(organization: Organization, actor: Actor) -> None:
    """Check that the actor may add a custom emoji.

    :raises BadRequest: a guest, a bot, or not in `can_add_custom_emoji_group`
    """
    require_no_guest(actor)
    require_no_bot(actor)
    if not organization.permits("can_add_custom_emoji_group", actor):
        raise InsufficientPermission


def require_may_replace_built_in(actor: Actor) -> None:
    """Check that the actor may override a built-in emoji, which only administrators may do.

    :raises BadRequest: not an administrator
    """
    if not actor.role.is_administrator:
        raise BadRequest("Only administrators can override default emoji.")


def require_may_remove(emoji: CustomEmoji, actor: Actor) -> None:
    """Check that the actor may remove the emoji.

    :raises BadRequest: neither an administrator nor the user who added it
    """
    if not actor.role.is_administrator and actor.user_id != emoji.author_id:
        raise BadRequest("Must be an organization administrator or emoji author")


class NoSuchEmoji(NotFound):
    """No custom emoji has this name."""

    def __init__(self, name: str) -> None:
        super().__init__(f"Emoji '{name[:MAX_NAME_LENGTH]}' does not exist")
