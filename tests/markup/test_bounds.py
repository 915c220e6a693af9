"""However much markup a text has, there is an end to its HTML, and to the work for it."""

from __future__ import annotations

import pytest

from chatcore.markup import Facts, UserFact
from chatcore.markup.html import code
from chatcore.markup.html.rendering import MAX_HTML
from tests.markup.said import effects_of, html_of

LONGEST = 10_000


@pytest.mark.parametrize(
    "unit",
    [
        "\U0001faf0",
        ":smile:",
        ":our_cat:",
        "@**|31** ",
        "@*night-shift* ",
        "#**garden>roses** ",
        "a.co ",
        "#12 ",
        "<time:1>",
        "$$a$$ ",
        "*a*",
        "* a\n",
        "> a\n\n",
        ">>>>>>>>>a\n\n",
        "```spoiler a\nb\n```\n",
        "```math\na\n```\n",
        "```a\n<\n```\n",
        "a\n\n",
        "<",
        '`"`',
    ],
)
def test_rendered_html_is_bounded(unit: str) -> None:
    assert len(html_of(unit * (LONGEST // len(unit)))) <= MAX_HTML


def test_a_table_has_an_end() -> None:
    for columns in (10, 50, 100, 500):
        head = "|a" * columns + "\n" + "|-" * columns + "\n"
        assert len(html_of(head + "1\n" * ((LONGEST - len(head)) // 2))) <= MAX_HTML


def test_a_text_with_too_much_of_it_is_shown_as_it_was_typed() -> None:
    few, many = "\U0001faf0" * 100, "<" + "\U0001faf0" * 2_000 + " **a**\n@**Ada Byron**"
    assert html_of(few).count("<span") == 100
    assert html_of(many) == "<p>&lt;" + "\U0001faf0" * 2_000 + " **a**<br>\n@**Ada Byron**</p>"


def test_a_text_that_is_shown_as_it_was_typed_mentions_nobody() -> None:
    long_name = Facts(users=(UserFact(31, "Ada " + "B" * 240),))
    loud = "@**all** @**topic** " + "@**|31** " * 100
    quiet = loud + "@**|31** " * 900
    assert effects_of(loud, facts=long_name).user_ids == {31}
    effects = effects_of(quiet, facts=long_name)
    assert (effects.user_ids, effects.channel_wildcard, effects.topic_wildcard) == (set(), False, False)


def test_a_text_with_too_many_links_has_its_code_looked_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    looked_at = []
    spans = code.render_tokens
    monkeypatch.setattr(
        code, "render_tokens", lambda text, lexer: looked_at.append(text) or spans(text, lexer)
    )
    links = " ".join(f"https://a.example/{number}.png" for number in range(30))
    html = html_of(f"```python\nimport a\n```\n{links}")
    assert "message_inline_image" not in html
    assert looked_at == ["import a"]
