"""Images, videos and cards below the text that links to them, and the effects of links."""

from __future__ import annotations

import pytest

from chatcore.markup import CardFact, Facts, ImageFact, ImageState, UserFact
from tests.markup.said import effects_of, html_of

IMAGE = '<div class="message_inline_image"><a href="{0}"><img src="{0}"></a></div>'
ONE, TWO = "https://a.example/1.png", "https://a.example/2.png"


def shown(url: str) -> str:
    return IMAGE.format(url)


def link(url: str) -> str:
    return f'<a href="{url}">{url}</a>'


def test_a_bare_image_is_replaced_by_its_preview() -> None:
    assert html_of(ONE) == shown(ONE)


def test_previews_follow_their_paragraph_in_the_order_of_the_links() -> None:
    assert (
        html_of(f"{ONE} {TWO}\n\nz") == f"<p>{link(ONE)} {link(TWO)}</p>\n{shown(ONE)}{shown(TWO)}\n<p>z</p>"
    )


def test_an_address_is_previewed_once() -> None:
    assert html_of(f"a {ONE}\n\nb {ONE}").count("<img") == 1


def test_a_preview_stands_in_the_item_that_links_to_it() -> None:
    assert html_of(f"* a {ONE}\n* {TWO}") == (
        f"<ul>\n<li>a {link(ONE)}{shown(ONE)}</li>\n<li>{shown(TWO)}</li>\n</ul>"
    )
    assert html_of(f"* # {ONE}").endswith(f"</ul>\n{shown(ONE)}")


def test_a_preview_in_an_item_gives_way_to_nothing_but_a_link() -> None:
    assert html_of(f"1. ---\n{ONE}").endswith(f"{link(ONE)}{shown(ONE)}</li>\n</ol>")
    assert html_of(f"* {ONE}\n\n  b\n\n  {TWO} c").count("<img") == 2


@pytest.mark.parametrize("text", [f"**x {ONE} y**", f"# {ONE}", f"a|b\n-|-\n{ONE}|c"])
def test_any_other_preview_comes_last(text: str) -> None:
    assert html_of(text + "\n\nz").endswith(f"<p>z</p>\n{shown(ONE)}")


def test_there_are_no_previews_in_quotes() -> None:
    assert "<img" not in html_of(f"> {ONE}\n\n```quote\n{TWO}\n```")
    assert "<img" in html_of(f"> {ONE}\n\n{ONE}")


def test_there_are_no_previews_where_they_are_off() -> None:
    assert html_of(ONE, previews=False) == f"<p>{link(ONE)}</p>"


def test_too_many_links_mean_no_previews_at_all() -> None:
    text = " ".join(f"https://a.example/{number}.png" for number in range(24))
    assert html_of(text).count("<img") == 24
    assert html_of(f"{text} {ONE.replace('1', '5')}\n\n> https://b.example/").count("<img") == 24
    for other in ("https://b.example/", "**x https://b.example/ y**", "#**garden**", "#**garden>x**"):
        assert html_of(f"* {text} {other}").count("<img") == 0
    assert not effects_of(f"{text} https://b.example/").has_image


def test_the_text_of_a_link_is_the_title_of_its_preview() -> None:
    assert html_of(f"[a]({ONE})") == (
        f'<p><a href="{ONE}">a</a></p>\n'
        f'<div class="message_inline_image"><a href="{ONE}" title="a"><img src="{ONE}"></a></div>'
    )
    assert 'title="' not in html_of(f"[{ONE}]({ONE})")
    assert 'title="a.com/1.png"' in html_of("a.com/1.png")


@pytest.mark.parametrize(
    "target",
    [
        "mailto:a@b.png",
        "sms:a.mp4",
        "ssh://a/b.mp4",
        "file:///a.png",
        "/api/v1/a.png",
        "/user_uploads/../a.mp4",
        "#a.png",
    ],
)
def test_only_web_sites_and_uploads_are_fetched_for_a_preview(target: str) -> None:
    html = html_of(f"[a]({target}) ![a]({target}.mp3)")
    assert html.count("<a ") == 2
    assert "src=" not in html


@pytest.mark.parametrize("suffix", ["bmp", "gif", "jpe", "jpeg", "jpg", "png", "webp", "PNG"])
def test_these_are_images(suffix: str) -> None:
    assert html_of(f"https://a.example/a.{suffix}?b").count("<img") == 1


@pytest.mark.parametrize("suffix", ["mp4", "webm", "mov"])
def test_these_are_videos(suffix: str) -> None:
    assert html_of(f"https://a.example/a.{suffix}").count("<video") == 1


@pytest.mark.parametrize("suffix", ["aac", "flac", "m4a", "mp3", "oga", "ogg", "opus", "wav"])
def test_these_are_audio(suffix: str) -> None:
    assert html_of(f"![](https://a.example/a.{suffix})").count("<audio") == 1


@pytest.mark.parametrize("suffix", ["svg", "html", "txt", "pngx", "png/b"])
def test_these_are_shown_nowhere(suffix: str) -> None:
    assert "src" not in html_of(f"https://a.example/a.{suffix} ![](https://a.example/a.{suffix})")


def test_a_video_is_shown_as_one() -> None:
    url = "https://a.example/b.MP4"
    assert html_of(url) == (
        f'<div class="message_inline_image message_inline_video"><a href="{url}">'
        f'<video preload="metadata" src="{url}"></video></a></div>'
    )
    assert 'href="/user_uploads/b.webm" title="c"' in html_of("[c](/user_uploads/b.webm)")
    assert not effects_of(url).has_image


@pytest.mark.parametrize(
    ("fact", "image"),
    [
        (
            ImageFact(800, 600),
            'data-original-content-type="image/png" data-original-dimensions="800x600"'
            ' src="/user_uploads/thumbnail/2/ab/x.png/840x560.webp"',
        ),
        (
            ImageFact(800, 600, "image/heic", transcoded="800x600.webp", is_animated=True, thumbnail="t"),
            'data-animated="true" data-original-content-type="image/heic" data-original-dimensions="800x600"'
            ' data-transcoded-image="800x600.webp" src="/user_uploads/thumbnail/2/ab/x.png/t"',
        ),
        (
            ImageFact(800, 600, state=ImageState.PENDING),
            'class="image-loading-placeholder" data-original-content-type="image/png"'
            ' data-original-dimensions="800x600" src="/static/images/loading/loader.svg"',
        ),
    ],
)
def test_an_uploaded_image_is_shown_by_its_thumbnail(fact: ImageFact, image: str) -> None:
    html = html_of("[x.png](/user_uploads/2/ab/x.png)", facts=Facts(images={"2/ab/x.png": fact}))
    assert html.endswith(
        '<div class="message_inline_image"><a href="/user_uploads/2/ab/x.png" title="x.png">'
        f"<img {image}></a></div>"
    )


def test_an_upload_of_which_no_thumbnail_can_be_made_has_no_preview() -> None:
    failed = ImageFact(state=ImageState.FAILED)
    html = html_of("[x](/user_uploads/2/ab/x.png)", facts=Facts(images={"2/ab/x.png": failed}))
    assert html == '<p><a href="/user_uploads/2/ab/x.png">x</a></p>'


def test_the_full_address_of_an_upload_gives_way_to_its_preview() -> None:
    assert html_of("https://chat.example/user_uploads/2/ab/x.png") == shown("user_uploads/2/ab/x.png")


def test_an_uploaded_image_without_a_thumbnail_is_shown_itself() -> None:
    html = html_of("[x](/user_uploads/2/ab/x.png) [y](/user_uploads/2/ab/y.txt)")
    assert '<img src="/user_uploads/2/ab/x.png">' in html
    assert html.count("<img") == 1


def test_a_website_has_a_card_if_one_is_known() -> None:
    url = "https://card.example/"
    card = CardFact('T "1"', "D", 'https://i.example/a".png')
    assert html_of(url, facts=Facts(cards={url: card})) == (
        f"<p>{link(url)}</p>\n"
        f'<div class="message_embed"><a class="message_embed_image" href="{url}" style="background-image: '
        'url(&quot;https://i.example/a%22.png&quot;)"></a><div class="data-container">'
        f'<div class="message_embed_title"><a href="{url}" title="T &quot;1&quot;">T &quot;1&quot;</a></div>'
        '<div class="message_embed_description">D</div></div></div>'
    )


def test_cards_do_not_depend_on_the_previews_of_images() -> None:
    url = "https://card.example/"
    facts = Facts(cards={url: CardFact("T")})
    assert "message_embed" in html_of(url, facts=facts, previews=False)
    assert "message_embed" not in html_of(url, facts=Facts())


def test_a_card_without_a_picture_has_none() -> None:
    url = "https://card.example/"
    assert "message_embed_image" not in html_of(url, facts=Facts(cards={url: CardFact("T")}))


def test_audio_is_played_in_place() -> None:
    url = "/user_uploads/2/ab/song.mp3"
    assert html_of(f"![song.mp3]({url})") == (
        f'<p><audio controls preload="metadata" src="{url}" title="song.mp3"></audio></p>'
    )
    assert "<audio" not in html_of(f"[song.mp3]({url})")
    assert "<audio" not in html_of(f"!`{url}`")


def test_links_images_and_attachments_are_effects() -> None:
    effects = effects_of(f"[a](/user_uploads/1/b) > {ONE} https://chat.example/user_uploads/2/c\n\n> /x")
    assert effects.has_link
    assert effects.has_image
    assert effects.attachments == {"1/b", "2/c"}
    assert effects_of("[***https://chat.example/user_uploads/2/c***](/user_uploads/1/b)").attachments == {
        "1/b"
    }
    assert effects_of("![a](/user_uploads/1/b.mp3)").attachments == {"1/b.mp3"}
    assert effects_of("#**garden**").has_link
    assert not effects_of("`https://a.example/`").has_link


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("see @**Bea Bo** poster", "see @Bea Bo poster"),
        ("`see` it", "see it"),
        ('a @**Bea Bo** &lt;b&gt; "c" <i>', "a @Bea Bo &lt;b&gt; &quot;c&quot; &lt;i&gt;"),
        ("plain &copy;", "plain &copy;"),
    ],
)
def test_the_title_is_all_that_the_link_says(text: str, title: str) -> None:
    facts = Facts(users=[UserFact(7, "Bea Bo")])
    assert f'<a href="{ONE}" title="{title}"><img' in html_of(f"[{text}]({ONE})", facts=facts)
