"""The inline rules, in order of precedence, and a subclass of mistune's inline parser that applies them.

Each rule processes the whole text and replaces its matches by numbers, so that no later rule sees them. The
text inside emphasis is processed by later rules only, the text of a link by none.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, MutableMapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final, NamedTuple

from mistune.inline_parser import InlineParser as FrameOfInlines

from chatcore.markup import emoji
from chatcore.markup.blocks.run import Token
from chatcore.markup.escaping import REFERENCE
from chatcore.markup.inline import mentions
from chatcore.markup.inline.code_spans import code_spans
from chatcore.markup.inline.emphasis import EMPHASIS, STRIKE, STRONG_EMPHASIS, Make, replace_strong
from chatcore.markup.inline.linkifiers import Linkifiers
from chatcore.markup.inline.links import WrittenLink, replace_links
from chatcore.markup.options import HtmlForms, Options
from chatcore.markup.source import CLOSE, OPEN
from chatcore.markup.tree import Found
from chatcore.markup.urls.addresses import bare_addresses, is_fetched, relative_to_realm, safe_address

IsKnown = Callable[[Token], bool]

_BLANK = re.compile(r"\s")
_TAKEN = re.compile(f"{OPEN}([0-9]+){CLOSE}")
_PLACEHOLDER = re.compile(f"{OPEN}f?[0-9]+{CLOSE}")  # of a token, or of a fence
_MEDIA = re.compile(f"!{OPEN}([0-9]+){CLOSE}")
_MATH = re.compile(r"\B(?<!\$)\$\$([^\n_$](?:\\\$|[^$\n])*)\$\$(?!\$)\B")
_TIME = re.compile(r"<time:([^>]*)>")
_REFERENCE = re.compile(REFERENCE)
_EMOJI_NAME = re.compile(r":([\w+-]+):")
_TERMINAL = r",.;?!()\[\] \"'\n\t"
_EMOTICON = re.compile(
    rf"(?<![^{_TERMINAL}])(?:{'|'.join(map(re.escape, emoji.EMOTICONS))})(?![^{_TERMINAL}])",
)
MAX_NESTED_EMPHASES: Final = 10

_AUDIO = (".aac", ".flac", ".m4a", ".mp3", ".oga", ".ogg", ".opus", ".wav")


class Taken(NamedTuple):
    """A part of a text that a rule has replaced."""

    token: Token
    source: str
    """The part as it was; it may have replacements of earlier rules."""


@dataclass(slots=True)
class InlineRun:
    """The state of one text that passes through the rules."""

    options: Options
    found: Found
    is_known: IsKnown | None
    linkifiers: Linkifiers
    taken: list[Taken] = field(default_factory=list)
    """The replaced parts, by the numbers that replace them."""

    def take(self, token: Token, source: str) -> str:
        """Keep a token, and return the replacement for *source*."""
        self.taken.append(Taken(token, source))
        return f"{OPEN}{len(self.taken) - 1}{CLOSE}"

    def restore(self, text: str) -> str:
        """Return *text* as typed."""
        while OPEN in text:
            text = _PLACEHOLDER.sub(self._source, text)
        return text

    def _source(self, placeholder: re.Match[str]) -> str:
        number = placeholder[0][1:-1]
        return self.taken[int(number)].source if number.isdigit() and int(number) < len(self.taken) else ""

    def tokens(self, text: str, rules: Iterable[Rule]) -> list[Token]:
        """Return the tokens of *text* after the *rules* have been applied to it."""
        for sign, apply in rules:
            if sign in text:
                text = apply(self, text)
        return self.tokens_of_text(text)

    def tokens_of_text(self, text: str, *, is_atomic: bool = False) -> list[Token]:
        """Split *text* at the marks of tokens that earlier rules recognized; return these tokens and the text
        between them, in order.
        """
        if OPEN not in text:
            return self._plain_tokens(text, is_atomic) if text else []
        tokens = []
        for index, piece in enumerate(_TAKEN.split(text)):
            if index % 2:
                tokens.append(self.taken[int(piece)].token)
            elif piece:
                tokens += self._plain_tokens(piece, is_atomic)
        return tokens

    def _plain_tokens(self, text: str, is_atomic: bool) -> list[Token]:
        """Return tokens for a text without marks of tokens: text, and emoji unless it is atomic."""
        if OPEN in text:
            text = _PLACEHOLDER.sub("", text)
        if is_atomic:
            return [{"type": "atomic_text", "raw": text}]
        if text.isascii():
            return [{"type": "text", "raw": text}]
        return list(_split_at_emoji(text))


def _split_at_emoji(text: str) -> Iterable[Token]:
    """Yield tokens for the emoji characters of a text, and for the text between them."""
    past = 0
    for match in emoji.SEQUENCE.finditer(text):
        if code := emoji.code_of_characters(match[0]):
            if match.start() > past:
                yield {"type": "text", "raw": text[past : match.start()]}
            yield {"type": "emoji", "name": emoji.NAMES_OF[code][0], "code": code}
            past = match.end()
    if past < len(text):
        yield {"type": "text", "raw": text[past:]}


class Rule(NamedTuple):
    sign: str
    """A text without this sign has nothing for the rule."""
    apply: Callable[[InlineRun, str], str]
    """Takes tokens out of a text, and returns the text with their replacements (`InlineRun.take`)."""


def take_code(run: InlineRun, text: str) -> str:
    pieces: list[str] = []
    past = 0
    for start, end, raw in code_spans(text):
        pieces += (text[past:start], run.take({"type": "codespan", "raw": raw}, text[start:end]))
        past = end
    return "".join((*pieces, text[past:]))


def _emphasis_rule(mark: str, replace: Callable[[str, Make], str], *types: str, later: str) -> Rule:
    """Return a rule for text between two marks. Its inside passes through the *later* rules, and becomes a
    token of the first of *types*, inside one of the next.
    """

    def apply(run: InlineRun, text: str) -> str:
        def make(inside: str, source: str) -> str | None:
            children = run.tokens(inside, LATER_RULES[later])
            depth = 1 + max((child.get("depth", 0) for child in children), default=0)
            if depth > MAX_NESTED_EMPHASES:
                return None
            children = _apply_again(run, children)
            for type in types:
                children = [{"type": type, "children": children, "depth": depth}]
            return run.take(children[0], source)

        return replace(text, make)

    return Rule(mark, apply)


def _apply_again(run: InlineRun, children: list[Token], *, is_nested: bool = False) -> list[Token]:
    """Return the tokens inside marks. All rules are applied to each text behind a token of another type, and
    to all text in nested marks; until now only the *later* rules have seen it.
    """
    tokens: list[Token] = []
    is_behind_token = is_nested
    for child in children:
        if child["type"] == "text" and is_behind_token and not child["raw"].isspace():
            tokens += run.tokens(child["raw"], RULES)
            continue
        if child["type"] in EMPHASES and not child.get("is_nested"):
            child["is_nested"] = True  # once is enough, at any depth
            child["children"] = _apply_again(run, child["children"], is_nested=True)
        is_behind_token = is_behind_token or child["type"] not in ("text", "atomic_text")
        tokens.append(child)
    return tokens


def _mention_rule(
    sign: str, pattern: re.Pattern[str], read: Callable[[re.Match[str], HtmlForms], Token | None]
) -> Rule:
    """Return a rule for tokens that exist only if the facts confirm the names in them."""

    def apply(run: InlineRun, text: str) -> str:
        def make(match: re.Match[str]) -> str:
            token = read(match, run.options.forms)
            if token is None or OPEN in match[0]:
                return match[0]
            if token["type"] not in ("channel_wildcard", "topic_wildcard"):
                if run.is_known is not None and not run.is_known(token):
                    return match[0]
                run.found.mentions.append(token)
            return run.take(token, match[0])

        return pattern.sub(make, text)

    return Rule(sign, apply)


def take_math(run: InlineRun, text: str) -> str:
    return _MATH.sub(lambda match: run.take({"type": "math", "raw": run.restore(match[0])}, match[0]), text)


def take_times(run: InlineRun, text: str) -> str:
    end = text.rfind(">") + 1  # behind it nothing matches, but each `<time:` would be read to the end

    def make(match: re.Match[str]) -> str:
        return run.take({"type": "time", "raw": run.restore(match[1])}, match[0])

    return _TIME.sub(make, text[:end]) + text[end:]


def take_links(run: InlineRun, text: str) -> str:
    """Take links with a text of their own, as `[text](address "title")`; not those to unsafe addresses."""

    def make(link: WrittenLink, source: str) -> str | None:
        url = safe_address(run.restore(link.address))
        if url is None:
            return None
        href = relative_to_realm(url, run.options)
        title = _BLANK.sub(" ", run.restore(link.title).strip()) if link.title else ""
        run.found.addresses.append(href)
        if link.text.strip():
            children = run.tokens_of_text(link.text, is_atomic=True)
        else:
            children = [{"type": "atomic_text", "raw": href}]
        return run.take({"type": "link", "url": href, "title": title, "children": children}, source)

    return replace_links(text, make, images=run.options.forms.media)


def take_media(run: InlineRun, text: str) -> str:
    """Take a link after `!` as media if it leads to audio; any other link stays a link after its `!`."""

    def make(match: re.Match[str]) -> str:
        link = run.taken[int(match[1])].token
        if link["type"] != "link" or not is_fetched(link["url"], run.options):
            return match[0]
        if not link["url"].lower().partition("?")[0].endswith(_AUDIO):
            return match[0]
        source = run.restore(match[0])  # `![title](address)`
        title = source[len("![") : source.find("](")]
        return run.take({"type": "audio", "url": link["url"], "title": title}, source)

    return _MEDIA.sub(make, text) if run.options.forms.media else text


def take_bare_addresses(run: InlineRun, text: str) -> str:
    """Take addresses without brackets as links to themselves."""
    pieces: list[str] = []
    past = 0
    for bare in bare_addresses(text, file_links=run.options.file_links):
        url = safe_address(bare.text)
        if url is not None:
            pieces += (text[past : bare.start], _take_link(run, bare.text, url))
            past = bare.end
    return "".join((*pieces, text[past:]))


def _take_link(run: InlineRun, text: str, url: str) -> str:
    """Take a text as a link to an address; return its replacement."""
    href = relative_to_realm(url, run.options)
    run.found.addresses.append(href)
    children = [{"type": "atomic_text", "raw": text}]
    return run.take({"type": "link", "url": href, "title": "", "children": children}, text)


def take_linkifier_matches(run: InlineRun, text: str) -> str:
    """Take what the organization's linkifiers match as links."""
    if not run.options.linkifiers:
        return text
    return run.linkifiers.replace_matches(text, partial(_take_link, run))


def take_references(run: InlineRun, text: str) -> str:
    return _REFERENCE.sub(lambda match: run.take({"type": "atomic_text", "raw": match[0]}, match[0]), text)


def take_emoji_names(run: InlineRun, text: str) -> str:
    def make(match: re.Match[str]) -> str:
        run.found.emoji_names.add(match[1])
        return run.take(
            {"type": "emoji", "name": match[1], "code": emoji.CODE_OF.get(match[1]), "is_name": True},
            match[0],
        )

    return _EMOJI_NAME.sub(make, text)


def take_emoticons(run: InlineRun, text: str) -> str:
    if not run.options.translate_emoticons:
        return text

    def make(match: re.Match[str]) -> str:
        name = emoji.EMOTICONS[match[0]]
        return run.take({"type": "emoji", "name": name, "code": emoji.CODE_OF[name]}, match[0])

    return _EMOTICON.sub(make, text)


RULES: Final = (
    Rule("`", take_code),
    _emphasis_rule("***", STRONG_EMPHASIS.replace, "emphasis", "strong", later="@"),
    _mention_rule("@", mentions.USER, mentions.read_user_mention),
    Rule("$$", take_math),
    _mention_rule("#**", mentions.TOPIC, mentions.read_topic_link),
    _mention_rule("#**", mentions.CHANNEL, mentions.read_channel_link),
    Rule("<time:", take_times),
    _mention_rule("@", mentions.GROUP, mentions.read_group_mention),
    Rule("](", take_links),
    Rule("!", take_media),
    Rule("", take_bare_addresses),
    Rule("", take_linkifier_matches),
    Rule("&", take_references),
    _emphasis_rule("**", replace_strong, "strong", later="*"),
    _emphasis_rule("*", EMPHASIS.replace, "emphasis", later="~~"),
    _emphasis_rule("~~", STRIKE.replace, "strikethrough", later=":"),
    Rule(":", take_emoji_names),
    Rule("", take_emoticons),
)
"""The rules, by precedence. Line breaks and typed emoji interfere with none: they are found in the remaining
text.
"""

EMPHASES: Final = frozenset({"emphasis", "strong", "strikethrough"})
LATER_RULES: Final = {
    sign: RULES[next(index for index, rule in enumerate(RULES) if rule.sign == sign) :]
    for sign in ("@", "*", "~~", ":")
}
"""The rules from the first one with a sign on."""


class InlineParser(FrameOfInlines):
    """mistune's inline parser with our rules in place of its own."""

    def __call__(self, s: str, env: MutableMapping[str, Any]) -> list[Token]:
        return InlineRun(env["options"], env["found"], env["is_known"], env["linkifiers"]).tokens(s, RULES)
