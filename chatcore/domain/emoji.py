"""Emoji as people choose them for reactions and statuses: by name, or by kind and code.

The table of the Unicode emoji is data of `chatcore.markup`, which the use case hands in.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from chatcore.domain.errors import BadRequest

UNICODE_EMOJI = "unicode_emoji"
CUSTOM_EMOJI = "realm_emoji"
EXTRA_EMOJI = "service_extra_emoji"
KINDS = (CUSTOM_EMOJI, EXTRA_EMOJI, UNICODE_EMOJI)
"""Values of `reaction_type`; a name stands for an emoji of the first kind that has it."""

SHOWN_OF_A_NAME = 50
"""Characters of a name that does not exist which its refusal repeats."""


@dataclass(frozen=True, slots=True)
class Emoji:
    """One picture: a code, unique within its kind, and one of its names."""

    name: str
    code: str
    reaction_type: str


@dataclass(frozen=True, slots=True, kw_only=True)
class EmojiNames:
    """What can be chosen now, as codes by names."""

    unicode: Mapping[str, str]
    custom: Mapping[str, str] = field(default_factory=dict)
    """The organization's own ones, those that are active."""
    extra: str = ""
    """The server's own emoji, of which the name is the code; empty where there is none."""

    def find(self, name: str, reaction_type: str | None = None) -> Emoji | None:
        """What a name stands for, among all kinds or the one."""
        for kind in KINDS if reaction_type is None else (reaction_type,):
            if (code := self._codes(kind).get(name)) is not None:
                return Emoji(name, code, kind)
        return None

    def read(self, name: str, code: str | None, reaction_type: str | None) -> Emoji:
        """The emoji of a request; the name alone is enough.

        :raises BadRequest: there is no such emoji, or the code belongs to another name
        """
        if reaction_type is not None and reaction_type not in KINDS:
            raise BadRequest("Invalid emoji type.")
        emoji = self.find(name, reaction_type)
        if emoji is None:
            raise no_such_emoji(name)
        if code is not None and code != emoji.code:
            if code not in self._codes(emoji.reaction_type).values():
                raise BadRequest("Invalid emoji code.")
            raise BadRequest("Invalid emoji name.")
        return emoji

    def _codes(self, kind: str) -> Mapping[str, str]:
        if kind == UNICODE_EMOJI:
            return self.unicode
        if kind == CUSTOM_EMOJI:
            return self.custom
        return {self.extra: self.extra} if kind == EXTRA_EMOJI and self.extra else {}


def no_such_emoji(name: str) -> BadRequest:
    return BadRequest(f"Emoji '{name[:SHOWN_OF_A_NAME]}' does not exist")
