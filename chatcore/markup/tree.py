"""A parsed text: mistune's tokens, and what was found on the way that facts are needed for."""

from __future__ import annotations

from dataclasses import dataclass, field

from chatcore.markup.block_run import Token
from chatcore.markup.options import Options


@dataclass(slots=True)
class Found:
    """What the inline rules came across."""

    mentions: list[Token] = field(default_factory=list)
    """Mentions of users and groups, and links to channels, topics and messages."""
    emoji_names: set[str] = field(default_factory=set)
    addresses: list[str] = field(default_factory=list)
    """Where the links lead, as they are written in the HTML."""


@dataclass(frozen=True, slots=True)
class Tree:
    """Only to be made by `parse` and given to `names` and `render`."""

    text: str
    options: Options
    tokens: list[Token]
    found: Found
