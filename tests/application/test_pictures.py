"""What becomes of the pictures that people send."""

import io
import itertools
from collections.abc import Callable

import pytest
from PIL import Image

from chatcore.application import pictures
from chatcore.domain.pictures import MAX_FRAMES, BadImage
from tests.pictures import BLUE, GREEN, RED, animation, chunk, colors, gif, opened, picture, png

KINDS = ("PNG", "JPEG", "GIF", "WEBP")
MOVING = {"GIF": "image/gif", "PNG": "image/png", "WEBP": "image/webp"}
MAKERS = pytest.mark.parametrize("made", [pictures.avatar, pictures.emoji])
Made = Callable[[bytes], object]


@pytest.mark.parametrize("kind", KINDS)
def test_a_still_emoji_is_a_square(kind: str) -> None:
    made = pictures.emoji(picture(kind))
    assert (made.content_type, made.still) == ("image/png", None)
    assert opened(made.data).size == (64, 64)
    assert colors(made.data) == [RED]


@pytest.mark.parametrize("kind", KINDS)
def test_a_picture_of_a_person_comes_in_two_sizes(kind: str) -> None:
    made = pictures.avatar(picture(kind))
    assert [opened(data).size for data in (made.small, made.medium)] == [(100, 100), (500, 500)]


@pytest.mark.parametrize("kind", MOVING)
def test_an_animation_stays_one(kind: str) -> None:
    made = pictures.emoji(animation(kind, (300, 200), lossless=True))
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
    made = pictures.emoji(animation(size=size))
    assert opened(made.data).size == (size if stays else (64, 64))
    assert made.still is not None
    assert opened(made.still).size == (64, 64)


@pytest.mark.parametrize("kind", MOVING)
def test_what_is_transparent_stays_so(kind: str) -> None:
    halves = [Image.new("RGBA", (64, 64)) for _ in range(2)]
    for left, half in zip((0, 32), halves, strict=True):
        half.paste((*BLUE, 255), (left, 0, left + 32, 64))
    out = io.BytesIO()
    halves[0].save(out, kind, save_all=True, append_images=halves[1:], duration=50, **pictures.WHOLE[kind])
    image = opened(pictures.emoji(out.getvalue()).data)
    for number, seen in enumerate(((255, 0), (0, 255))):
        image.seek(number)
        alpha = image.convert("RGBA").getchannel("A")
        assert (alpha.getpixel((16, 32)), alpha.getpixel((48, 32))) == seen


def test_of_a_camera_only_the_first_picture_is_taken() -> None:
    assert pictures.emoji(animation("MPO")).still is None


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
            pictures.emoji(data[:size])


MIB = 2**20
NONE = (
    b"",
    b"soup",
    b"<svg xmlns='http://www.w3.org/2000/svg'/>",
    b"\x89PNG\r\n\x1a\n<html><script>alert(1)</script>",
    *(picture(kind) for kind in ("BMP", "TIFF", "EPS", "ICO", "PPM", "TGA")),
    png(60_000, 60_000),
    png(50_000, 50_000),
    png(5001, 5000),
    png(2**31 - 1, 1),
    png(0, 1),
    png(1, 1, chunk(b"tEXt") * (MIB // 2)),
    b"\xff\xd8" + b"\xff\xfe\0\2" * (MIB // 2) + picture("JPEG")[2:],
    gif(65_535, 65_535, 1),
)


@MAKERS
@pytest.mark.parametrize("data", NONE, ids=itertools.count())
def test_sec_64_what_is_none_is_refused(made: Made, data: bytes) -> None:
    with pytest.raises(BadImage):
        made(data)


@pytest.mark.parametrize(
    "data",
    [gif(1, 1, 10_000), gif(1, 1, MAX_FRAMES + 1), gif(2000, 2000, 7), animation("WEBP", (3000, 3000), 3)],
    ids=["10,000 frames", "one frame too many", "all together too large", "three of nine million"],
)
def test_sec_64_all_pictures_of_an_animation_count(data: bytes) -> None:
    with pytest.raises(BadImage):
        pictures.emoji(data)


def test_the_longest_animation_is_taken() -> None:
    assert pictures.emoji(animation("GIF", (4, 4), MAX_FRAMES)).still is not None
