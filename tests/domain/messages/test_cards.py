"""The card of a website: read from the head of its page, in little time."""

import time

import pytest

from chatcore.domain.messages.cards import MAX_DESCRIPTION, MAX_HEAD, MAX_TITLE, Card, card_of_page

URL = "https://site.example/a/b"
HTML = "text/html; charset=utf-8"


def card(head: str, content_type: str = HTML) -> Card | None:
    return card_of_page(URL, content_type, f"<!doctype html><head>{head}</head><body>".encode())


def test_a_card_has_the_title_and_description_of_the_page() -> None:
    head = '<title>Soup &amp; salad\n</title><META name=description content="Every  day">'
    assert card(head) == Card("Soup & salad", "Every day")


def test_the_names_for_previews_come_first() -> None:
    head = (
        '<meta property="og:title" content="Soup"><meta property="og:title" content="No">'
        "<meta content='Hot &quot;soup&quot;' property='og:description'>"
        '<meta property="og:image" content="../soup.png">'
        '<title>Other</title><meta name="description" content="Other">'
    )
    assert card(head) == Card("Soup", 'Hot "soup"', "https://site.example/soup.png")


@pytest.mark.parametrize(
    "head",
    [
        "",
        "<title></title>",
        "<title> \x00\u200b</title>",
        '<meta name="title" content="x">',
        "<body><title>x</title>",
    ],
)
def test_a_page_without_a_title_has_no_card(head: str) -> None:
    assert card(head) is None


@pytest.mark.parametrize("content_type", ["", "text/plain", "application/json", "image/png"])
def test_only_pages_have_cards(content_type: str) -> None:
    assert card("<title>x</title>", content_type) is None


@pytest.mark.parametrize(
    "image",
    [
        "javascript:alert(1)",
        "data:image/png,x",
        "http://[",
        "https://a.example/a b",
        "x" * 3000,
        "ftp://a/b",
    ],
)
def test_an_image_elsewhere_than_on_the_web_is_left_out(image: str) -> None:
    found = card(f'<title>x</title><meta property="og:image" content="{image}">')
    assert found == Card("x")


def test_texts_are_cut() -> None:
    found = card(f'<title>{"x " * 1000}</title><meta name="description" content="{"y" * 2000}">')
    assert found is not None
    assert len(found.title) <= MAX_TITLE
    assert len(found.description) == MAX_DESCRIPTION


@pytest.mark.parametrize(
    ("content_type", "body"),
    [
        ("text/html; charset=latin-1", "<title>Käse</title>".encode("latin-1")),
        ("text/html", '<meta charset="latin-1"><title>Käse</title>'.encode("latin-1")),
        ("text/html", "<title>Käse</title>".encode()),
        ("text/html; charset=nothing", "<title>Käse</title>".encode()),
        ("text/html; charset=hex", "<title>Käse</title>".encode()),
    ],
)
def test_the_charset_is_that_of_the_page(content_type: str, body: bytes) -> None:
    assert card_of_page(URL, content_type, body) == Card("Käse")


@pytest.mark.parametrize(
    ("content_type", "title", "codec"),
    [
        ("text/html; charset=iso-8859-1", "5 € \u201cx\u201d", "cp1252"),
        ("text/html; charset=gb2312", "朱镕基", "gbk"),
        ("text/html; charset=us-ascii", "Käse", "utf-8"),
        ("text/html; charset=iso_8859-1:1987", "Käse", "cp1252"),
        ("text/html; charset=klingon", "Käse", "cp1252"),
    ],
)
def test_characters_outside_the_named_charset_are_shown(content_type: str, title: str, codec: str) -> None:
    page = f"<title>{title}</title>".encode(codec)
    assert card_of_page(URL, content_type, page) == Card(title)


@pytest.mark.parametrize(
    "piece",
    [
        "<meta ",
        "<title>",
        "<meta a=",
        "<meta a='",
        "a",
        "a ",
        "a=",
        "<",
        '<meta content="x">',
        "&#",
        "<meta charset=",
        " ",
    ],
)
def test_no_page_takes_long(piece: str) -> None:
    start = time.process_time()
    card_of_page(URL, HTML, (piece * (MAX_HEAD // len(piece))).encode())
    card_of_page(URL, "text/html", (f"<meta {piece * ((MAX_HEAD - 10) // len(piece))}>").encode())
    assert time.process_time() - start < 2


@pytest.mark.parametrize("charset", ["punycode", "Puny_Code", "idna", "unicode_escape"])
def test_sec_encodings_that_are_no_charsets_are_not_used(charset: str) -> None:
    body = b"<title>x\\x41</title>-" + b"a" * MAX_HEAD
    start = time.process_time()
    assert card_of_page(URL, f"text/html; charset={charset}", body) == Card("x\\x41")
    assert time.process_time() - start < 1


def test_a_number_of_no_character_does_no_harm() -> None:
    number = f"&#{'9' * 5000};"
    found = card(f"<title>Soup {number}</title><meta name=description content='{number} &#233;&#x1F41F;'>")
    assert found == Card("Soup \ufffd", "\ufffd é🐟")
