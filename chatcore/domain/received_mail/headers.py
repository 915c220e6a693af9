"""Headers of mails as texts: encoded words, bytes that are not encoded, and names of files."""

import re
from base64 import b64encode
from binascii import a2b_base64, a2b_qp
from collections.abc import Iterator
from email.message import Message
from typing import Final

from chatcore.domain.charsets import decode_text

_WORD: Final = re.compile(r"=\?([^?\s]{1,80})\?([bq])\?([^?]*)\?=", re.IGNORECASE)
_NOT_BASE64: Final = re.compile("[^A-Za-z0-9+/]")


def in_one_charset(source: str) -> str:
    """Return a header with its encoded words and other characters in UTF-8, which the library reads whole.

    Left alone, it decodes each word by itself, also where a character is divided among two, and as ASCII if
    one of its bytes is not in the charset.
    """
    pieces = []
    was_word = False
    for text, is_word in _decoded_parts(readable(source)):
        blank = " " if was_word and is_word else ""
        pieces.append(f"{blank}=?utf-8?b?{b64encode(text.encode()).decode()}?=" if is_word else text)
        was_word = is_word
    return "".join(pieces)


def file_name(disposition: str, content_type: str) -> str:
    """Return the name of a file by these headers, or an empty text."""
    for header, name in ((disposition, "filename"), (content_type, "name")):
        message: Message = Message()
        message["Content-Type"] = readable(header)
        names = [value for key, value in message.get_params([]) if key.lower() == name]
        for value in names:  # a name in a charset has an older form of it before it
            if isinstance(value, tuple):
                charset, _, text = value
                return decode_text(text.encode("latin-1", "replace"), charset or "")
        if names and names[0]:
            return "".join(text for text, _ in _decoded_parts(names[0]))
    return ""


def readable(source: str) -> str:
    """Return a header as it stands in the mail, with the characters that its bytes are meant to be."""
    return source if source.isascii() else decode_text(source.encode("utf-8", "surrogateescape"))


def _decoded_parts(source: str) -> Iterator[tuple[str, bool]]:
    """Yield the parts of a header, each with whether it was encoded words. Blanks between two words mean
    nothing. Words in one charset are decoded together, as a character may be divided among them.
    """
    end, charset, data = 0, "", b""
    for word in _WORD.finditer(source):
        word_charset = word[1].partition("*")[0].lower()
        between = source[end : word.start()]
        if data and (between.strip() or word_charset != charset):
            yield decode_text(data, charset), True
            data = b""
        if between.strip() or (between and end == 0):
            yield between, False
        charset, end = word_charset, word.end()
        data += _decode_word(word[2].lower(), word[3])
    if data:
        yield decode_text(data, charset), True
    yield source[end:], False


def _decode_word(encoding: str, text: str) -> bytes:
    if encoding == "q":
        return a2b_qp(text.encode(), header=True)
    digits = _NOT_BASE64.sub("", text)
    if len(digits) % 4 == 1:
        digits = digits[:-1]  # less than a byte
    return a2b_base64(digits + "==")
