"""Thumbnails of uploaded images: in messages, for whom they are, and made once, on both stores."""

import struct
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest
from PIL import Image

from chatcore.application.files import thumbnail_making, thumbnails
from chatcore.application.files.thumbnails import make_due
from chatcore.application.services import Services
from chatcore.domain.files.pictures import BadImage
from chatcore.domain.files.thumbnails import ATTEMPT_SECONDS, MAX_ATTEMPTS, Derived, derived_key
from chatcore.domain.files.uploads import file_key
from chatcore.storage import Transaction
from chatcore.storage.files import FilesFull, FilesNotReady
from tests.worlds.files import fetches, files_world, stored_files
from tests.worlds.images import shows_image, thumbnail, thumbnails_wait
from tests.worlds.organization import Someone, World
from tests.worlds.pictures import BLUE, GREEN, RED, animation, colors, gif, opened, picture, png

__all__ = ["files_world"]


@pytest.fixture
def world(files_world: World) -> World:
    return files_world


@pytest.fixture
def waiting(world: World) -> Iterator[Services]:
    """Services whose images stay pending."""
    with thumbnails_wait(world):
        yield replace(world.svc, alarms=type(world.svc.alarms)())


def only(url: str) -> str:
    """A text that is nothing but a link, which its preview replaces."""
    return f"[]({url})"


def html_of(someone: Someone, message_id: int) -> str:
    html: str = someone.get(f"/messages/{message_id}")["message"]["content"]
    return html


def ready(url: str, *, title: str = "", more: str = "", size: str = "300x200", kind: str = "png") -> str:
    named = f' title="{title}"' if title else ""
    return (
        f'<div class="message_inline_image"><a href="{url}"{named}><img{more} data-original-content-type='
        f'"image/{kind}" data-original-dimensions="{size}" src="{thumbnail(url)}"></a></div>'
    )


def loading(url: str, title: str = "") -> str:
    named = f' title="{title}"' if title else ""
    return (
        f'<div class="message_inline_image"><a href="{url}"{named}><img class="image-loading-placeholder"'
        ' data-original-content-type="image/png" data-original-dimensions="300x200"'
        ' src="/static/images/loading/loader.svg"></a></div>'
    )


def test_a_message_shows_the_thumbnail_of_an_uploaded_image(world: World, ada: Someone) -> None:
    url = shows_image(ada)
    sent = ada.says(f"[x.png]({url})")
    assert html_of(ada, sent) == f'<p><a href="{url}">x.png</a></p>\n{ready(url, title="x.png")}'
    response = fetches(ada, thumbnail(url))
    assert (response.status_code, response.mimetype) == (200, "image/webp")
    assert opened(response.data).size == (300, 200)
    assert response.headers["Cache-Control"] == "private, immutable"
    assert "sandbox" in response.headers["Content-Security-Policy"]
    assert ada.get("/attachments")["upload_space_used"] == len(picture())


def test_the_formats_are_in_the_registration(ada: Someone) -> None:
    assert ada.post("/register", fetch_event_types=["realm"])["server_thumbnail_formats"] == [
        {"name": "840x560.webp", "max_width": 840, "max_height": 560, "format": "webp", "animated": False},
        {
            "name": "840x560-anim.webp",
            "max_width": 840,
            "max_height": 560,
            "format": "webp",
            "animated": True,
        },
    ]


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "GIF", "WEBP", "AVIF", "TIFF"])
def test_images_of_these_formats_have_thumbnails(ada: Someone, kind: str) -> None:
    url = shows_image(ada, picture(kind, (1680, 560)), "image")
    made = opened(fetches(ada, thumbnail(url)).data)
    assert (made.format, made.size) == ("WEBP", (840, 280))
    assert made.getpixel((400, 100))[0] > 200  # type: ignore[index]


def test_an_image_that_browsers_do_not_show_has_a_copy(ada: Someone) -> None:
    url = shows_image(ada, picture("TIFF", (8064, 100)), "scan.tiff")
    more = ""
    html = html_of(ada, ada.says(only(url)))
    assert html == ready(url, more=more, size="8064x100", kind="tiff").replace(
        " src=", ' data-transcoded-image="4032x50.webp" src='
    )
    assert opened(fetches(ada, thumbnail(url, "4032x50.webp")).data).size == (4032, 50)


@pytest.mark.parametrize("kind", ["GIF", "WEBP", "PNG"])
def test_an_animation_has_a_thumbnail_that_moves(ada: Someone, kind: str) -> None:
    url = shows_image(ada, animation(kind, (1000, 500), lossless=True), "fast")
    assert 'data-animated="true"' in html_of(ada, ada.says(f"[a]({url})"))
    moving = fetches(ada, thumbnail(url, "840x560-anim.webp")).data
    assert opened(moving).size == (840, 420)
    assert colors(moving) == [RED, GREEN, BLUE]
    assert colors(fetches(ada, thumbnail(url)).data) == [RED]


def test_a_long_animation_has_a_still_thumbnail(ada: Someone) -> None:
    url = shows_image(ada, gif(2000, 2000, 60), "long.gif")
    assert "data-animated" not in html_of(ada, ada.says(only(url)))
    assert fetches(ada, thumbnail(url, "840x560-anim.webp")).data == fetches(ada, thumbnail(url)).data


def test_a_rotated_picture_is_shown_upright(ada: Someone) -> None:
    exif = Image.Exif()
    exif[0x0112] = 6
    url = shows_image(ada, picture("JPEG", (300, 200), exif=exif.tobytes()), "photo.jpg")
    assert 'data-original-dimensions="200x300"' in html_of(ada, ada.says(only(url)))
    made = opened(fetches(ada, thumbnail(url)).data)
    assert made.size == (200, 300)
    assert not made.getexif()


def test_a_name_of_another_size_leads_to_the_nearest_format(ada: Someone) -> None:
    url = shows_image(ada)
    for name in ("300x200.webp", "840x560-anim.webp", "100x75.jpg"):
        assert fetches(ada, thumbnail(url, name)).data == fetches(ada, thumbnail(url)).data
    for name in ("x.webp", "840x560", "840x560.svg", "x840x560.webp", "..", "", "840x560.webp/x"):
        response = fetches(ada, thumbnail(url, name), Accept="image/png")
        assert (response.status_code, response.mimetype) == (404, "image/png"), name


def test_a_file_that_is_no_image_has_no_thumbnail(ada: Someone) -> None:
    for data in (b"soup", b"\x89PNG\r\n\x1a\n and so on", b"<svg/>", b""):
        url = shows_image(ada, data)
        assert fetches(ada, thumbnail(url)).status_code == 404
        assert fetches(ada, url).data == data


def test_a_bomb_has_no_preview_and_stays_a_file(ada: Someone) -> None:
    for data in (png(8000, 8000), png(40_000, 40_000)):
        url = shows_image(ada, data)
        assert fetches(ada, thumbnail(url)).status_code == 404
        assert fetches(ada, url).data == data
    assert html_of(ada, ada.says(f"[x]({shows_image(ada, png(8000, 8000))})")).endswith(">x</a></p>")


def test_a_thumbnail_is_read_by_those_who_read_the_file(world: World, ada: Someone) -> None:
    bea, gus = world["bea"], world["gus"]
    url = shows_image(ada)
    assert fetches(bea, thumbnail(url)).status_code == 404
    assert fetches(world.nobody, thumbnail(url)).status_code == 401
    sent = ada.says(url, "secret")
    assert [fetches(who, thumbnail(url)).status_code for who in (bea, gus)] == [200, 404]
    ada.delete(f"/messages/{sent}")
    assert fetches(bea, thumbnail(url)).status_code == 404
    world.open_to_the_web()
    ada.says(url, "plaza")
    assert fetches(world.nobody, thumbnail(url)).status_code == 200


def test_an_image_that_the_author_may_not_read_is_not_described(world: World, ada: Someone) -> None:
    url = shows_image(world["bea"])
    assert "300x200" not in html_of(ada, ada.says(f"[x]({url})"))


def test_a_removed_file_takes_its_thumbnails_along(world: World, ada: Someone) -> None:
    before = len(stored_files(world))
    url = shows_image(ada, animation())
    assert len(stored_files(world)) == before + 3
    (attachment,) = ada.get("/attachments")["attachments"]
    ada.delete(f"/attachments/{attachment['id']}")
    assert len(stored_files(world)) == before
    assert fetches(ada, thumbnail(url)).status_code == 404
    assert world.count("uploaded_image") == 0


# -- later ------------------------------------------------------------------------------------------


def test_a_pending_image_is_replaced_in_messages(waiting: Services, world: World, ada: Someone) -> None:
    url = shows_image(ada)
    sent = ada.says(f"[x.png]({url}) *a*", "secret")
    alone = ada.writes(only(url), "bea")
    other = ada.says("soup", "secret")
    assert html_of(ada, sent).endswith(loading(url, "x.png"))
    assert html_of(ada, alone) == loading(url)
    lines = {name: world[name].opens_queue("update_message") for name in ("ada", "bea", "cem")}
    make_due(waiting)
    assert html_of(ada, sent) == f'<p><a href="{url}">x.png</a> <em>a</em></p>\n{ready(url, title="x.png")}'
    for name in ("ada", "bea"):
        first, second = sorted(lines[name].events("update_message"), key=lambda event: event["message_id"])
        assert second["rendered_content"] == ready(url)
        assert {key: first[key] for key in first.keys() - {"id", "edit_timestamp"}} == {
            "type": "update_message",
            "user_id": None,
            "rendering_only": True,
            "message_id": sent,
            "message_ids": [sent],
            "flags": [],
            "content": f"[x.png]({url}) *a*",
            "rendered_content": html_of(ada, sent),
        }
    assert lines["cem"].events("update_message") == []
    message = ada.get(f"/messages/{sent}")["message"]
    assert "last_edit_timestamp" not in message
    assert "edit_history" not in message
    assert html_of(ada, other) == "<p>soup</p>"
    make_due(waiting)
    assert lines["ada"].events("update_message") == []


def test_many_images_of_one_account_delay_no_others(
    waiting: Services, world: World, ada: Someone, monkeypatch: pytest.MonkeyPatch
) -> None:
    stored: list[str] = []
    original = thumbnails.pictures.store

    def store(svc: Services, key: str, data: bytes) -> None:
        stored.append(key)
        original(svc, key, data)

    monkeypatch.setattr(thumbnails.pictures, "store", store)
    bea = world["bea"]
    urls = [shows_image(who) for who in (ada, ada, ada, bea, ada, bea)]
    make_due(waiting)
    keys = [derived_key(file_key(url.removeprefix("/user_uploads/")), Derived.STILL) for url in urls]
    assert stored == [keys[number] for number in (0, 3, 1, 5, 2, 4)]


def test_an_image_that_fails_leaves_its_link(waiting: Services, ada: Someone) -> None:
    url = shows_image(ada, picture()[:-40])
    linked, alone = ada.says(f"[x]({url})"), ada.says(only(url))
    make_due(waiting)
    assert html_of(ada, linked) == f'<p><a href="{url}">x</a></p>'
    assert html_of(ada, alone) == f'<p><a href="{url}">{url}</a></p>'
    assert fetches(ada, thumbnail(url)).status_code == 404


def test_a_thumbnail_is_made_when_it_is_asked_for(waiting: Services, ada: Someone) -> None:
    url = shows_image(ada)
    sent = ada.says(only(url))
    assert opened(fetches(ada, thumbnail(url)).data).size == (300, 200)
    assert html_of(ada, sent) == ready(url)


def test_a_message_is_sent_while_its_thumbnail_is_being_made(
    waiting: Services, ada: Someone, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The text of the message is rendered before the thumbnail is made, and stored afterwards."""
    url = shows_image(ada)
    sending, edited = ada.says("soup"), []
    from chatcore.application.delivery import rendering

    original = rendering.render

    def slow(*rest: Any) -> Any:
        rendered = original(*rest)
        if "placeholder" in rendered.html:
            edited.append(make_due(waiting))
        return rendered

    monkeypatch.setattr(rendering, "render", slow)
    ada.patch(f"/messages/{sending}", content=only(url))
    assert edited
    assert html_of(ada, sending) == ready(url)


def test_the_next_process_makes_what_one_has_left(
    waiting: Services, world: World, ada: Someone, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = shows_image(ada)
    sent = ada.says(only(url))

    def killed(*_: Any, **__: Any) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(thumbnails, "_draw_thumbnails", killed)
        with pytest.raises(KeyboardInterrupt):
            make_due(waiting)
    assert 0 < make_due(waiting) <= ATTEMPT_SECONDS
    assert html_of(ada, sent) == loading(url)
    assert fetches(ada, thumbnail(url)).status_code == 200, "made for this reader meanwhile"
    assert html_of(ada, sent) == loading(url)
    world.clock.advance(ATTEMPT_SECONDS)
    make_due(waiting)
    assert html_of(ada, sent) == ready(url)


def test_an_image_does_not_wait_for_a_clock_that_was_set_back(
    waiting: Services, world: World, ada: Someone, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = shows_image(ada)
    sent = ada.says(only(url))

    def killed(*_: Any, **__: Any) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(thumbnails, "_draw_thumbnails", killed)
        with pytest.raises(KeyboardInterrupt):
            make_due(waiting)
    world.clock.advance(-7200)
    make_due(waiting)
    assert html_of(ada, sent) == ready(url)


def test_an_image_that_another_process_has_begun_is_left_to_it(
    waiting: Services, ada: Someone, monkeypatch: pytest.MonkeyPatch
) -> None:
    ada.says(only(shows_image(ada)))
    write, made = waiting.storage.write, thumbnail_making.thumbnails
    tries: list[int] = []

    def counted(*given: Any, **more: Any) -> Any:
        tries.append(1)
        return made(*given, **more)

    def begun_before(change: Callable[[Transaction], Any]) -> Any:
        monkeypatch.setattr(waiting.storage, "write", write)
        make_due(waiting)
        return write(change)

    monkeypatch.setattr(thumbnail_making, "thumbnails", counted)
    monkeypatch.setattr(waiting.storage, "write", begun_before)
    make_due(waiting)
    assert tries == [1]


def test_a_reader_gets_a_thumbnail_that_another_process_begins_just_before(
    waiting: Services, ada: Someone, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = shows_image(ada)

    def begun_before(svc: Services) -> bool:
        monkeypatch.undo()
        make_due(svc)
        return True

    monkeypatch.setattr(thumbnails, "_has_disk", begun_before)
    assert opened(fetches(ada, thumbnail(url)).data).size == (300, 200)


def test_an_image_that_ends_processes_is_given_up(
    waiting: Services, world: World, ada: Someone, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent = ada.says(only(shows_image(ada)))
    tries: list[int] = []

    def killed(*_: Any, **__: Any) -> None:
        tries.append(1)
        raise KeyboardInterrupt

    monkeypatch.setattr(thumbnails, "_draw_thumbnails", killed)
    for _ in range(MAX_ATTEMPTS):
        with pytest.raises(KeyboardInterrupt):
            make_due(waiting)
        world.clock.advance(ATTEMPT_SECONDS)
    make_due(waiting)
    assert len(tries) == MAX_ATTEMPTS
    assert "message_inline_image" not in html_of(ada, sent)


def test_without_room_on_the_disk_images_wait(
    waiting: Services, world: World, ada: Someone, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = shows_image(ada)
    sent = ada.says(only(url))
    with monkeypatch.context() as patched:
        patched.setattr(type(waiting.files), "free_space", lambda self: 0)
        make_due(waiting)
        assert html_of(ada, sent) == loading(url)
    with monkeypatch.context() as patched:
        patched.setattr(thumbnails.pictures, "store", _full_disk)
        for _ in range(MAX_ATTEMPTS + 1):
            with pytest.raises(FilesNotReady):
                make_due(waiting)
            world.clock.advance(ATTEMPT_SECONDS)
    assert fetches(ada, thumbnail(url)).status_code == 200


def _full_disk(*_: Any) -> None:
    raise FilesFull("full")


def test_a_file_that_is_removed_meanwhile_leaves_nothing(
    waiting: Services, world: World, ada: Someone, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = len(stored_files(world))
    shows_image(ada)
    original = thumbnail_making.thumbnails

    def slow(*rest: Any, **more: Any) -> Any:
        (attachment,) = ada.get("/attachments")["attachments"]
        ada.delete(f"/attachments/{attachment['id']}")
        return original(*rest, **more)

    monkeypatch.setattr(thumbnail_making, "thumbnails", slow)
    make_due(waiting)
    assert len(stored_files(world)) == before


def test_thumbnails_that_a_backup_left_out_are_made_again(world: World, ada: Someone) -> None:
    url = shows_image(ada)
    thumbnails.remove_thumbnails(world.svc, url.removeprefix("/user_uploads/"))
    assert fetches(ada, thumbnail(url)).status_code == 200
    assert fetches(ada, thumbnail(url)).status_code == 200


def test_a_file_of_earlier_has_a_thumbnail_when_it_is_asked_for(world: World, ada: Someone) -> None:
    url = shows_image(ada)
    world.sql("DELETE FROM uploaded_image")
    thumbnails.remove_thumbnails(world.svc, url.removeprefix("/user_uploads/"))
    assert fetches(ada, thumbnail(url)).status_code == 200
    assert world.count("uploaded_image") == 1


def test_very_many_messages_with_an_image_are_changed(
    waiting: Services, ada: Someone, monkeypatch: pytest.MonkeyPatch
) -> None:
    from chatcore.application.delivery import rerendering

    monkeypatch.setattr(rerendering, "BATCH", 2)
    monkeypatch.setattr(thumbnails, "BATCH", 2)
    url = shows_image(ada)
    sent = [ada.says(only(url)) for _ in range(5)]
    make_due(waiting)
    assert [html_of(ada, one) for one in sent] == [ready(url)] * 5


def tiff(**tags: int) -> bytes:
    """Make a TIFF of 64 pixels by 64, compressed by LZW, of which one tile of these measures is all."""
    numbers = {256: 64, 257: 64, 258: 8, 259: 5, 262: 1, 277: 1, 322: tags["width"], 323: tags["length"]}
    entries = {**numbers, 324: 8, 325: 100}
    rows = b"".join(struct.pack("<HHII", tag, 4, 1, number) for tag, number in entries.items())
    return b"II*\0\x08\0\0\0" + struct.pack("<H", len(entries)) + rows + bytes(204)


@pytest.mark.parametrize(
    "data",
    [
        tiff(width=30_000, length=30_000),
        picture("TIFF", (300, 200), compression="jpeg"),
    ],
)
def test_sec_64_a_tiff_is_decoded_in_plain_forms_and_small_tiles_only(data: bytes) -> None:
    assert thumbnail_making.header(data, "image/tiff").is_too_large
    with pytest.raises(BadImage):
        thumbnail_making.thumbnails(data, "image/tiff", transcode=True)


@pytest.mark.parametrize("compression", ["raw", "packbits", "tiff_lzw", "tiff_adobe_deflate"])
def test_a_plain_tiff_is_decoded(compression: str) -> None:
    data = picture("TIFF", (300, 200), compression=compression)
    assert not thumbnail_making.header(data, "image/tiff").is_too_large
    assert thumbnail_making.thumbnails(data, "image/tiff", transcode=False)
    assert not thumbnail_making.header(tiff(width=64, length=64), "image/tiff").is_too_large


def test_the_limits_of_sizes_hold_when_an_image_is_decoded() -> None:
    with pytest.raises(BadImage):
        thumbnail_making.thumbnails(png(8000, 8000), "image/png", transcode=False)
    with pytest.raises(BadImage):
        thumbnail_making.thumbnails(picture("GIF"), "image/png", transcode=False)
