"""Texts in charsets that strangers name, and characters that they name by numbers.

Labels mean what browsers take them for (https://encoding.spec.whatwg.org): programs name a charset and write
its larger relative. Python knows more charsets than browsers, which mails use, too.
"""

import codecs
import re
from contextlib import suppress
from functools import cache, lru_cache
from html import unescape
from typing import Final

NO_CHARSETS: Final = frozenset({"punycode", "idna", "unicode-escape", "raw-unicode-escape", "undefined"})
"""Encodings of Python that are no charsets; the time of some grows with the square of the length."""
_WIDER_CODECS: Final = {
    "ascii": "utf-8",
    "big5": "big5hkscs",
    "euc_kr": "cp949",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "iso2022_jp": "iso2022_jp_ext",
    "iso8859-1": "cp1252",
    "iso8859-9": "cp1254",
    "iso8859-11": "cp874",
    "shift_jis": "cp932",
    "tis-620": "cp874",
    "utf-16": "utf-16-le",
}
"""The charset that is meant by the name of a smaller one. Who names ASCII has not thought of any charset, and
is likely to write UTF-8, or else windows-1252.
"""
_ALIASES: Final = {
    "big5": "cn-big5 x-x-big5",
    "cp874": "dos-874 windows-874",
    "cp932": "windows-31j x-sjis",
    "cp949": "cseuckr csksc56011987 iso-ir-149 ks_c_5601-1989 ksc_5601 windows-949",
    "euc_jp": "cseucpkdfmtjapanese x-euc-jp",
    "gb18030": "csgb2312 gb_2312 gb_2312-80 x-gbk",
    "iso8859-6": "csiso88596e csiso88596i iso-8859-6-e iso-8859-6-i",
    "iso8859-7": "sun_eu_greek",
    "iso8859-8": "csiso88598e csiso88598i iso-8859-8-e iso-8859-8-i logical visual",
    "iso8859-15": "csisolatin9",
    "koi8-r": "koi koi8",
    "koi8-u": "koi8-ru",
    "mac-cyrillic": "x-mac-cyrillic x-mac-ukrainian",
    "mac-roman": "csmacintosh mac x-mac-roman",
    "utf-7": "unicode-1-1-utf-7 x-unicode-2-0-utf-7",
    "utf-8": "unicode-1-1-utf-8 unicode11utf8 unicode20utf8 x-unicode20utf8",
    "utf-16-be": "unicodefffe",
    "utf-16-le": "csunicode iso-10646-ucs-2 ucs-2 unicode unicodefeff",
    **{f"cp{number}": f"x-cp{number}" for number in range(1250, 1259)},
    **{f"iso8859-{number}": f"iso8859{number}" for number in (1, 2, 3, 4, 5, 9, 10, 11, 13, 14)},
}
"""Labels that browsers know and Python does not."""
_CODECS: Final = {label: codec for codec, labels in _ALIASES.items() for label in labels.split()} | {
    f"iso8859{number}": f"iso8859-{number}" for number in (6, 7, 8, 15)
}
_BYTE_ORDER_MARKS: Final = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_HALVES: Final = re.compile(
    rb"(\xed[\xa0-\xaf][\x80-\xbf]\xed[\xb0-\xbf][\x80-\xbf])"
    rb"|\xed[\xa0-\xbf][\x80-\xbf]|\xf0\x9f[\x80-\xbf]?(?![\x80-\xbf])"
)
"""Bytes that some programs write in place of UTF-8: both halves of a character each by itself, as the group,
one half alone, and an emoji that is cut.
"""
_FALLBACK: Final = "cp1252"
_JAPANESE: Final = "iso2022_jp_ext"
_BEYOND_ASCII_IN_EUC: Final = re.compile("\x8f?[\xa1-\xfe]{2}|\x8e[\xa1-\xdf]|[\x80-\xff]")
"""A character of EUC-JP, or a byte that belongs to none."""
_ESCAPE: Final = re.compile(rb"\x1b(\$[@B]|\([BJI])")
"""The beginning of another set of characters in ISO-2022-JP."""
_IN_PAGE: Final = re.compile(
    rb"(?:<meta[^<>]{0,200}charset|<\?xml[^<>]{0,200}encoding)\s{0,9}=\s{0,9}[\"']?([a-z0-9_.:+-]{1,40})",
    re.IGNORECASE,
)
_MAX_LABEL: Final = 80
NO_CHARACTER: Final = "\ufffd"
_NO_TEXT: Final = {
    **{code: bytes([code]).decode(_FALLBACK, "replace") for code in range(0x80, 0xA0)},
    **dict.fromkeys(range(0xD800, 0xE000), NO_CHARACTER),
}
"""Replacements of control characters beyond ASCII, as which windows-1252 is often read, and of halves of
characters.
"""
_TO_BE_REPLACED: Final = re.compile("[\x80-\x9f\ud800-\udfff]")


@lru_cache(maxsize=256)
def codec_of(label: str) -> str | None:
    """Return the name of Python's codec for the charset that a label means, or None for an unknown one."""
    label = label.strip(" \t\r\n\f\"'").lower()
    if len(label) > _MAX_LABEL:
        return None
    try:
        name = codecs.lookup(_CODECS.get(label, label)).name
        b"a".decode(name, "replace")  # not all codecs make texts
    except (LookupError, ValueError):
        return None
    return None if name.replace("_", "-") in NO_CHARSETS else _WIDER_CODECS.get(name, name)


def decode_text(data: bytes, label: str = "") -> str:
    """Return a text in the charset that it is said to be in, or seems to be in.

    A character that the charset does not have is replaced by U+FFFD; it spoils no other.
    """
    for mark, name in _BYTE_ORDER_MARKS:
        if data.startswith(mark):
            return _clean(_decode(data[len(mark) :], name))
    codec = codec_of(label) or "utf-8"
    if codec == _JAPANESE:
        return _clean(_decode_iso_2022_jp(data))
    if codec == "euc_jp":
        return _clean(_decode_euc_jp(data))
    if codec == "utf-8":
        codec = guessed_codec(data)
    return _clean(_decode(data, codec))


def _decode(data: bytes, codec: str) -> str:
    if codec == "utf-8":
        data = _HALVES.sub(_whole_character, data)
    return data.decode(codec, "replace")


def _whole_character(halves: re.Match[bytes]) -> bytes:
    """Return the character of two halves in UTF-8, and U+FFFD for one half or an emoji that is cut."""
    if halves[1] is None:
        return NO_CHARACTER.encode()
    units = halves[1].decode("utf-8", "surrogatepass").encode("utf-16", "surrogatepass")
    return units.decode("utf-16").encode()


def _decode_iso_2022_jp(data: bytes) -> str:
    """Return a text of ISO-2022-JP. Mail programs also write characters in it which the standard lacks, such
    as ① and ㈱, in the way of Windows: each pair of bytes is a pair of its Shift_JIS, moved.
    """
    with suppress(UnicodeDecodeError):
        return data.decode(_JAPANESE)
    pieces = _ESCAPE.split(data)
    texts = []
    for mode, text in zip((b"(B", *pieces[1::2]), pieces[::2], strict=True):
        if mode in (b"$@", b"$B"):
            texts += [_character_of_jis(*pair) for pair in zip(text[::2], text[1::2], strict=False)]
        else:
            shifted = bytes(byte | 0x80 for byte in text) if mode == b"(I" else text
            texts.append(shifted.decode("cp932", "replace"))
    return "".join(texts)


@lru_cache(maxsize=1024)
def _character_of_jis(first: int, second: int) -> str:
    """Return the character for two bytes of ISO-2022-JP, by their place in Shift_JIS of Windows."""
    if not (0x21 <= first <= 0x7E and 0x21 <= second <= 0x7E):
        return NO_CHARACTER
    # There two rows of 94 characters share a first byte. The second byte is never 0x7F.
    lead = (first + 1) // 2 + (0x70 if first < 0x5F else 0xB0)
    trail_in_odd_row = second + (0x20 if second >= 0x60 else 0x1F)
    trail = second + 0x7E if first % 2 == 0 else trail_in_odd_row
    return bytes((lead, trail)).decode("cp932", "replace")


def _decode_euc_jp(data: bytes) -> str:
    """Return a text of EUC-JP. Programs also write characters of Windows in it, which the standard lacks."""
    with suppress(UnicodeDecodeError):
        return data.decode("euc_jp")
    return _BEYOND_ASCII_IN_EUC.sub(lambda match: _character_of_euc(match[0]), data.decode("latin-1"))


@cache
def _character_of_euc(code: str) -> str:
    """Return the character of EUC-JP for *code*, its bytes decoded as Latin-1; U+FFFD if there is none."""
    data = code.encode("latin-1")
    with suppress(UnicodeDecodeError):
        return data.decode("euc_jp")
    # A character of Windows: without their highest bits, its bytes are those of ISO-2022-JP.
    return _character_of_jis(data[0] & 0x7F, data[1] & 0x7F) if len(data) == 2 else NO_CHARACTER


def decode_page(data: bytes, label: str = "") -> str:
    """Return the text of a page of HTML: in the charset that *label* names, or else in the one that the page
    names itself. A label for ASCII, which `codec_of` reads as UTF-8, counts as none.
    """
    codec = codec_of(label)
    is_named = codec is not None and (codec != "utf-8" or "utf" in label.lower())
    match = None if is_named else _IN_PAGE.search(data)
    inner_label = match[1].decode() if match else ""
    inner_codec = codec_of(inner_label)
    if inner_codec is None or inner_codec.startswith("utf-16"):
        # A page that is in UTF-16 cannot say so in single bytes, as this one does.
        return decode_text(data, label)
    return decode_text(data, inner_codec)


def guessed_codec(data: bytes, *, is_cut: bool = False) -> str:
    """Return the charset of a text that is said to be UTF-8, or of which nothing is said: windows-1252 if
    more than half of what is beyond ASCII cannot be read as UTF-8, otherwise UTF-8. Halves do not count.

    *is_cut* says that the text may end within a character.
    """
    text = _HALVES.sub(b"", data).decode("utf-8", "replace")
    characters = [character for character in text if character > "\x7f"]
    unreadable = characters.count(NO_CHARACTER) - (is_cut and text.endswith(NO_CHARACTER))
    return "utf-8" if unreadable * 2 <= len(characters) else _FALLBACK


def _clean(text: str) -> str:
    """Return a text with the replacements of `_NO_TEXT`."""
    return text.translate(_NO_TEXT) if _TO_BE_REPLACED.search(text) else text


_TOO_LARGE: Final = re.compile("&#(?:[0-9]{9,}|[xX][0-9a-fA-F]{9,});?")


def with_possible_references(html: str) -> str:
    """Return a page of HTML with U+FFFD for the references to characters by a number of nine digits or more:
    no character has one, and Python refuses to read a number of thousands of digits.
    """
    return _TOO_LARGE.sub(NO_CHARACTER, html)


def unescape_html(html: str) -> str:
    """Return a text of HTML with the characters that its references mean."""
    return unescape(with_possible_references(html))
