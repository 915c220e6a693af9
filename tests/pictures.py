"""Small pictures, made by hand."""

from zlib import compress, crc32


def chunk(kind: bytes, data: bytes = b"") -> bytes:
    return len(data).to_bytes(4, "big") + kind + data + crc32(kind + data).to_bytes(4, "big")


def png(width: int = 2, height: int = 2, *, animated: bool = False) -> bytes:
    """Grey; of two pictures where it is animated."""
    lines = compress(b"".join(b"\0" + b"\x80" * width for _ in range(height)))
    head = width.to_bytes(4, "big") + height.to_bytes(4, "big") + b"\x08\0\0\0\0"
    frame = head[:8] + bytes(8) + b"\0\1\0\2\0\0"
    parts = [b"\x89PNG\r\n\x1a\n", chunk(b"IHDR", head)]
    if animated:
        parts += [chunk(b"acTL", b"\0\0\0\2\0\0\0\0"), chunk(b"fcTL", b"\0\0\0\0" + frame)]
    parts += [chunk(b"IDAT", lines)]
    if animated:
        parts += [chunk(b"fcTL", b"\0\0\0\1" + frame), chunk(b"fdAT", b"\0\0\0\2" + lines)]
    return b"".join([*parts, chunk(b"IEND")])


def gif(width: int = 1, height: int = 1, *, pictures: int = 1) -> bytes:
    size = width.to_bytes(2, "little") + height.to_bytes(2, "little")
    control = b"!\xf9\x04\0\x0a\0\0\0"
    picture = b",\0\0\0\0" + size + b"\0\x02\x02D\x01\0"
    repeat = b"!\xff\x0bNETSCAPE2.0\x03\x01\0\0\0"
    return (
        b"GIF89a"
        + size
        + b"\x80\0\0"
        + b"\0\0\0\xff\xff\xff"
        + repeat
        + (control + picture) * pictures
        + b";"
    )


def jpeg(width: int = 3, height: int = 2) -> bytes:
    frame = b"\x08" + height.to_bytes(2, "big") + width.to_bytes(2, "big") + b"\x01\x01\x11\0"
    return (
        b"\xff\xd8\xff\xe0\0\x10JFIF\0\x01\x01\0\0\x01\0\x01\0\0"
        + b"\xff\xff\xc0" + (len(frame) + 2).to_bytes(2, "big") + frame
        + b"\xff\xda\0\x08\x01\x01\0\0\x3f\0" + b"\x7f\xff\xd9"
    )  # fmt: skip


def webp(kind: bytes, data: bytes) -> bytes:
    body = b"WEBP" + kind + len(data).to_bytes(4, "little") + data
    return b"RIFF" + len(body).to_bytes(4, "little") + body


LOSSY = webp(b"VP8 ", b"\x10\0\0\x9d\x01\x2a\x05\0\x04\0")
LOSSLESS = webp(b"VP8L", b"\x2f" + (4 | 3 << 14).to_bytes(4, "little") + bytes(5))
EXTENDED = webp(b"VP8X", b"\x10\0\0\0\x04\0\0\x03\0\0")
MOVING = webp(b"VP8X", b"\x12\0\0\0\x04\0\0\x03\0\0")
"""The first three are of 5 by 4 pixels."""
