"""What is taken for a picture."""

import itertools

import pytest

from chatcore.domain.pictures import MAX_CHUNKS, MAX_SIDE, BadImage, read_picture
from tests.pictures import EXTENDED, LOSSLESS, LOSSY, MOVING, chunk, gif, jpeg, png

PICTURES = {
    "png": (png(7, 5), "image/png", (7, 5)),
    "apng": (png(7, 5, animated=True), "image/png", (7, 5)),
    "gif": (gif(4, 3), "image/gif", (4, 3)),
    "moving gif": (gif(4, 3, pictures=3), "image/gif", (4, 3)),
    "jpeg": (jpeg(3, 2), "image/jpeg", (3, 2)),
    "lossy webp": (LOSSY, "image/webp", (5, 4)),
    "lossless webp": (LOSSLESS, "image/webp", (5, 4)),
    "extended webp": (EXTENDED, "image/webp", (5, 4)),
}


@pytest.mark.parametrize("name", PICTURES)
def test_type_and_size_are_read(name: str) -> None:
    data, content_type, size = PICTURES[name]
    picture = read_picture(data)
    assert (picture.content_type, (picture.width, picture.height)) == (content_type, size)
    assert picture.is_animated is (name in ("apng", "moving gif"))


@pytest.mark.parametrize(
    ("moving", "still"), [(gif(pictures=3), gif()), (png(animated=True), png())], ids=["gif", "png"]
)
def test_the_first_picture_of_an_animation_is_a_picture(moving: bytes, still: bytes) -> None:
    assert read_picture(moving).still == still
    assert not read_picture(still).is_animated


@pytest.mark.parametrize("name", PICTURES)
def test_a_picture_that_is_cut_off_is_refused(name: str) -> None:
    data, _, _ = PICTURES[name]
    for size in range(len(data)):
        with pytest.raises(BadImage):
            read_picture(data[:size])


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"soup",
        b"<svg xmlns='http://www.w3.org/2000/svg'/>",
        MOVING,
        png().replace(b"IDAT", b"IDAX"),
        b"\x89PNG\r\n\x1a\n" + chunk(b"IEND"),
        png()[:8] + chunk(b"IHDR", bytes(13)) + chunk(b"IEND"),
        gif()[:19] + b"?" + gif()[20:],
        gif(pictures=0),
        jpeg().replace(b"\xff\xff\xc0", b"\xff\xff\xc4"),
        jpeg().replace(b"\xff\xff\xc0", b"?\xff\xc0"),
        b"RIFF\0\0\0\x20WAVEfmt " + bytes(40),
        LOSSY.replace(b"VP8 ", b"VP9 "),
        png()[:-12] + chunk(b"tEXt") * MAX_CHUNKS + chunk(b"IEND"),
        png(0, 1),
        gif(1, 0),
        png(MAX_SIDE + 1, 1),
        jpeg(1, MAX_SIDE + 1),
    ],
    ids=itertools.count(),
)
def test_what_is_none_is_refused(data: bytes) -> None:
    with pytest.raises(BadImage):
        read_picture(data)


def test_the_largest_picture_is_taken() -> None:
    assert read_picture(gif(MAX_SIDE, MAX_SIDE)).width == MAX_SIDE
