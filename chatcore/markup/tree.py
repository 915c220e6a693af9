"""A parsed text: mistune's tokens, and the names and addresses for which facts are needed."""

from __future__ import annotations

from dataclasses import dataclass, field

from chatcore.markup.blocks.run import Token
from chatcore.markup.options import Options


@dataclass(slots=True)
class Found:
    """The names and addresses that the inline rules found."""

    mentions: list[Token] = field(default_factory=list)
    """Mentions of users and groups, and links to channels, topics and messages."""
    emoji_names: set[str] = field(default_factory=set)
    addresses: list[str] = field(default_factory=list)
    """The addresses of links, as written in the HTML."""


@dataclass(frozen=True, slots=True)
class Tree:
    """A tree, made only by `parse` and passed to `names` and `render`."""

    text: str
    options: Options
    tokens: list[Token]
    found: Found
