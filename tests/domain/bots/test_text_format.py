"""The form in which many programs post texts, in the signs of our Markdown."""

import re
from html import unescape
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chatcore.domain.bots.integrations import post_of
from chatcore.domain.bots.text_format import message_text
from chatcore.domain.bots.text_marks import to_markdown
from chatcore.domain.errors import AnomalousPayload
from tests.markup.said import html_of

TEXTS = {
    "a &lt; b &amp;&amp; c": "a < b && c",
    "&amp;lt;": "&lt;",
    "<https://a.example/?a=1&amp;b=2|see>": "[see](https://a.example/?a=1&b=2)",
    "<https://a.example/x>": "https://a.example/x",
    "<https://a.example/(x)|see>": "[see](https://a.example/%28x%29)",
    "<https://a.example/x|a [b]>": "a [b] https://a.example/x",
    "<mailto:ada@a.example|Ada>": "[Ada](mailto:ada@a.example)",
    "<mailto:ada@a.example>": "ada@a.example",
    "<tel:123|call>": "[call](tel:123)",
    "<example.com|Fred>": "[Fred](https://example.com)",
    "<!here> <!channel> <!everyone|all>": "@here @channel all",
    "<!subteam^S1|@ops> <!subteam^S1> <!subteam> <!subteam^> <!>": "@ops @S1 @subteam @ @",
    "<@> <#> <@|> <!|> <|> <!^> <!date^> <!date^^>": "@ # @ @ <|> @ @date ",
    "<!date^1392734382^Posted {date}|Feb 18>": "Feb 18",
    "<!date^1392734382^Posted {date}>": "Posted {date}",
    "<#C1|general> <#C1>": "#general #C1",
    "<@U1|ada> <@U1>": "@ada @U1",
    "List<String> <b> 1 < 2 > 1": "List<String> <b> 1 < 2 > 1",
    "*bold* (*b*) *a b*, *c*": "**bold** (**b**) **a b**, **c**",
    "**ours** 2*3*4 * a *": "**ours** 2*3*4 * a *",
    "~gone~ ~~ours~~ ~/x ~/y": "~~gone~~ ~~ours~~ ~/x ~/y",
    "_it_ snake_case_name :white_check_mark:": "*it* snake_case_name :white_check_mark:",
    "*<https://a.example/_a_|z>*": "**[z](https://a.example/_a_)**",
    "https://a.example/_a_/~b~": "https://a.example/_a_/~b~",
    "`*a* &lt; _b_` *c*": "`*a* < _b_` **c**",
    "see ```*a*\n&lt;b&gt;``` end": "see \n```\n*a*\n<b>\n```\n end",
    "```\na\n```": "```\na\n```",
    "&gt; quoted": "> quoted",
    "&gt; quoted\nnext": "> quoted\n\nnext",
    "&gt;&gt; first\n&gt; second\nthird": ">> first\n>\n> second\n\nthird",
    "&gt; quoted ```&gt; a\nb``` end": "> quoted \n\n```\n> a\nb\n```\n end",
    "- one\n- two\nnext": "- one\n- two\n\nnext",
    "1. one\n  more\nnext": "1. one\n  more\n\nnext",
    "a\0b": "a\ufffdb",
}


@pytest.mark.parametrize("text", TEXTS)
def test_emphasis_links_and_escapes(text: str) -> None:
    assert to_markdown(text) == TEXTS[text]


PARTS = st.sampled_from([*"<>!@#^|*_~`&;/ \n\0a1", "https://", "subteam", "date", "mailto:", "&lt;", "```"])


@given(st.lists(PARTS, max_size=12).map("".join))
def test_any_text_becomes_markdown(text: str) -> None:
    assert "\0" not in to_markdown(text)


def plain(text: str) -> dict[str, Any]:
    return {"type": "plain_text", "text": text}


def piece(text: str, **style: bool) -> dict[str, Any]:
    return {"type": "text", "text": text, "style": style}


def rich(*elements: Any) -> dict[str, Any]:
    return {"blocks": [{"type": "rich_text", "elements": [*elements]}]}


def line(*elements: Any, kind: str = "rich_text_section", **more: Any) -> dict[str, Any]:
    return {"type": kind, "elements": [*elements], **more}


BUTTON = {"type": "button", "text": plain("Go"), "url": "https://a.example/go"}
PICTURE = {"type": "image", "image_url": "https://a.example/x.png", "alt_text": "a cat"}
SECTION = {"type": "section", "text": {"type": "mrkdwn", "text": "*hi*"}}

MESSAGES: list[tuple[Any, str]] = [
    ({"attachments": [{"fallback": "Disk is full"}]}, "Disk is full"),
    ({"attachments": [{"fallback": "x", "text": "Disk is full"}]}, "Disk is full"),
    ({"attachments": [{"blocks": [SECTION]}]}, "**hi**"),
    ({"attachments": [{"author_name": "Ada", "author_link": "https://a.example", "footer": "end"}]},
     "[Ada](https://a.example)\n\nend"),
    ({"attachments": [{"image_url": "https://a.example/x.png"}]}, "https://a.example/x.png"),
    ({"attachments": [{"fields": [{"value": "v"}, {"title": "T"}, {"title": "T", "value": 1}]}]},
     "v\n\nT\n\n**T**: 1"),
    ({"attachments": [{"actions": [BUTTON, {"type": "button", "text": "No"}]}]},
     "[Go](https://a.example/go) No"),
    ({"attachments": ["one", {"soup": {"kettle": "two"}}]}, "one\n\ntwo"),
    ({"blocks": [{"type": "context", "elements": [plain("a"), PICTURE]}]},
     "a [a cat](https://a.example/x.png)"),
    ({"blocks": [PICTURE, {"type": "divider"}, {"type": "actions", "elements": [BUTTON]}]},
     "[a cat](https://a.example/x.png)\n\n[Go](https://a.example/go)"),
    ({"blocks": [{**SECTION, "accessory": BUTTON, "fields": [plain("f"), "g"]}]},
     "**hi**\n\nf\n\ng\n\n[Go](https://a.example/go)"),
    ({"blocks": [{"type": "header", "text": plain("H")}, {"type": "markdown", "text": "*x*"}]}, "H\n\n*x*"),
    ({"blocks": [{"type": "table", "rows": [[plain("a"), plain("b")], [plain("c"), plain("d")]]}]},
     "a | b\nc | d"),
    ({"blocks": [{"type": "of tomorrow", "soup": [{"kettle": "hot"}, 5]}]}, "hot"),
    ({"blocks": [{"type": "input", "label": plain("Name"), "element": {"placeholder": plain("ph")}}]},
     "Name\n\nph"),
    (rich(line(piece("a "), piece("b ", bold=True), piece("c", italic=True, strike=True, bold=True))),
     "a **b** ~~***c***~~"),
    (rich(line(piece("*a* &lt;"), {"type": "link", "url": "https://a.example", "text": "b"},
               {"type": "user", "user_id": "U1"}, {"type": "emoji", "name": "tada"},
               {"type": "broadcast", "range": "here"}, {"type": "channel", "channel_id": "C1"})),
     "*a* &lt;[b](https://a.example)@U1:tada:@here#C1"),
    (rich(line(line(piece("one")), line(piece("two")), kind="rich_text_list", style="ordered"),
          line(line(piece("x")), kind="rich_text_list", style="bullet", indent=1)), "1. one\n2. two\n  * x"),
    (rich(line(piece("x = *1* ```"), kind="rich_text_preformatted"),
          line(piece("q"), kind="rich_text_quote")),
     "````\nx = *1* ```\n````\n> q"),
    (rich(line(piece("q"), kind="rich_text_quote"), line(piece("a"))), "> q\n\na"),
    (rich(line(line(piece("one\ntwo")), kind="rich_text_list", style="ordered"), line(piece("a"))),
     "1. one\n   two\n\na"),
    ({"text": "hi", "blocks": [SECTION]}, "**hi**"),
    ({"text": "hello", "blocks": [SECTION]}, "hello\n\n**hi**"),
    ({"message": "Disk is full"}, "Disk is full"),
    ({"text": ["a", {"b": "c"}], "blocks": "d"}, "a\n\nc\n\nd"),
    (["a", {"b": "c"}], "a\n\nc"),
    ("a", "a"),
    ({"text": 5}, "5"),
    ({"blocks": [{"type": ["x"], "text": True}, {"type": {}, "text": "t"}]}, "t"),
    ({"username": "Ada", "channel": "#x", "blocks": 3, "attachments": {"a": 1}}, ""),
    ({"text": {"a": 1}, "attachments": [[]]}, ""),
]  # fmt: skip


@pytest.mark.parametrize(("data", "text"), MESSAGES)
def test_messages(data: Any, text: str) -> None:
    assert message_text(data) == text


@pytest.mark.parametrize("name", ["elements", "accessory", "attachments", "soup"])
def test_deep_data_are_read(name: str) -> None:
    data: Any = {"text": "deep"}
    for _ in range(5000):
        data = {"type": "section", name: [data]}
    for where in ("blocks", "attachments"):
        assert message_text({where: [data]}) == "deep"


class Counted(dict[str, Any]):
    """An object that counts how often it is looked through."""

    looks = 0

    def items(self) -> Any:
        self.looks += 1
        return super().items()


@pytest.mark.parametrize("kind", ["section", "rich_text", "rich_text_section", "table", "markdown", "soup"])
@pytest.mark.parametrize("name", ["elements", "accessory", "fields", "rows", "soup"])
def test_sec_an_empty_block_is_not_looked_through_for_each_one_around_it(kind: str, name: str) -> None:
    innermost = Counted()
    data: Any = innermost
    for _ in range(18):
        data = {"type": kind, name: [data]}
    message_text({"blocks": [data]})
    assert innermost.looks <= 6


@pytest.mark.parametrize(
    "text",
    ["Build *v1_2*", "~~a~~ `b` $$c$$ [d](https://e.example)", "> q", "# h", "- i", "1. j", "@**all**"],
)
def test_plain_texts_are_shown_as_they_are(text: str) -> None:
    blocks = [{"type": "header", "text": plain(text)}, {"type": "context", "elements": [plain(text)]}]
    for block in blocks:
        html = html_of(message_text({"blocks": [block]}))
        shown = unescape(html.removeprefix("<p>").removesuffix("</p>"))
        assert re.sub("</?a[^>]*>", "", shown) == text


WRONG = (None, True, 1, 1.5, "x", [], ["x"], {}, {"text": "x"}, {"type": 3}, [[1]], {"elements": {"a": "x"}})
KINDS = (
    "section", "context", "image", "actions", "button", "video", "markdown", "table", "rich_text",
    "rich_text_section", "rich_text_list", "rich_text_quote", "rich_text_preformatted", "text", "link",
    "user", "date", "emoji", "header",
)  # fmt: skip
NAMES = (
    "text", "elements", "fields", "accessory", "title", "url", "image_url", "rows", "style", "name", "indent",
)  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
def test_values_of_wrong_types_lose_no_other_text(kind: str) -> None:
    for name in (
        "text",
        "elements",
        "fields",
        "accessory",
        "title",
        "url",
        "image_url",
        "rows",
        "style",
        "name",
        "indent",
    ):
        for value in WRONG:
            block = {"type": kind, name: value, "soup": "word"}
            shown = message_text({"blocks": [block, SECTION], "attachments": [{name: value, "text": "kept"}]})
            assert "**hi**" in shown
            if name != "text":
                assert "kept" in shown


def test_names_of_types_are_never_cut() -> None:
    short = [{"type": "rich_text_section", "text": "x" * 14}] * 3_000
    assert post_of("text", {"blocks": [{"type": "rich_text", "elements": short}]}) is not None
    with pytest.raises(AnomalousPayload):
        post_of("text", {"blocks": ["x" * 15] * 9_000})
