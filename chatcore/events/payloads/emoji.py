"""Custom emoji of the organization."""

from collections.abc import Iterable
from typing import Literal

import msgspec

from chatcore.domain.organization.custom_emoji import CustomEmoji
from chatcore.events.payloads.objects import EmojiObject
from chatcore.events.payloads.parts import Payload

__all__ = [
    "EmojiEvent",
]


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


class EmojiEvent(Payload):
    """The custom emoji of the organization, by their ids."""

    type: Literal["realm_emoji"]
    op: Literal["update"]
    realm_emoji: dict[str, EmojiObject]
