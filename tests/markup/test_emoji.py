"""Emoji by name, typed, as emoticons, and the table of them all."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from chatcore.markup import emoji
from tests.markup.said import html_of

BUILDER = Path(__file__).resolve().parents[2] / "scripts" / "build_emoji_table.py"


def span(name: str, code: str) -> str:
    title = name.replace("_", " ")
    return f'<span aria-label="{title}" class="emoji emoji-{code}" role="img" title="{title}">:{name}:</span>'


def test_the_table_has_every_name_once() -> None:
    assert len(emoji.CODE_OF) == 2_960
    assert emoji.CODE_OF["+1"] == emoji.CODE_OF["thumbs_up"] == "1f44d"
    assert emoji.NAMES_OF["1f44d"][0] == "+1"
    assert {name for names in emoji.NAMES_OF.values() for name in names} == set(emoji.CODE_OF)


def test_the_table_is_what_the_script_builds() -> None:
    built = subprocess.run([sys.executable, str(BUILDER), "--check"], check=False, capture_output=True)
    if built.returncode == 3:
        pytest.skip("the package that the table is built from is not installed")
    assert built.returncode == 0


def test_every_emoticon_is_of_an_emoji() -> None:
    assert set(emoji.EMOTICONS.values()) <= set(emoji.CODE_OF)


@pytest.mark.parametrize(
    ("text", "html"),
    [
        (":tada:", span("tada", "1f389")),
        (":thumbs_up:", span("thumbs_up", "1f44d")),
        ("\U0001f44d", span("+1", "1f44d")),
        ("\u2764\ufe0f", span("heart", "2764")),
        ("\u2764", "\u2764"),
        ("a\u26a1\U0001f44d\U0001f3fdb", f"a{span('high_voltage', '26a1')}\U0001f44d\U0001f3fdb"),
        ("#\ufe0f\u20e3 1\ufe0f\u20e3", f"{span('hash', '0023-20e3')} {span('one', '0031-20e3')}"),
        ("#\u20e3 1\u20e3", "#\u20e3 1\u20e3"),
        ("\U0001f1eb\U0001f1f7", span("flag_france", "1f1eb-1f1f7")),
        ("\U0001f34b\u200d\U0001f7e9", "\U0001f34b\u200d\U0001f7e9"),
        (":not_there:", ":not_there:"),
        (":\U0001f44d:", f":{span('+1', '1f44d')}:"),
        ("\xe9\xa9", "\xe9\xa9"),
        (
            ":our_cat:",
            '<img alt=":our_cat:" class="emoji" src="/user_avatars/2/emoji/images/5.png" title="our cat">',
        ),
        (":)", ":)"),
        ("`:tada:` [:tada:](/x)", '<code>:tada:</code> <a href="/x">:tada:</a>'),
    ],
)
def test_emoji_are_rendered(text: str, html: str) -> None:
    if "high_voltage" in html:
        html = html.replace(span("high_voltage", "26a1"), span(emoji.NAMES_OF["26a1"][0], "26a1"))
    assert html_of(text) == f"<p>{html}</p>"


@pytest.mark.parametrize(
    ("text", "is_emoji"), [(":)", True), ("(:) a", True), ("a:)", False), (":)b", False)]
)
def test_emoticons_are_emoji_if_the_author_wants_them(text: str, is_emoji: bool) -> None:
    assert ("emoji-1f642" in html_of(text, translate_emoticons=True)) is is_emoji
