"""One text on its way through the block rules, and the tokens that it becomes."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import Enum
from typing import Any, Final

from chatcore.markup.options import Options

Token = dict[str, Any]
Blocks = deque[str]

MAX_DEPTH: Final = 40
"""How deep quotes, lists and spoilers may nest: below that they are text. A list in a list is two levels."""


class Mode(Enum):
    """What the innermost rule around a block makes of its text."""

    TEXT = "text"
    TIGHT_LIST = "the text of an item, not a paragraph"
    INDENTED = "the indentation of a list is already gone"


@dataclass(slots=True)
class BlockRun:
    rules: tuple[Rule, ...]
    options: Options
    taken: dict[str, Token]
    mode: Mode = Mode.TEXT
    depth: int = 0
    without_heading: str = ""
    """A block that was searched for headings in vain, so that nobody does it again."""

    def parse_blocks(self, parent: Token, blocks: Iterable[str]) -> None:
        waiting = deque(blocks)
        while waiting:
            rules = iter(self.rules)
            while not next(rules)(self, parent, waiting):
                pass

    def parse_within(self, mode: Mode, parent: Token, blocks: Iterable[str]) -> None:
        """Parses *blocks* in another mode, one level deeper."""
        outer, self.mode = self.mode, mode
        self.depth += 1
        self.parse_blocks(parent, blocks)
        self.depth -= 1
        self.mode = outer

    @property
    def is_too_deep(self) -> bool:
        return self.depth >= MAX_DEPTH


Rule = Callable[[BlockRun, Token, Blocks], bool]


def append(parent: Token, token: Token) -> None:
    """A list has nothing but items: what follows an item there belongs to it."""
    if parent["type"] == "list" and token["type"] != "list_item":
        parent = parent["children"][-1]
    parent["children"].append(token)


def last_block(parent: Token, *types: str) -> Token | None:
    """The last child that is more than the text of an item, if it is of one of *types*."""
    for child in reversed(parent["children"]):
        if child["type"] != "block_text":
            return child if child["type"] in types else None
    return None
