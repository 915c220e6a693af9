"""The HTML of messages with pictures of other sites, as readers get it."""

import pytest

from chatcore.domain.files.foreign_media import MAX_URL, ForeignMedia, ForeignMode
from chatcore.markup import CardFact, Facts
from tests.markup.allow_list import require_safe
from tests.markup.said import html_of

PROXY = ForeignMedia(ForeignMode.PROXY, "dummy")
OFF = ForeignMedia(ForeignMode.OFF, "dummy")
DIRECT = ForeignMedia(ForeignMode.DIRECT, "dummy")

PICTURE = "https://example.com/a.png"
AT_PROXY = (
    "/external_content/9104488819a7b19603aef338ad101e59de603745"
    "/68747470733a2f2f6578616d706c652e636f6d2f612e706e67"
)
CARD = Facts(cards={"https://card.example/": CardFact("T", "D", f"{PICTURE}?a=1&b='2'")})


def test_pictures_of_other_sites_come_from_the_server() -> None:
    assert PROXY.shown(html_of(PICTURE)) == (
        f'<div class="message_inline_image"><a href="{PICTURE}"><img src="{AT_PROXY}"></a></div>'
    )
    assert PROXY.shown(html_of(f"[soup]({PICTURE})")) == (
        f'<p><a href="{PICTURE}">soup</a></p>\n<div class="message_inline_image">'
        f'<a href="{PICTURE}" title="soup"><img src="{AT_PROXY}"></a></div>'
    )


@pytest.mark.parametrize("url", [f"{PICTURE}?a=1&b=2", "https://example.com/a&amp;b.png"])
def test_the_address_is_the_one_that_a_browser_would_ask_for(url: str) -> None:
    html = PROXY.shown(html_of(url))
    _, _, digest, encoded = html.partition('src="')[2].partition('"')[0].split("/")
    assert PROXY.url_at(digest, encoded) == url.replace("&amp;", "&")


def test_an_address_with_a_reference_of_thousands_of_digits_ends_nothing() -> None:
    source = f"{PICTURE}?a=&#{'0' * 4400}65;"  # in messages of older versions
    picture = f'<div class="message_inline_image"><a href="{PICTURE}"><img src="{source}"></a></div>'
    card = f'<a class="message_embed_image" href="" style="background-image: url(&quot;{source}&quot;)"></a>'
    assert PROXY.shown(picture + card).count("/external_content/") == 2


def test_pictures_of_cards_come_from_the_server() -> None:
    html = html_of("https://card.example/", facts=CARD)
    shown = PROXY.shown(html)
    assert "example.com/a.png" not in shown
    assert 'style="background-image: url(&quot;/external_content/' in shown
    assert "message_embed_image" not in OFF.shown(html)
    for each in (shown, OFF.shown(html)):
        require_safe(each)
        assert each.endswith('<div class="message_embed_description">D</div></div></div>')
    assert DIRECT.shown(html) == html


@pytest.mark.parametrize("media", [PROXY, OFF])
@pytest.mark.parametrize(
    "text",
    [
        "https://a.example/b.mp4",
        "[c](https://a.example/b.mp4)",
        "![c](https://a.example/b.mp3)",
        "* https://a.example/b.webm",
        "![](https://a.example/b.mp3?a=1&b=2)",
    ],
)
def test_films_and_sounds_of_other_sites_are_links(media: ForeignMedia, text: str) -> None:
    assert "src=" in html_of(text)
    html = media.shown(html_of(text))
    require_safe(html)
    assert "src=" not in html
    assert html.count('href="https://a.example/b.') == 1
    own = html_of(text.replace("https://a.example", "https://chat.example/user_uploads/1/aa"))
    assert media.shown(own) == own
    assert DIRECT.shown(html_of(text)) == html_of(text)


def test_where_pictures_are_off_there_are_links() -> None:
    assert OFF.shown(html_of(PICTURE)) == f'<p><a href="{PICTURE}">{PICTURE}</a></p>'
    assert OFF.shown(html_of(f"[soup]({PICTURE})")).strip() == f'<p><a href="{PICTURE}">soup</a></p>'
    assert OFF.address(PICTURE) is None
    *_, digest, encoded = AT_PROXY.split("/")
    assert OFF.url_at(digest, encoded) is None


def test_an_address_that_is_too_long_is_a_link() -> None:
    url = f"{PICTURE}?{'a' * MAX_URL}.png"
    assert "src=" not in PROXY.shown(html_of(url))


def test_text_that_looks_like_a_picture_stays() -> None:
    text = f'`<div class="message_inline_image"><a href="{PICTURE}"><img src="{PICTURE}"></a></div>`'
    assert PROXY.shown(html_of(text)) == html_of(text)


@pytest.mark.parametrize(
    ("digest", "encoded"),
    [
        ("", ""),
        ("é", "é"),
        ("0" * 40, "68747470733a2f2f6578616d706c652e636f6d2f612e706e67"),
        ("9104488819a7b19603aef338ad101e59de603745", "68747470733a2f2f6578616d706c652e636f6d2f622e706e67"),
        ("9104488819a7b19603aef338ad101e59de603745", "68747470733a2f2f6578616d706c652e636f6d2f612e706e6"),
    ],
)
def test_nobody_else_can_sign_an_address(digest: str, encoded: str) -> None:
    assert PROXY.url_at(digest, encoded) is None
