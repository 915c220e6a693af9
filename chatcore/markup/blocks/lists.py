"""Lists: two blanks of indentation a level, any bullets, with text and empty lines between items.

An item holds `block_text` where its text is not a paragraph: first (the text of a tight item) or after other
blocks.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from chatcore.markup.blocks.run import BlockRun, Mode, Token, append, last_block

INDENT: Final = "  "

_NESTED_ITEM = re.compile(r" {2,3}(?:[0-9]+\.|[*+-]) ")


@dataclass(frozen=True, slots=True)
class ListKind:
    is_ordered: bool
    item: re.Pattern[str]


BULLETS: Final = ListKind(False, re.compile(r" ?([*+-]) +"))
NUMBERS: Final = ListKind(True, re.compile(r" ?([0-9]+)\. +"))


def add_items(run: BlockRun, parent: Token, block: str, kind: ListKind) -> None:
    """Add a block of items to the list before it (which becomes loose), or as a new list."""
    start, items = _split_items(block, kind)
    list_before = last_block(parent, "list")
    if list_before and list_before["is_ordered"] == kind.is_ordered:
        token = list_before
        _loosen(token["children"][-1])
        run.parse_within(Mode.TEXT, _new_item(token), [items.pop(0)])
    elif parent["type"] == "list":
        token = parent
    else:
        token = {"type": "list", "is_ordered": kind.is_ordered, "start": start, "children": []}
        append(parent, token)
    for item in items:
        continues = item.startswith(INDENT) and token["children"]
        target = token["children"][-1] if continues else _new_item(token)
        run.parse_within(Mode.TIGHT_LIST, target, [item])


def _split_items(block: str, kind: ListKind) -> tuple[str, list[str]]:
    """Return the first item's number, or bullet, and each item's text. The items nested in an item stay
    together as one more text, which begins with INDENT.
    """
    start = ""
    items: list[list[str]] = []
    for line in block.split("\n"):
        if match := kind.item.match(line):
            start = start or match[1]
            items.append([line[match.end() :]])
        elif _NESTED_ITEM.match(line) and not items[-1][0].startswith(INDENT):
            items.append([line])
        else:
            items[-1].append(line)
    return start, ["\n".join(item) for item in items]


def _new_item(token: Token) -> Token:
    item: Token = {"type": "list_item", "children": []}
    token["children"].append(item)
    return item


def _loosen(item: Token) -> None:
    """Turn plain text at the beginning and the end of *item* into paragraphs."""
    children = item["children"]
    for child in (*children[:1], *children[-1:]):  # a single child, twice: it is a paragraph by then
        if child["type"] == "block_text":
            child["type"] = "paragraph"
            child["text"] = child["text"].lstrip()


def continue_item(run: BlockRun, parent: Token, block: str) -> None:
    """Parse an indented block inside the item that its indentation selects."""
    parent_level = 1 if run.mode is Mode.TIGHT_LIST else 0
    level, target = _find_target(parent, block, parent_level)
    block = "\n".join(line.removeprefix(INDENT * level) for line in block.split("\n"))
    if parent["type"] == "list_item":
        run.parse_within(Mode.INDENTED, last_block(parent, "list") or parent, [block])
    elif target["type"] == "list_item":
        run.parse_within(Mode.INDENTED, target, [block])
    else:
        item = target["children"][-1]
        if item["children"] and item["children"][0]["type"] == "block_text":
            item["children"][0]["type"] = "paragraph"
        run.parse_within(Mode.INDENTED, item, block.split("\n\n"))


def _find_target(parent: Token, block: str, level: int) -> tuple[int, Token]:
    """Return the level and the token of the last list or item that is as deep as *block* is indented, or else
    of the deepest one. Each list below *parent*, which is at *level*, is one level more.
    """
    indent = (len(block) - len(block.lstrip(" "))) // len(INDENT)
    while indent > level:
        child = last_block(parent, "list", "list_item")
        if child is None:
            break
        parent = child
        level += parent["type"] == "list"
    return level, parent
