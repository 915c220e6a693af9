"""Renders tree and facts as HTML, and collects the effects of the message in the same pass."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from mistune.core import BaseRenderer, BlockState

from chatcore.markup.blocks.run import Token
from chatcore.markup.escaping import escape_address, escape_code, escape_literally, escape_text, text_of
from chatcore.markup.facts import ChannelFact, Effects, Facts, Rendered
from chatcore.markup.html.code import CodeBlocks
from chatcore.markup.html.formulas import FormulaRenderer
from chatcore.markup.html.inner_links import inner_address
from chatcore.markup.html.previews import MAX_LINKS, preview
from chatcore.markup.inline.mentions import KnownNames
from chatcore.markup.inline.times import parse_time
from chatcore.markup.parse import as_typed, parse_knowing
from chatcore.markup.tree import Tree
from chatcore.markup.urls.addresses import relative_to_realm, upload_path_id

MAX_HTML: Final = 250_000
"""Characters of HTML above which a text is shown as typed."""

_NOTHING_KNOWN: Final = Facts()
_STATE: Final = BlockState()


def render(tree: Tree, facts: Facts | None = None, formula: FormulaRenderer | None = None) -> Rendered:
    """Render *tree* as HTML. Names missing in *facts* stay as typed, and so do formulas without *formula*."""
    facts = facts or _NOTHING_KNOWN
    known = KnownNames(facts, tree.options.forms)
    if not all(known.has(mention) for mention in tree.found.mentions):
        tree = parse_knowing(tree, known.has)
    code = CodeBlocks()  # shared by both attempts, so that the second one does not repeat the work
    renderer = HtmlRenderer(tree, facts, known, code, formula)
    html = renderer.render_document()
    if len(html) > MAX_HTML:
        renderer = HtmlRenderer(as_typed(tree), facts, known, code, formula)
        html = renderer.render_document()
    return Rendered(html, renderer.effects())


class HtmlRenderer(BaseRenderer):
    """A renderer with one method for each type of token. Only code.py and previews.py make tags elsewhere."""

    NAME = "html"

    def __init__(
        self,
        tree: Tree,
        facts: Facts,
        known: KnownNames,
        code: CodeBlocks,
        formula: FormulaRenderer | None,
    ) -> None:
        super().__init__()
        self._tree = tree
        self._options = tree.options
        self._facts = facts
        self._known = known
        self._shows_previews = not self._has_too_many_links()
        self._code_blocks = code
        self._render_formula = formula
        self._quote_depth = 0
        self._is_in_link = False
        self._links_of_block: list[tuple[str, str]] | None = None
        """The links directly in the current paragraph or list item, as (address, text), whose previews follow
        it; None elsewhere.
        """
        self._other_links: list[tuple[str, str]] = []
        """All other links, whose previews come last."""
        self._addresses: set[str] = set()
        """The addresses of links and players."""
        self._previewed: set[str] = set()
        """The addresses of links that have their preview: another link to one gets none."""
        self._users: set[int] = set()
        self._groups: set[int] = set()
        self._channel_wildcard = False
        self._topic_wildcard = False
        self._has_link = False
        self._has_image = False

    def render_token(self, token: Token, state: BlockState) -> str:
        html: str = getattr(self, token["type"])(token, state)
        return html

    # Results for render()

    def render_document(self) -> str:
        blocks = self._render_blocks(self._tree.tokens)
        previews, _ = self._previews_of(self._other_links)
        return "\n".join(filter(None, (blocks, previews)))

    def effects(self) -> Effects:
        paths = (upload_path_id(url, self._options) for url in self._addresses)
        return Effects(
            user_ids=frozenset(self._users),
            group_ids=frozenset(self._groups),
            channel_wildcard=self._channel_wildcard,
            topic_wildcard=self._topic_wildcard,
            has_link=self._has_link,
            has_image=self._has_image,
            attachments=frozenset(path for path in paths if path),
        )

    # Blocks

    def _render_blocks(self, tokens: Iterable[Token]) -> str:
        return "\n".join(filter(None, self.iter_tokens(tokens, _STATE)))

    def _render_inlines(self, token: Token) -> str:
        return self.render_tokens(token["children"], _STATE)

    def _render_inlines_apart(self, token: Token) -> str:
        """Render the children of a heading, a cell, or an inline element such as a link or emphasis: the
        previews of links among them come after all blocks, not after the paragraph.
        """
        outer, self._links_of_block = self._links_of_block, None
        html = self._render_inlines(token)
        self._links_of_block = outer
        return html

    def paragraph(self, token: Token, state: BlockState) -> str:
        outer, self._links_of_block = self._links_of_block, []
        html = self._render_inlines(token)
        links, self._links_of_block = self._links_of_block, outer
        previews, is_replaced = self._previews_of(links)
        if is_replaced and self._is_bare_link(token):
            return previews
        return f"<p>{html}</p>\n{previews}" if previews else f"<p>{html}</p>"

    def heading(self, token: Token, state: BlockState) -> str:
        return f"<h{token['level']}>{self._render_inlines_apart(token)}</h{token['level']}>"

    def thematic_break(self, token: Token, state: BlockState) -> str:
        return "<hr>"

    def block_code(self, token: Token, state: BlockState) -> str:
        return self._code_blocks.html(token["raw"], token.get("language", ""))

    def block_math(self, token: Token, state: BlockState) -> str:
        parts = (part.strip("\n") for part in token["raw"].split("\n\n") if part.strip())
        return "\n".join(
            f"<p>{self._render_tex(part, escape_literally(part), display=True)}</p>" for part in parts
        )

    def _render_tex(self, source: str, shown: str, *, display: bool) -> str:
        """Render a formula, or its source as it is *shown*."""
        html = self._render_formula and self._render_formula(source, display)
        return html or f'<span class="tex-error">{shown}</span>'

    def block_quote(self, token: Token, state: BlockState) -> str:
        self._quote_depth += 1
        html = self._render_blocks(token["children"])
        self._quote_depth -= 1
        return f"<blockquote>\n{html}\n</blockquote>"

    def spoiler(self, token: Token, state: BlockState) -> str:
        return f'<div class="spoiler-block">{self.render_tokens(token["children"], state)}</div>'

    def spoiler_header(self, token: Token, state: BlockState) -> str:
        html = self._render_blocks(token["children"])
        lines = f"\n{html}\n" if html else "\n"
        return f'<div class="spoiler-header">{lines}</div>'

    def spoiler_content(self, token: Token, state: BlockState) -> str:
        html = self._render_blocks(token["children"])
        return f'<div class="spoiler-content" aria-hidden="true">\n{html}\n</div>'

    def list(self, token: Token, state: BlockState) -> str:
        items = self._render_blocks(token["children"])
        if not token["is_ordered"]:
            return f"<ul>\n{items}\n</ul>"
        start = f' start="{token["start"]}"' if token["start"] != "1" else ""
        return f"<ol{start}>\n{items}\n</ol>"

    def list_item(self, token: Token, state: BlockState) -> str:
        outer, self._links_of_block = self._links_of_block, []
        parts = []
        for child in token["children"]:
            html = self.render_token(child, state)
            if child["type"] == "block_text":
                parts.append(html)
            else:
                parts.append(f"{html}\n" if parts else f"\n{html}\n")
        links, self._links_of_block = self._links_of_block, outer
        previews, is_replaced = self._previews_of(links)
        if is_replaced:
            first = token["children"][0]
            if first["type"] == "block_text" and self._is_bare_link(first):
                parts[0] = ""
        return f"<li>{''.join(parts)}{previews}</li>"

    def block_text(self, token: Token, state: BlockState) -> str:
        return self._render_inlines(token)

    def table(self, token: Token, state: BlockState) -> str:
        return f"<table>\n{self._render_blocks(token['children'])}\n</table>"

    def table_head(self, token: Token, state: BlockState) -> str:
        return f"<thead>\n<tr>\n{self._render_blocks(token['children'])}\n</tr>\n</thead>"

    def table_body(self, token: Token, state: BlockState) -> str:
        return f"<tbody>\n{self._render_blocks(token['children'])}\n</tbody>"

    def table_row(self, token: Token, state: BlockState) -> str:
        return f"<tr>\n{self._render_blocks(token['children'])}\n</tr>"

    def table_cell(self, token: Token, state: BlockState) -> str:
        tag = token["tag"]
        style = f' style="text-align: {token["align"]};"' if token["align"] else ""
        return f"<{tag}{style}>{self._render_inlines_apart(token)}</{tag}>"

    # Inline

    def text(self, token: Token, state: BlockState) -> str:
        return escape_text(token["raw"]).replace("\n", "<br>\n")

    def atomic_text(self, token: Token, state: BlockState) -> str:
        return escape_text(token["raw"])

    def codespan(self, token: Token, state: BlockState) -> str:
        return f"<code>{escape_code(token['raw'])}</code>"

    def emphasis(self, token: Token, state: BlockState) -> str:
        return f"<em>{self._render_inlines_apart(token)}</em>"

    def strong(self, token: Token, state: BlockState) -> str:
        return f"<strong>{self._render_inlines_apart(token)}</strong>"

    def strikethrough(self, token: Token, state: BlockState) -> str:
        return f"<del>{self._render_inlines_apart(token)}</del>"

    def math(self, token: Token, state: BlockState) -> str:
        return self._render_tex(token["raw"][2:-2], escape_text(token["raw"]), display=False)

    def time(self, token: Token, state: BlockState) -> str:
        text = escape_text(token["raw"])
        moment = parse_time(token["raw"], self._facts.today)
        if moment is None:
            return f'<span class="timestamp-error">Invalid time format: {text}</span>'
        return f'<time datetime="{moment.isoformat().replace("+00:00", "Z")}">{text}</time>'

    def emoji(self, token: Token, state: BlockState) -> str:
        name, code = token["name"], token["code"]
        title = escape_literally(name.replace("_", " "))
        syntax = escape_literally(f":{name}:")
        if token.get("is_name") and (source := self._facts.custom_emoji.get(name)):
            return f'<img alt="{syntax}" class="emoji" src="{escape_literally(source)}" title="{title}">'
        if code is None:
            return syntax
        attributes = f'aria-label="{title}" class="emoji emoji-{code}" role="img" title="{title}"'
        return f"<span {attributes}>{syntax}</span>"

    # Mentions

    def user_mention(self, token: Token, state: BlockState) -> str:
        user = self._known.user(token)
        assert user is not None
        is_silent = self._is_silent(token) or not user.is_active
        if not is_silent:
            self._users.add(user.id)
        return _mention("user-mention", f' data-user-id="{user.id}"', user.full_name, is_silent)

    def channel_wildcard(self, token: Token, state: BlockState) -> str:
        is_silent = self._is_silent(token)
        self._channel_wildcard |= not is_silent
        kind = "user-mention"
        if self._options.forms.channel_wildcard_class:
            kind += " channel-wildcard-mention"
        return _mention(kind, ' data-user-id="*"', token["word"], is_silent)

    def topic_wildcard(self, token: Token, state: BlockState) -> str:
        is_silent = self._is_silent(token)
        self._topic_wildcard |= not is_silent
        return _mention("topic-mention", "", token["word"], is_silent)

    def group_mention(self, token: Token, state: BlockState) -> str:
        group = self._known.group(token)
        assert group is not None
        is_silent = self._is_silent(token) or not group.is_active
        if not is_silent:
            self._groups.add(group.id)
        shown = group.shown_as or group.name
        return _mention("user-group-mention", f' data-user-group-id="{group.id}"', shown, is_silent)

    def _is_silent(self, token: Token) -> bool:
        """Whether a mention notifies nobody: it is typed as a silent one, or quoted."""
        return self._quote_depth > 0 or bool(token["is_silent"])

    # Links

    def link(self, token: Token, state: BlockState) -> str:
        """Render a link; within another link, only its text."""
        if self._is_in_link:
            return self._render_inlines_apart(token)
        title = f' title="{escape_address(token["title"])}"' if token["title"] else ""
        self._is_in_link = True
        html = self._render_inlines_apart(token)
        self._is_in_link = False
        children = token["children"]
        is_plain = len(children) == 1 and children[0]["type"] == "atomic_text"
        # Plain text as typed: for the title of a preview, it is compared with the address.
        self._count_link(token["url"], children[0]["raw"] if is_plain else text_of(html))
        return f'<a href="{escape_address(token["url"])}"{title}>{html}</a>'

    def audio(self, token: Token, state: BlockState) -> str:
        url = token["url"]
        self._addresses.add(url)
        title = f' title="{escape_address(token["title"])}"' if token["title"] else ""
        return f'<audio controls preload="metadata" src="{escape_address(url)}"{title}></audio>'

    def channel_link(self, token: Token, state: BlockState) -> str:
        channel = self._channel_of(token)
        return self._inner_link("stream", channel.id, token, f"#{escape_literally(channel.name)}")

    def topic_link(self, token: Token, state: BlockState) -> str:
        channel = self._channel_of(token)
        text = f"#{escape_literally(channel.name)} &gt; {self._topic_html(token)}"
        return self._inner_link("stream-topic", channel.id, token, text)

    def message_link(self, token: Token, state: BlockState) -> str:
        channel = self._channel_of(token)
        text = f"#{escape_literally(channel.name)} &gt; {self._topic_html(token)} @ \N{SPEECH BALLOON}"
        return self._inner_link("message-link", None, token, text)

    def _inner_link(self, kind: str, channel_id: int | None, token: Token, text: str) -> str:
        """Render a link into the chat; within another link, only its text."""
        if self._is_in_link:
            return text
        address = inner_address(token, self._channel_of(token), self._facts, self._options)
        self._count_link(address, "")
        channel = "" if channel_id is None else f' data-stream-id="{channel_id}"'
        return f'<a class="{kind}"{channel} href="{escape_address(address)}">{text}</a>'

    def _channel_of(self, token: Token) -> ChannelFact:
        channel = self._known.channel(token)
        assert channel is not None
        return channel

    def _topic_html(self, token: Token) -> str:
        if token["topic"]:
            return escape_text(token["topic"])
        return f"<em>{escape_literally(self._options.empty_topic_name)}</em>"

    # Previews

    def _has_too_many_links(self) -> bool:
        found = self._tree.found
        if len(found.addresses) + len(found.mentions) <= MAX_LINKS:  # there are at most so many links
            return False
        return len(set(self._linked_addresses(self._tree.tokens))) > MAX_LINKS

    def _linked_addresses(self, tokens: Iterable[Token]) -> Iterator[str]:
        """Yield the addresses of links outside quotes."""
        for token in tokens:
            if token["type"] == "link":
                yield token["url"]
            elif token["type"] in ("channel_link", "topic_link", "message_link"):
                yield inner_address(token, self._channel_of(token), self._facts, self._options)
            elif token["type"] != "block_quote":
                yield from self._linked_addresses(token.get("children", ()))

    def _count_link(self, url: str, text: str) -> None:
        """Note a link as an effect of the message, and for its preview; *text* is its text without markup."""
        self._has_link = True
        self._addresses.add(url)
        if self._shows_previews and not self._quote_depth:
            links = self._other_links if self._links_of_block is None else self._links_of_block
            links.append((url, text))

    def _previews_of(self, links: Iterable[tuple[str, str]]) -> tuple[str, bool]:
        """Return the previews of *links*, and whether an image or video among them replaces a bare link."""
        parts = []
        is_replaced = False
        for url, text in links:
            if url not in self._previewed and (shown := preview(url, text, self._options, self._facts)):
                self._previewed.add(url)
                self._has_image |= shown.is_image
                is_replaced |= shown.is_media
                parts.append(shown.html)
        return "".join(parts), is_replaced

    def _is_bare_link(self, token: Token) -> bool:
        """Whether a paragraph is nothing but an address, shown as such, so that its preview replaces it."""
        children = token["children"]
        if len(children) != 1 or children[0]["type"] != "link":
            return False
        texts = children[0]["children"]
        if len(texts) != 1 or texts[0]["type"] != "atomic_text":
            return False
        return bool(relative_to_realm(texts[0]["raw"], self._options) == children[0]["url"])


def _mention(kind: str, attribute: str, name: str, is_silent: bool) -> str:
    silent, at = (" silent", "") if is_silent else ("", "@")
    return f'<span class="{kind}{silent}"{attribute}>{at}{escape_literally(name)}</span>'
