"""Custom emoji of the organization."""

from collections.abc import Iterable

import msgspec

from chatcore.domain.organization.custom_emoji import CustomEmoji


class EmojiShape(msgspec.Struct, frozen=True, kw_only=True):
    id: str
    name: str
    source_url: str
    still_url: str | None
    deactivated: bool
    author_id: int | None


def emoji_shapes(emojis: Iterable[CustomEmoji]) -> dict[str, EmojiShape]:
    """Return the shapes of emoji by id."""
    return {
        str(emoji.id): EmojiShape(
            id=str(emoji.id),
            name=emoji.name,
            source_url=emoji.source_url,
            still_url=emoji.still_url,
            deactivated=emoji.deactivated,
            author_id=emoji.author_id,
        )
        for emoji in emojis
    }
