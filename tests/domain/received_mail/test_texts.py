"""Texts of mails."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chatcore.domain.received_mail.mails import MAX_DEPTH, MAX_LINES, UnreadableMail, read_mail
from chatcore.domain.received_mail.texts import (
    text_of_html,
    topic_of,
    without_quotations,
    without_signature,
)

QUOTATIONS = {
    "Yes.\n\nOn Monday, Ada wrote:\n> Soup?": "Yes.",
    "Yes.\n\nAm Montag, 1. Januar schrieb Ada <a@b.example>:\n\n> Suppe?\n> Ja?": "Yes.",
    "Yes.\n\nOn Monday, 1 January 2024 at 10:00:00 CET, Ada\nFox <ada@example.org> wrote:\n> Soup?": "Yes.",
    "Yes.\n\n-----Original Message-----\nFrom: Ada\nSoup?": "Yes.",
    "Yes.\n> Soup?\n> Now?\n": "Yes.",
    "> Soup?\nYes.": "> Soup?\nYes.",
    "On Monday Ada wrote:\nthis story": "On Monday Ada wrote:\nthis story",
    "> only this": "> only this",
    "": "",
}


@pytest.mark.parametrize(("text", "kept"), QUOTATIONS.items())
def test_quotations_at_the_end_are_left_out(text: str, kept: str) -> None:
    assert without_quotations(text) == kept


def test_signatures_are_left_out() -> None:
    assert without_signature("Soup.\n-- \nZoe") == "Soup."
    assert without_signature("a\n--\nb\n-- \nZoe") == "a\n--\nb"
    assert without_signature("-- \nZoe") == "-- \nZoe"


HTML = {
    "<p>a</p><p>b<br>c</p>": "a\n\nb\nc",
    "<div>a</div><div>b</div>": "a\n\nb",
    "a &amp; <b>b</b>\n  c": "a & b c",
    "<a href='javascript:x'>a</a> <a href='https://x.example/'>b</a>": "a [b](https://x.example/)",
    "<a href='https://x.example/'>https://x.example/</a>": "https://x.example/",
    "<p>a<blockquote>b</blockquote>": "a\n\nb",
    "<title>t</title><style>s</style>a<script>b": "a",
    "</p></a></li>a": "a",
    "<a href='https://x.example/'>a<a href='https://y.example/'>b</a>c</a>d": (
        "[a](https://x.example/)[b](https://y.example/)cd"
    ),
    "<head><p>a</div></p>b</head>c": "c",
    "": "",
}


@pytest.mark.parametrize(("html", "text"), HTML.items())
def test_html_becomes_text(html: str, text: str) -> None:
    assert text_of_html(html) == text


def test_html_without_quotations_and_signature() -> None:
    html = '<p>a</p><div class="gmail_signature">Zoe</div><div class="x gmail_quote">On <p>b</p></div>'
    assert text_of_html(html, quotations=False, signature=False) == "a"
    assert text_of_html("<p>a</p><blockquote>b</blockquote>c", quotations=False) == "a\n\nc"


@given(st.text())
def test_any_subject_becomes_a_topic(subject: str) -> None:
    assert topic_of(subject)


@given(st.binary(max_size=300))
def test_any_bytes_are_a_mail(data: bytes) -> None:
    for beginning in (b"", b"Content-Type: multipart/mixed; boundary=a\r\n", b"From: ", b"Subject: =?utf-8?"):
        mail = read_mail(beginning + data)
        for text in (mail.text, mail.subject, mail.sender):
            assert "\x00" not in text
        text_of_html(mail.text)


@pytest.mark.parametrize(
    "text",
    [
        "On " * 50_000,
        ">" * 200_000,
        "re:" * 50_000,
        "\n" * 200_000,
        "On x\n" * 50_000,
        "<a" * 50_000,
        "&" * 100_000,
        "<a x='" * 50_000,
        "<!--" * 50_000,
        "On x wrote:\n" * 50_000,
        ("On " + "schrieb" * 40 + "\n") * 1000,
        "<head>" + "<a>" * 50_000 + "</b>" * 50_000,
        "<head>" + "<a>" * 50_000 + "</a>" * 50_000,
        "<a>x" * 50_000 + "</a>" * 50_000,
    ],
)
def test_sec_long_texts_take_no_long_time(text: str) -> None:
    begun = time.process_time()
    for keep in (without_quotations, without_signature, topic_of, text_of_html):
        keep(text)
    assert time.process_time() - begun < 5


def test_sec_mails_in_mails_have_an_end() -> None:
    with pytest.raises(UnreadableMail):
        read_mail(b"Content-Type: message/rfc822\r\n\r\n" * 3000 + b"\r\nso")


PARTS = b"Content-Type: multipart/mixed; boundary=x\n\n"


@pytest.mark.parametrize(
    "data",
    [
        b"Subject: " + b"=?utf-8?q?a?= " * 20_000,
        b"Subject: " + b"a " * 500_000,
        b"From: " + b"a@x.example, " * 20_000,
        b"From: " + b"a. " * 20_000,
        b"Content-Type: text/plain; " + b"a=b; " * 20_000,
        b"Content-Disposition: attachment; " + b"".join(b"filename*%d*=a; " % i for i in range(20_000)),
        b"Content-Type: message/rfc822\n\nSubject: " + b"=?utf-8?q?a?= " * 20_000 + b"\n\nx",
        b"Content-Type: text/plain; charset=punycode\n\n-" + b"a" * 1_000_000,
        PARTS + (b"--x\nContent-Type: text/plain; " + b"a=b; " * 1000 + b"\n\nx\n") * 150,
    ],
)
def test_sec_long_headers_take_no_long_time(data: bytes) -> None:
    begun = time.process_time()
    read_mail(data)
    assert time.process_time() - begun < 8


def test_sec_a_mail_has_a_bounded_number_of_parts_and_lines() -> None:
    assert read_mail(PARTS + b"--x\n\na\n" * 100).text == "a"
    for data in (PARTS + b"--x\n\n" * 200_000, b"\n" * (2 * MAX_LINES + 1)):
        begun = time.process_time()
        with pytest.raises(UnreadableMail):
            read_mail(data)
        assert time.process_time() - begun < 2


def nested(levels: int, innermost: bytes) -> bytes:
    heads = (b"Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n" % (i, i) for i in range(levels))
    return b"".join(heads) + b"\n" + innermost


def test_sec_parts_are_in_parts_up_to_a_depth() -> None:
    assert read_mail(nested(MAX_DEPTH, b"soup")).text == "soup"
    begun = time.process_time()
    with pytest.raises(UnreadableMail):
        read_mail(nested(MAX_DEPTH + 1, b"a\n" * 1_000_000))
    assert time.process_time() - begun < 2
    with pytest.raises(UnreadableMail):
        read_mail(b"Content-Type: message/rfc822\n\n" * (MAX_DEPTH + 1) + b"soup")


def test_a_long_subject_is_cut() -> None:
    assert read_mail(b"Subject: " + b"a " * 5000 + b"\n\nsoup").subject.startswith("a a a")
