"""Texts in charsets that strangers name."""

import pytest

from chatcore.domain.charsets import codec_of, decode_page, decode_text

QUOTED = b"\x93quoted\x94 \x96 5 \x80, it\x92s"
MEANT = "\u201cquoted\u201d \u2013 5 €, it\u2019s"
NAMES = "朱镕基和喆"
SAID = {
    **dict.fromkeys(
        (
            (QUOTED, label)
            for label in ("iso-8859-1", "us-ascii", "Latin1", "ASCII", " iso88591", "klingon", "")
        ),
        MEANT,
    ),
    (QUOTED, "windows-1252"): MEANT,
    (b"\xfd\x9f", "iso-8859-9"): "ıŸ",
    (NAMES.encode("gbk"), "gb2312"): NAMES,
    (NAMES.encode("gb18030"), "GB_2312-80"): NAMES,
    ("①㈱".encode("cp932"), "shift_jis"): "①㈱",
    ("①㈱".encode("cp932"), "x-sjis"): "①㈱",
    ("똠방".encode("cp949"), "euc-kr"): "똠방",
    ("똠방".encode("cp949"), "ks_c_5601-1987"): "똠방",
    ("咗㗎".encode("big5hkscs"), "big5"): "咗㗎",
    ("ﾊﾟ".encode("iso2022_jp_ext"), "iso-2022-jp"): "ﾊﾟ",
    (b"\x1b$B-!-j\x1b(B soup \x1b(I6\x1b$BF|K\\\x1b(B", "iso-2022-jp"): "①㈱ soup ｶ日本",
    (b"\x1b$BF|\xff\xff\x1b(B ok", "iso-2022-jp"): "日\ufffd ok",
    (b"\xad\xa1\xad\xea soup \xfc\xe2\xc6\xfc\x8e\xb6", "euc-jp"): "①㈱ soup 髙日ｶ",
    (b"\xc6\xfc\xff\xc6\xfc\xad", "x-euc-jp"): "日\ufffd日\ufffd",
    (b"a\x8f\xf5\xf5\xc6\xfc\x8f\xa2\xa1b", "euc-jp"): "a\ufffd日\ufffdb",
    ("ส".encode("cp874"), "tis-620"): "ส",
    ("привет".encode("koi8-u"), "koi8-ru"): "привет",
    ("привет".encode("cp1251"), "x-cp1251"): "привет",
    # one character is not in the charset
    ("朱".encode("gb18030") + b"\xff" + "基".encode("gb18030"), "gb2312"): "朱\ufffd基",
    ("aü".encode() + b"\xff" + "b€c".encode(), "utf-8"): "aü\ufffdb€c",
    (b"a\x81b\x80", "iso-8859-1"): "a\ufffdb€",
    (b"\xe4\xff", "windows-1253"): "δ\ufffd",
    # halves of characters
    (b"a \xed\xa0\xbd\xed\xb8\x80 \xed\xb8\x80\xed\xa0\xbd", "utf-8"): "a \U0001f600 \ufffd\ufffd",
    ("ü".encode() + b"\xed\xa0\xbd\xed\xb8\x80", "us-ascii"): "ü\U0001f600",
    (b"Thanks \xf0\x9f\x98", ""): "Thanks \ufffd",
    ("Thanks \U0001f600".encode() + b"\xf0\x9f", ""): "Thanks \U0001f600\ufffd",
    (b"qu\xed\xbb\x85 s\xfcp", "utf-8"): "quí»… süp",
    # another charset than it says, or none
    ("Grüße €".encode(), "us-ascii"): "Grüße €",
    ("Grüße €".encode(), "klingon"): "Grüße €",
    (b"s\xfcp", "utf-8"): "süp",
    ("\ufeffGrüße".encode(), "iso-8859-1"): "Grüße",
    ("Grüße".encode("utf-16"), "utf-8"): "Grüße",
    ("Grüße".encode("utf-16-le"), "utf-16"): "Grüße",
    # what is no text
    ("a\x93b\x85c\x81".encode(), "utf-8"): "a\u201cb…c\ufffd",
    (b"a\x93\xb1", "iso-8859-2"): "a\u201cą",
    (b"+2AA-", "utf-7"): "\ufffd",
    **dict.fromkeys(
        ((b"soup", label) for label in ("hex", "rot13", "undefined", "a" * 999, "\x00", "é")), "soup"
    ),
}


@pytest.mark.parametrize(("data", "label"), SAID)
def test_a_label_means_what_browsers_take_it_for(data: bytes, label: str) -> None:
    assert decode_text(data, label) == SAID[data, label]


HELLO = "Привет"
PAGES = {
    ("<meta charset=windows-1251>", ""): HELLO,
    ("<META http-equiv=Content-Type content='text/html; charset = windows-1251'>", ""): HELLO,
    ("<meta charset=windows-1251>", "us-ascii"): HELLO,
    ("<meta charset=windows-1251>", "klingon"): HELLO,
    ('<?xml version="1.0" encoding="windows-1251"?>', ""): HELLO,
    ("<meta charset=koi8-r>", "windows-1251"): HELLO,
    ("<meta charset=utf-16>", ""): "Ïðèâåò",
    ("", ""): "Ïðèâåò",
}


@pytest.mark.parametrize(("head", "label"), PAGES)
def test_a_page_says_its_charset_where_nothing_else_does(head: str, label: str) -> None:
    assert decode_page(f"{head}{HELLO}".encode("cp1251"), label) == head + PAGES[head, label]


def test_each_label_of_browsers_is_known() -> None:
    labels = (
        "unicode-1-1-utf-8 866 ibm866 latin6 iso885910 sun_eu_greek logical csisolatin9 l9 x-mac-ukrainian"
    )
    for label in (*labels.split(), "x-x-big5", "hz-gb-2312", "iso-2022-kr", "cseucpkdfmtjapanese", "dos-874"):
        assert codec_of(label), label
