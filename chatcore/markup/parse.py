"""Text to tree: the block rules, then the inline rules on every text in the blocks."""

from __future__ import annotations

from typing import Final

from mistune.core import BlockState

from chatcore.markup.blocks.rules import BlockParser
from chatcore.markup.blocks.run import Token
from chatcore.markup.inline.linkifiers import compile_linkifiers
from chatcore.markup.inline.rules import InlineParser, IsKnown
from chatcore.markup.options import Options
from chatcore.markup.source import normalize
from chatcore.markup.tree import Found, Tree

_BLOCKS: Final = BlockParser()
_INLINES: Final = InlineParser()
_DEFAULTS: Final = Options()


def parse(text: str, options: Options | None = None) -> Tree:
    """Parse *text* as if everybody mentioned in it existed."""
    return _parse_text(text, options or _DEFAULTS, None)


def parse_knowing(tree: Tree, is_known: IsKnown) -> Tree:
    """Parse the text once more: an unknown mention is text, which is open to the other rules."""
    return _parse_text(tree.text, tree.options, is_known)


def as_typed(tree: Tree) -> Tree:
    """Return the text without any markup, in one paragraph."""
    text = normalize(tree.text).strip("\n")
    paragraph: Token = {"type": "paragraph", "children": [{"type": "text", "raw": text}]}
    return Tree(tree.text, tree.options, [paragraph], Found())


def _parse_text(text: str, options: Options, is_known: IsKnown | None) -> Tree:
    state = BlockState()
    found = Found()
    linkifiers = compile_linkifiers(options.linkifiers)
    state.env.update(options=options, found=found, is_known=is_known, linkifiers=linkifiers)
    if text.strip():
        state.process(text)
        _BLOCKS.parse(state)
        _parse_inlines(state.tokens, state)
    return Tree(text, options, state.tokens, found)


def _parse_inlines(tokens: list[Token], state: BlockState) -> None:
    """Replace the text of each token, at any depth, by the tokens within it."""
    for token in tokens:
        if "text" in token:
            token["children"] = _INLINES(token.pop("text"), state.env)
        elif "children" in token:
            _parse_inlines(token["children"], state)
