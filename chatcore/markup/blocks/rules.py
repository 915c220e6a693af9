"""The block rules, in order of precedence, and a subclass of mistune's block parser that applies them.

A text is cut at its empty lines. Each rule in turn may take the first of these blocks: it appends tokens to
the parent and puts the rest back.
"""

from __future__ import annotations

import re
from typing import Final

from mistune.block_parser import BlockParser as FrameOfBlocks
from mistune.core import BlockState

from chatcore.markup.blocks import lists
from chatcore.markup.blocks.fences import take_fences
from chatcore.markup.blocks.run import BlockRun, Blocks, Mode, Rule, Token, append, last_block
from chatcore.markup.blocks.tables import parse_table
from chatcore.markup.options import Options
from chatcore.markup.source import OPEN, normalize

_HEADING = re.compile(r"(#{1,6})[^\S\n](.*)")
_BREAK = re.compile(r"^ {0,3}(?:(?:- {0,2}){3,}|(?:_ {0,2}){3,}|(?:\* {0,2}){3,}) *$", re.MULTILINE)
_QUOTE_LINE = re.compile(r" {0,3}> ?")


def skip_empty_block(run: BlockRun, parent: Token, blocks: Blocks) -> bool:
    """Skip an empty block, which counts only inside indented code."""
    block = blocks[0]
    if block and not block.startswith("\n"):
        return False
    blocks.popleft()
    if block[1:]:
        blocks.appendleft(block[1:])
    code = _last_indented_code(parent)
    if code:
        code["raw"] += "\n" if block else "\n\n"
    return True


def _last_indented_code(parent: Token) -> Token | None:
    """Return the last child if it is indented code; code between fences has a language, at least ""."""
    code = last_block(parent, "block_code")
    return code if code and "language" not in code else None


def take_more_of_an_item(run: BlockRun, parent: Token, blocks: Blocks) -> bool:
    """Add an indented block after a list or in an item to the item."""
    if not blocks[0].startswith(lists.INDENT) or run.mode is Mode.INDENTED:
        return False
    if parent["type"] != "list_item" and not last_block(parent, "list"):
        return False
    lists.continue_item(run, parent, blocks.popleft())
    return True


def take_indented_code(run: BlockRun, parent: Token, blocks: Blocks) -> bool:
    """Parse lines that are indented by four spaces; they continue such code before them."""
    if not blocks[0].startswith("    ") or not run.options.indented_code:
        return False
    lines = blocks.popleft().split("\n")
    code = []
    for line in lines:
        if line.strip() and not line.startswith("    "):
            break
        code.append(line[4:])
    text = "\n".join(code).rstrip()
    before = _last_indented_code(parent)
    if before:
        before["raw"] += f"\n{text}\n"
    else:
        append(parent, {"type": "block_code", "raw": text + "\n"})
    if len(code) < len(lines):
        blocks.appendleft("\n".join(lines[len(code) :]))
    return True


def take_heading(run: BlockRun, parent: Token, blocks: Blocks) -> bool:
    match = None if blocks[0] is run.without_heading else _find_heading(blocks[0])
    if not match:
        return False
    block = blocks.popleft()
    if before := block[: max(match.start() - 1, 0)]:
        run.parse_blocks(parent, [before])
    append(parent, {"type": "heading", "level": len(match[1]), "text": match[2].rstrip("#").strip()})
    if after := block[match.end() + 1 :]:
        blocks.appendleft(after)
    return True


def _find_heading(block: str) -> re.Match[str] | None:
    """Return the match of the first line that is a heading, if there is one."""
    start = 0
    while True:
        if block.startswith("#", start) and (match := _HEADING.match(block, start)):
            return match
        end_of_line = block.find("\n#", start)
        if end_of_line < 0:
            return None
        start = end_of_line + 1


def take_table(run: BlockRun, parent: Token, blocks: Blocks) -> bool:
    token = parse_table(blocks[0])
    if token is None:
        return False
    blocks.popleft()
    append(parent, token)
    return True


def take_thematic_break(run: BlockRun, parent: Token, blocks: Blocks) -> bool:
    match = _BREAK.search(blocks[0])
    if not match:
        return False
    block = blocks.popleft()
    if before := block[: match.start()].rstrip("\n"):
        run.parse_blocks(parent, [before])
    append(parent, {"type": "thematic_break"})
    if after := block[match.end() :].lstrip("\n"):
        blocks.appendleft(after)
        run.without_heading = after
    return True


def take_bullets(run: BlockRun, parent: Token, blocks: Blocks) -> bool:
    return _add_list(run, parent, blocks, lists.BULLETS)


def take_numbers(run: BlockRun, parent: Token, blocks: Blocks) -> bool:
    return _add_list(run, parent, blocks, lists.NUMBERS)


def _add_list(run: BlockRun, parent: Token, blocks: Blocks, kind: lists.ListKind) -> bool:
    if run.is_too_deep or not kind.item.match(blocks[0]):
        return False
    lists.add_items(run, parent, blocks.popleft(), kind)
    return True


def take_quote(run: BlockRun, parent: Token, blocks: Blocks) -> bool:
    """Take a quote: it begins at the first line with `>` and continues to the end of the block. Quotes
    without any text are refused.
    """
    if ">" not in blocks[0] or run.is_too_deep:
        return False
    lines = blocks[0].split("\n")
    first = next((number for number, line in enumerate(lines) if _QUOTE_LINE.match(line)), None)
    if first is None or not any(_strip_quotation_mark(line) for line in lines[first:]):
        return False
    blocks.popleft()
    run.parse_blocks(parent, ["\n".join(lines[:first])])
    token: Token = {"type": "block_quote", "children": []}
    append(parent, token)
    text = "\n".join(_strip_quotation_mark(line) for line in lines[first:])
    run.parse_within(Mode.TEXT, token, text.split("\n\n"))
    return True


def _strip_quotation_mark(line: str) -> str:
    if line.strip() == ">":
        return ""
    match = _QUOTE_LINE.match(line)
    return line[match.end() :] if match else line


def take_fence(run: BlockRun, parent: Token, blocks: Blocks) -> bool:
    """Put the token of a fence, which `take_fences` has taken out of the text, in its place."""
    token = run.taken.get(blocks[0].strip()) if OPEN in blocks[0] else None
    if token is None:
        return False
    blocks.popleft()
    if token["type"] == "spoiler":
        header: Token = {"type": "spoiler_header", "children": []}
        content: Token = {"type": "spoiler_content", "children": []}
        run.parse_within(Mode.TEXT, header, [token["header"]])
        run.parse_within(Mode.TEXT, content, token["source"].split("\n\n"))
        token = {"type": "spoiler", "children": [header, content]}
    append(parent, token)
    return True


def take_paragraph(run: BlockRun, parent: Token, blocks: Blocks) -> bool:
    block = blocks.popleft()
    if not block.strip():
        return True
    if run.mode is not Mode.TIGHT_LIST:
        append(parent, {"type": "paragraph", "text": block.lstrip()})
    else:  # after other tokens of the item, its text begins a new line
        text = "\n" + block if parent["children"] else block.lstrip()
        append(parent, {"type": "block_text", "text": text})
    return True


RULES: Final[tuple[Rule, ...]] = (
    skip_empty_block,
    take_more_of_an_item,
    take_indented_code,
    take_heading,
    take_table,
    take_thematic_break,
    take_bullets,
    take_numbers,
    take_quote,
    take_fence,
    take_paragraph,
)


class BlockParser(FrameOfBlocks):
    """mistune's block parser with our rules in place of its own."""

    def parse(self, state: BlockState, rules: list[str] | None = None) -> None:
        options: Options = state.env["options"]
        taken: dict[str, Token] = {}
        text = take_fences(normalize(state.src), options.default_code_language, taken)
        document: Token = {"type": "document", "children": state.tokens}
        BlockRun(RULES, options, taken).parse_blocks(document, text.split("\n\n"))
