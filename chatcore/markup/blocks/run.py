"""The state of one text that passes through the block rules, and the tokens that it becomes."""

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
"""The maximal nesting of quotes, lists and spoilers: deeper ones are text. A list in a list counts as two
levels.
"""


class Mode(Enum):
    """Treatment of a block's text by the innermost enclosing rule."""

    TEXT = "text"
    TIGHT_LIST = "the text of an item, not a paragraph"
    INDENTED = "the indentation of a list is already gone"


@dataclass(slots=True)
class BlockRun:
    rules: tuple[Rule, ...]
    options: Options
    taken: dict[str, Token]
    """The fences, by their placeholders in the text."""
    mode: Mode = Mode.TEXT
    depth: int = 0
    without_heading: str = ""
    """A block in which no heading was found, so that no rule searches it again."""

    def parse_blocks(self, parent: Token, blocks: Iterable[str]) -> None:
        waiting = deque(blocks)
        while waiting:
            for rule in self.rules:  # the last one takes any block
                if rule(self, parent, waiting):
                    break

    def parse_within(self, mode: Mode, parent: Token, blocks: Iterable[str]) -> None:
        """Parse *blocks* in another mode, one level deeper."""
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
    """Append a token; in a list, which has only items, append it to the last item."""
    if parent["type"] == "list" and token["type"] != "list_item":
        parent = parent["children"][-1]
    parent["children"].append(token)


def last_block(parent: Token, *types: str) -> Token | None:
    """Return the last child, not counting texts of items, if it is of one of *types*."""
    for child in reversed(parent["children"]):
        if child["type"] != "block_text":
            return child if child["type"] in types else None
    return None
