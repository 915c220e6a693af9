"""Parts of mails of this server that give rights to whoever reads them: people pass them on, mostly without
knowing it, as their mail programs repeat the headers of a mail above what they quote, and attach whole mails.

Mail filters put each link into one of their own, and mails encode their texts. So the signs of an address may
be percent-encoded once or several times, or be written as in `urldefense` links (`-2F` for `%2F`, `_` for
`/`), in quoted-printable, or as entities of HTML; and all of it may stand in base64.
"""

import re
from base64 import b64decode, b64encode
from bisect import bisect_right
from itertools import accumulate, chain
from typing import Final

LEFT_OUT: Final = b"left-out"
MAX_DEPTH: Final = 3
"""Times that base64 is looked for in what was base64: a link, in a text, in a mail that is attached."""

MAX_LINK: Final = 10_000
"""Characters of the longest link that is taken for one."""

_ESCAPE: Final = "(?:[%=-]|&#0*(?:37|61|45);|&#x0*(?:25|3d|2d);)(?:25|3d|2d)*"
"""The beginning of an encoded sign: a percent sign, an equals sign or a hyphen, encoded or not."""


def _sign(*signs: str) -> str:
    """Return the pattern of these signs, as they are and in each of their encoded forms."""
    codes = "|".join(f"{ord(sign):x}" for sign in signs)
    numbers = "|".join(str(ord(sign)) for sign in signs)
    plain = "".join(map(re.escape, signs))
    return rf"(?:[{plain}]|{_ESCAPE}(?:{codes})|&#0*(?:{numbers});|&#x0*(?:{codes});)"


_DIGITS: Final = "[0-9a-f]++"
_SECRET_PARTS: Final = re.compile(
    rf"(reply{_sign('.')}){_DIGITS}(?:{_sign('-')}{_DIGITS}){{3}}"
    rf"|(unsubscribe{_sign('/', '_')})(?:[\w-]|{_sign('-', '_')}){{50,}}+".encode(),
    re.IGNORECASE,
)
"""The part after the beginning of an address for answers, and of a link that unsubscribes. A token of such a
link has at least 54 characters.
"""
_BREAK: Final = re.compile(rb"=\r?\n|\?=\r?\n[ \t]=\?[\w-]{1,40}\?q\?", re.IGNORECASE)
"""Breaks of a line in quoted-printable, and between the encoded words of a header."""
_MAYBE_BASE64: Final = re.compile(rb"[\w+/=\r\n-]{40,}+")
"""Text that may have base64 in it: the shortest address for answers has as many characters there."""
_BASE64: Final = re.compile(rb"[\w+/-]++(?:=?\r?\n(?!--)[\w+/-]++)*+")
"""Base64 in either alphabet, in one line or several, which quoted-printable may have broken; a line with two
hyphens separates the parts of mails.
"""


def without_secret_parts(text: str) -> str:
    """Return a text in which addresses for answers and links that unsubscribe have no power."""
    return without_secret_parts_in_file(text.encode("utf-8", "surrogatepass")).decode(
        "utf-8", "surrogatepass"
    )


def without_secret_parts_in_file(content: bytes) -> bytes:
    """Return a file without secret parts, as far as they are ASCII in it, or in an encoding of ASCII."""
    return _masked(content, MAX_DEPTH)


def _masked(text: bytes, depth: int, *, keeps_length: bool = False) -> bytes:
    """Return a text without secret parts; *depth* times more, without those in base64."""
    text = _without_addresses(text, keeps_length=keeps_length)
    if not depth:
        return text

    def mask_runs(found: re.Match[bytes]) -> bytes:
        return _BASE64.sub(lambda run: _masked_base64(run[0], depth - 1), found[0])

    return _MAYBE_BASE64.sub(mask_runs, text)


def _without_addresses(text: bytes, *, keeps_length: bool) -> bytes:
    """Return a text without the secret parts that are in no base64, wherever its lines are broken."""
    joined = _BREAK.sub(b"", text) if b"=" in text else text
    lowered = joined.lower()
    if b"reply" not in lowered and b"unsubscribe" not in lowered:
        return text
    bounds = [0, *chain.from_iterable(match.span() for match in _BREAK.finditer(text)), len(text)]
    lengths = [end - start for start, end in zip(bounds[::2], bounds[1::2], strict=True)]
    starts_in_joined = [*accumulate(lengths, initial=0)]

    def index_in_text(index: int) -> int:
        line = min(bisect_right(starts_in_joined, index), len(lengths)) - 1
        return bounds[2 * line] + index - starts_in_joined[line]

    pieces, done = [], 0
    for match in _SECRET_PARTS.finditer(joined):
        start = index_in_text(match.end(match.lastindex or 0))  # the group is the beginning, which stays
        end = index_in_text(match.end() - 1) + 1
        pieces += [text[done:start], LEFT_OUT.ljust(end - start, b"-") if keeps_length else LEFT_OUT]
        done = end
    return b"".join([*pieces, text[done:]])


def _masked_base64(run: bytes, depth: int) -> bytes:
    """Return base64 of the same length and form, whose decoded bytes have no secret parts. In a link, other
    letters may precede it: so each of the first four places is tried as its beginning.
    """
    letters = original = run.translate(None, b"=\r\n")
    alphabet = b"-_" if b"-" in run or b"_" in run else b"+/"
    for start in range(4 if len(run) <= MAX_LINK else 1):
        coded = letters[start:] if (len(letters) - start) % 4 != 1 else letters[start:-1]
        text = b64decode(coded + b"=" * (-len(coded) % 4), alphabet)
        masked = _masked(text, depth, keeps_length=True)
        if masked != text:
            recoded = b64encode(masked, alphabet)[: len(coded)]
            letters = letters[:start] + recoded + letters[start + len(coded) :]
    if letters == original:
        return run
    left = iter(letters)
    return bytes(char if char in b"=\r\n" else next(left) for char in run)
