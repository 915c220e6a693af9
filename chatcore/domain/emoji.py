"""Emoji as users choose them for reactions and statuses: by name, or by kind and code.

The table of Unicode emoji is data of `chatcore.markup`; the use case passes it in.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from chatcore.domain.errors import BadRequest

UNICODE_EMOJI = "unicode_emoji"
CUSTOM_EMOJI = "realm_emoji"
EXTRA_EMOJI = "service_extra_emoji"
KINDS = (CUSTOM_EMOJI, EXTRA_EMOJI, UNICODE_EMOJI)
"""Values of `reaction_type`, in order of precedence: a name means an emoji of the first kind that has it."""

SHOWN_OF_A_NAME = 50
"""Number of characters of an unknown emoji name that the error message repeats."""


@dataclass(frozen=True, slots=True)
class Emoji:
    """An emoji: a code, unique within its kind, and one of its names."""

    name: str
    code: str
    reaction_type: str


@dataclass(frozen=True, slots=True, kw_only=True)
class EmojiNames:
    """The emoji that can be chosen now, as codes by names."""

    unicode: Mapping[str, str]
    custom: Mapping[str, str] = field(default_factory=dict)
    """Active custom emoji of the organization."""
    extra: str = ""
    """Name and code of the server's own emoji; empty if there is none."""

    def find(self, name: str, reaction_type: str | None = None) -> Emoji | None:
        """Find an emoji by name, in all kinds or in one."""
        for kind in KINDS if reaction_type is None else (reaction_type,):
            if (code := self._codes_of(kind).get(name)) is not None:
                return Emoji(name, code, kind)
        return None

    def read(self, name: str, code: str | None, reaction_type: str | None) -> Emoji:
        """Return the emoji of a request; the name alone is enough.

        :raises BadRequest: there is no such emoji, or the code belongs to another name
        """
        require_emoji_type(reaction_type)
        emoji = self.find(name, reaction_type)
        if emoji is None:
            raise no_such_emoji(name)
        if code is not None and code != emoji.code:
            if code not in self._codes_of(emoji.reaction_type).values():
                raise BadRequest("Invalid emoji code.")
            raise BadRequest("Invalid emoji name.")
        return emoji

    def _codes_of(self, kind: str) -> Mapping[str, str]:
        """Return the codes of the emoji of a kind, by name."""
        if kind == UNICODE_EMOJI:
            return self.unicode
        if kind == CUSTOM_EMOJI:
            return self.custom
        return {self.extra: self.extra} if kind == EXTRA_EMOJI and self.extra else {}


def require_emoji_type(reaction_type: str | None) -> None:
    """Check the kind of emoji that a request names, if it names one.

    :raises BadRequest:
    """
    if reaction_type is not None and reaction_type not in KINDS:
        raise BadRequest("Invalid emoji type.")


def no_such_emoji(name: str) -> BadRequest:
    return BadRequest(f"Emoji '{name[:SHOWN_OF_A_NAME]}' does not exist")
