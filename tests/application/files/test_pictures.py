"""Processing of uploaded pictures: they are decoded and encoded anew."""

import io
import itertools
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import pytest
from PIL import Image

from chatcore.application.files import picture_making, thumbnail_making
from chatcore.application.organization import custom_emoji
from chatcore.application.people import avatars
from chatcore.domain.errors import RateLimited
from chatcore.domain.files.pictures import MAX_FRAMES, MAX_JPEG_SCANS, BadImage
from chatcore.runtime.work import Work
from tests.worlds.files import files_world
from tests.worlds.organization import World
from tests.worlds.pictures import (
    BLUE,
    GREEN,
    RED,
    animation,
    chunk,
    colors,
    gif,
    gray_ramp,
    is_ramp,
    many_scans,
    opened,
    picture,
    png,
)

__all__ = ["files_world"]

KINDS = ("PNG", "JPEG", "GIF", "WEBP")
MOVING = {"GIF": "image/gif", "PNG": "image/png", "WEBP": "image/webp"}
MAKERS = pytest.mark.parametrize("made", [picture_making.avatar, picture_making.emoji])
Made = Callable[[bytes], object]


@pytest.mark.parametrize("kind", KINDS)
def test_a_still_emoji_is_a_square(kind: str) -> None:
    made = picture_making.emoji(picture(kind))
    assert (made.content_type, made.still) == ("image/png", None)
    assert opened(made.data).size == (64, 64)
    assert colors(made.data) == [RED]


@pytest.mark.parametrize("kind", KINDS)
def test_a_picture_of_a_person_comes_in_two_sizes(kind: str) -> None:
    made = picture_making.avatar(picture(kind))
    assert [opened(data).size for data in (made.small, made.medium)] == [(100, 100), (500, 500)]


@pytest.mark.parametrize("kind", MOVING)
def test_an_animation_stays_one(kind: str) -> None:
    made = picture_making.emoji(animation(kind, (300, 200), lossless=True))
    assert made.content_type == MOVING[kind]
    assert opened(made.data).size == (64, 64)
    assert opened(made.data).info["loop"] == 0
    assert colors(made.data) == [RED, GREEN, BLUE]
    assert opened(made.data).info["duration"] == 50
    assert made.still is not None
    assert (opened(made.still).format, opened(made.still).size) == ("PNG", (64, 64))
    assert colors(made.still) == [RED]


@pytest.mark.parametrize(("size", "stays"), [((20, 20), True), ((128, 128), True), ((129, 129), False)])
def test_a_small_square_that_moves_keeps_its_size(size: tuple[int, int], stays: bool) -> None:
    made = picture_making.emoji(animation(size=size))
    assert opened(made.data).size == (size if stays else (64, 64))
    assert made.still is not None
    assert opened(made.still).size == (64, 64)


@pytest.mark.parametrize("kind", MOVING)
def test_transparent_pictures_stay_so(kind: str) -> None:
    halves = [Image.new("RGBA", (64, 64)) for _ in range(2)]
    for left, half in zip((0, 32), halves, strict=True):
        half.paste((*BLUE, 255), (left, 0, left + 32, 64))
    out = io.BytesIO()
    halves[0].save(
        out, kind, save_all=True, append_images=halves[1:], duration=50, **picture_making.WHOLE[kind]
    )
    image = opened(picture_making.emoji(out.getvalue()).data)
    for number, seen in enumerate(((255, 0), (0, 255))):
        image.seek(number)
        alpha = image.convert("RGBA").getchannel("A")
        assert (alpha.getpixel((16, 32)), alpha.getpixel((48, 32))) == seen


def test_only_the_first_picture_of_a_camera_file_is_used() -> None:
    assert picture_making.emoji(animation("MPO")).still is None


@MAKERS
@pytest.mark.parametrize("kind", KINDS)
def test_a_picture_that_is_cut_off_is_refused_or_whole(made: Made, kind: str) -> None:
    data = picture(kind, (64, 64))
    whole = made(data)
    refused = 0
    for size in range(len(data)):
        try:
            assert made(data[:size]) == whole, size
        except BadImage:
            refused += 1
    assert refused > len(data) * 0.8


@pytest.mark.parametrize("kind", MOVING)
def test_an_animation_that_is_cut_off_is_refused(kind: str) -> None:
    data = animation(kind)
    for size in (len(data) // 4, len(data) // 2, len(data) * 2 // 3):
        with pytest.raises(BadImage):
            picture_making.emoji(data[:size])


MIB = 2**20
Draw = Callable[[], bytes]
"""Makes a large picture in the test: all processes import this module."""
NONE: tuple[bytes | Draw, ...] = (
    b"",
    b"soup",
    b"<svg xmlns='http://www.w3.org/2000/svg'/>",
    b"\x89PNG\r\n\x1a\n<html><script>alert(1)</script>",
    *(picture(kind) for kind in ("BMP", "TIFF", "EPS", "ICO", "PPM", "TGA")),
    png(60_000, 60_000),
    png(50_000, 50_000),
    png(13_001, 1000),
    partial(picture, "WEBP", (5000, 5000), lossless=True),
    partial(picture, "JPEG", (5001, 5000)),
    many_scans(MAX_JPEG_SCANS + 1),
    png(2**31 - 1, 1),
    png(0, 1),
    png(1, 1, chunk(b"tEXt") * (MIB // 2)),
    b"\xff\xd8" + b"\xff\xfe\0\2" * (MIB // 2) + picture("JPEG")[2:],
    gif(65_535, 65_535, 1),
)


PHOTOS: tuple[Draw, ...] = (
    partial(picture, "JPEG", (5712, 4284)),
    partial(picture, "JPEG", (4624, 3468), progressive=True),
    partial(picture, "WEBP", (4080, 3072)),
    partial(many_scans, MAX_JPEG_SCANS),
)


@MAKERS
@pytest.mark.parametrize("draw", PHOTOS, ids=itertools.count())
def test_pictures_from_cameras_are_accepted(made: Made, draw: Draw) -> None:
    assert made(draw())


@MAKERS
@pytest.mark.parametrize("data", NONE, ids=itertools.count())
def test_sec_64_a_file_that_is_no_picture_is_refused(made: Made, data: bytes | Draw) -> None:
    given = data if isinstance(data, bytes) else data()
    with pytest.raises(BadImage):
        made(given)


@pytest.mark.parametrize(
    "draw",
    [
        partial(gif, 1, 1, 10_000),
        partial(gif, 1, 1, MAX_FRAMES + 1),
        partial(gif, 2000, 2000, 4),
        partial(animation, "WEBP", (2500, 2500), 3),
    ],
    ids=["10,000 frames", "one frame too many", "all together too large", "three of six million"],
)
def test_sec_64_all_pictures_of_an_animation_count(draw: Draw) -> None:
    data = draw()
    with pytest.raises(BadImage):
        picture_making.emoji(data)


def test_the_longest_animation_is_taken() -> None:
    assert picture_making.emoji(animation("GIF", (4, 4), MAX_FRAMES)).still is not None


def test_an_account_makes_one_picture_at_a_time(files_world: World) -> None:
    """Sends further pictures while one is being made."""
    outcomes: list[str] = []

    def show(who: str) -> None:
        try:
            avatars.set_own_picture(svc, files_world[who].actor, [picture()])
            outcomes.append(f"{who}'s is shown")
        except RateLimited:
            outcomes.append(f"{who}'s is refused")

    def add_emoji(who: str) -> None:
        with pytest.raises(RateLimited):
            custom_emoji.add_emoji(svc, files_world[who].actor, "ladle", [picture()])

    def run(work: Callable[[], Any], kind: Work = Work.PASSWORDS) -> Any:
        if kind is Work.PICTURES and not outcomes:
            outcomes.append("meanwhile")
            show("ada")
            add_emoji("ada")
            show("bea")
        return work()

    svc = replace(files_world.svc, run_blocking=run)
    show("ada")
    assert outcomes == ["meanwhile", "ada's is refused", "bea's is shown", "ada's is shown"]
    with pytest.raises(BadImage):
        avatars.set_own_picture(svc, files_world["ada"].actor, [b"soup"])
    show("ada")
    assert outcomes[-1] == "ada's is shown", "whatever becomes of one, the turn is over"


DEEP = pytest.mark.parametrize(
    ("mode", "kind", "black", "white"),
    [
        ("I;16", "PNG", 0, 65_535),
        ("I;16", "TIFF", 0, 65_535),
        ("I;16B", "TIFF", 0, 65_535),
        ("I", "TIFF", 0, 255),
        ("I", "TIFF", 0, 65_535),
        ("I", "TIFF", -1_000, 70_000),
        ("F", "TIFF", 0, 1),
        ("F", "TIFF", 0, 255),
        ("F", "TIFF", -3, 1e9),
    ],
)


@DEEP
def test_deep_gray_keeps_its_shades(mode: str, kind: str, black: float, white: float) -> None:
    data = gray_ramp(mode, kind, black, white)
    media_type = f"image/{kind.lower()}"
    for made in thumbnail_making.thumbnails(data, media_type, transcode=True).values():
        assert is_ramp(made)
    if kind == "PNG":
        avatar = picture_making.avatar(data)
        others = (picture_making.icon(data), picture_making.logo(data), picture_making.emoji(data).data)
        assert all(map(is_ramp, (avatar.small, avatar.medium, *others)))


@pytest.mark.parametrize("shade", [0.0, 1.0, float("nan"), float("inf"), -1e38, 3e38])
def test_a_picture_of_one_strange_number_has_a_thumbnail(shade: float) -> None:
    out = io.BytesIO()
    Image.new("F", (20, 20), shade).save(out, "TIFF")
    assert thumbnail_making.thumbnails(out.getvalue(), "image/tiff", transcode=False)
