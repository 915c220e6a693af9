"""Texts of mails."""

import time
from email.headerregistry import HeaderRegistry
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chatcore.domain.received_mail.mails import (
    MAX_DEPTH,
    MAX_LINES,
    MAX_TEXT,
    MailText,
    UnreadableMail,
    read_mail,
)
from chatcore.domain.received_mail.pages import lines_of_page
from chatcore.domain.received_mail.quotations import divide, lines_of_text
from chatcore.domain.received_mail.texts import text_of, topic_of

QUOTATIONS = {
    "Yes.\n\nOn Monday, Ada wrote:\n> Soup?": "Yes.",
    "Yes.\n\nAm Montag, 1. Januar schrieb Ada <a@b.example>:\n\n> Suppe?\n> Ja?": "Yes.",
    "Yes.\n\nOn Monday, 1 January 2024 at 10:00:00 CET, Ada\nFox <ada@example.org> wrote:\n> Soup?": "Yes.",
    "Yes.\n\n-----Original Message-----\nFrom: Ada\nSoup?": "Yes.",
    "Yes.\n> Soup?\n> Now?": "Yes.\n> Soup?\n> Now?",
    "> Soup?\nYes.": "> Soup?\nYes.",
    "On Monday Ada wrote:\nthis story": "On Monday Ada wrote:\nthis story",
    "> only this": "> only this",
    "": "",
}


@pytest.mark.parametrize(("text", "kept"), QUOTATIONS.items())
def test_quotations_at_the_end_are_left_out(text: str, kept: str) -> None:
    divided = divide(lines_of_text(text), quotation=True, signature=False)
    assert divided.kept == kept
    assert divided.rest == text.removeprefix(kept).strip("\n")


SIGNATURES = {
    "Soup.\n-- \nZoe": "Soup.",
    "a\n-- \nb\n-- \nZoe": "a\n-- \nb",
    "a\n--\nb": "a\n--\nb",
    "-- \nZoe": "-- \nZoe",
}


@pytest.mark.parametrize(("text", "kept"), SIGNATURES.items())
def test_signatures_are_left_out(text: str, kept: str) -> None:
    assert divide(lines_of_text(text), quotation=False, signature=True).kept == kept


def text_of_html(html: str) -> str:
    return "\n".join(line.text for line in lines_of_page(html))


TABLE = "| Host | State |\n|---|---|\n| db2 | down |"
HTML = {
    # paragraphs and links
    "<p>a</p><p>b<br>c</p>": "a\n\nb\nc",
    "<div>a</div><div>b</div>": "a\n\nb",
    "a &amp; <b>b</b>\n  c": "a & b c",
    "<h1>a</h1>b": "a\n\nb",
    "<details><summary>a</summary>b</details>c": "a\n\nb\n\nc",
    "<fieldset><legend>a</legend>b</fieldset>c": "a\n\nb\n\nc",
    "<a href='javascript:x'>a</a> <a href='https://x.example/'>b</a>": "a [b](https://x.example/)",
    "<a href='https://x.example/'>https://x.example/</a>": "https://x.example/",
    "<a href='mailto:a@x.example'>a@x.example</a>": "a@x.example",
    "<a href='https://x.example/'>a<br>b</a>": "[a](https://x.example/)\n[b](https://x.example/)",
    "<a href='https://x.example/'>a<a href='https://y.example/'>b</a>c</a>d": (
        "[a](https://x.example/)[b](https://y.example/)cd"
    ),
    "<a href='https://x.example/'><img alt='Open it' src='https://x.example/b.png'></a>": (
        "[Open it](https://x.example/)"
    ),
    # pictures
    "Thanks <img alt='\U0001f44d' src='https://x.example/e.png'>!": "Thanks \U0001f44d!",
    "a<img src='https://x.example/e.png'><img alt='' src='x'>b": "ab",
    "a<img alt='image.png' src='cid:1'>b": "ab",
    "a<img alt='image.png' src=' CID:1'>b": "ab",
    # what is not shown
    "<script><img alt='a'></script><template><img alt='b'></template>c": "c",
    "<title>t</title><style>s</style>a<script>b": "a",
    "<head><title>t</title><meta name=x><p>a": "a",
    "a<!-- b -->c": "ac",
    "</p></a></li>a": "a",
    "a<![if !mso]>b<![endif]>c<![x[>d<![1]>e<![>f<![ol[>g<![CDATA[h]]>i": "abcdefgi",
    "": "",
    # tables
    "<table><tr><th>Host<th>State<tr><td>db2<td>down</table>": TABLE,
    "<table><thead><tr><th>Host</th><th>State</th></tr></thead><tbody><tr><td><p>db2</p></td><td>down</td></tr>"
    "</tbody></table>": TABLE,
    "<table><caption>All</caption><tr><td>a<td>b<tr><td>c</table>": "All\n\n| a | b |\n|---|---|\n| c |  |",
    "<table><tr><td>a|b<td>c<br>d<tr><td>e<td></table>": "| a\\|b | c d |\n|---|---|\n| e |  |",
    "<table><tr><td>Host<td>State</table>": "Host | State",
    "<table><tr><td>a<tr><td>b</table>": "a\n\nb",
    "<table><tr><td><p>a<p>b<td><table><tr><td>Host<td>State<tr><td>db2<td>down</table><tr><td>c</table>": (
        f"a\n\nb\n\n{TABLE}\n\nc"
    ),
    f"<table><tr><td>{'long ' * 80}<td>b<tr><td>c<td>d</table>": f"{('long ' * 80).strip()}\n\nb\n\nc | d",
    "<td>a</td><td>b</td>": "a\n\nb",
    "<table>a<tr>b<td>c</table>d": "a\n\nb | c\n\nd",
    # code
    "<pre>\nif x:\n    y  = 1\n\n\nz</pre>a": "```\nif x:\n    y  = 1\n\n\nz\n```\n\na",
    "a<pre>b<br>  <b>c</b></pre>": "a\n\n```\nb\n  c\n```",
    "<pre>```\nx\n```</pre>": "````\n```\nx\n```\n````",
    "<pre> </pre>a": "a",
    # lists
    "<ol><li>a<li>b</ol>": "1. a\n2. b",
    "<ol start=3><li>a<li value=7>b</li><li>c</ol>": "3. a\n7. b\n8. c",
    "<ol start=-1><li>a</ol>": "1. a",
    "<ul><li>a<ul><li>b<ol><li>c</ol></ul><li>d</ul>": "* a\n  * b\n    1. c\n* d",
    "<ol><li>a<ul><li>b</ul></ol>": "1. a\n   * b",
    "<ul><li>a</li><ul><li>b</li></ul><li>c</li></ul>": "* a\n  * b\n* c",
    "<ol><li><p>a</p><p>b<br>c</p></li><li>d</li></ol>": "1. a\n\n   b\n   c\n2. d",
    "<ul><li><pre>a</pre></ul>": "* ```\n  a\n  ```",
    "<p>a<ul><li>b</ul>c": "a\n\n* b\n\nc",
    "<dl><dt>a<dd>b<dt>c<dd>d<dd>e</dl>f": "a\n* b\n\nc\n* d\n* e\n\nf",
    # rules and quotations
    "a<hr>b<hr/>c": "a\n\n---\n\nb\n\n---\n\nc",
    "<p>a<blockquote>b<p>c</blockquote>d": "a\n\n> b\n>\n> c\n\nd",
    "<blockquote>a<blockquote>b</blockquote><ul><li>c</ul></blockquote>": "> a\n>\n> > b\n>\n> * c",
    "<blockquote></blockquote>a": "a",
    '<blockquote type="cite"><pre class="moz-quote-pre">a\n  b</pre></blockquote>': "> a\n>   b",
    f"<p>a &#1<!-- b -->{'1' * 4400}; c</p>": "a \ufffd c",
    '<pre class="yahoo_quoted">a\n  b</pre><p>c   d\ne</p>': "> a\n>   b\n\nc d e",
}


@pytest.mark.parametrize(("html", "text"), HTML.items())
def test_html_becomes_text(html: str, text: str) -> None:
    assert text_of_html(html) == text


PIECES: Final = (
    "<", ">", "<!", "<!-", "<!--", "-->", "<![", "]>", "[", "]", "]]>", "<?", "?>", "/", "</", "<p", "<a",
    "=", "'", '"', "&", "&#", ";", "<!doctype", "<!element", "<![cdata[", "<![if", "<pre>", "<script>",
    "a", "1", " ",
)  # fmt: skip


@given(st.lists(st.sampled_from(PIECES)))
def test_any_page_has_a_text(pieces: list[str]) -> None:
    assert text_of_html("soup<hr>" + "".join(pieces)).startswith("soup")


FLOWED = {
    ("a \nb\nc", "no"): "a b\nc",
    ("a \nb\nc", "yes"): "ab\nc",
    ("日本 \n語 \nです。\n次", "yes"): "日本語です。\n次",
    ("> a \n> b\n>> c \n> d", "no"): "> a b\n>> c \n> d",
    (" >a\n  b\n From c", "no"): ">a\n b\nFrom c",
    ("a \n-- \nZoe \nFox", "no"): "a \n-- \nZoe Fox",
    ("a \n\nb", "no"): "a \nb",
    ("", "no"): "",
}


@pytest.mark.parametrize(("text", "delsp"), FLOWED)
def test_paragraphs_of_flowed_texts_are_whole(text: str, delsp: str) -> None:
    head = f"Content-Type: text/plain; charset=utf-8; format=Flowed; delsp={delsp}\n\n"
    (got,) = read_mail(f"{head}{text}".encode()).plain or (MailText("", is_html=False),)
    assert got.text == FLOWED[text, delsp]


ANSWERED = {
    "> Who comes?\nI come.\n> Who brings soup?\nNot me.": (
        "> Who comes?\n\nI come.\n> Who brings soup?\n\nNot me."
    ),
    "> > Soup?\n> Yes.\nWhen?": "> > Soup?\n>\n> Yes.\n\nWhen?",
    ">> Soup?\n>\n> Yes.\n>\nWhen?": ">> Soup?\n>\n> Yes.\n>\n\nWhen?",
    "> - soup\n> for all\nYes.": "> - soup\n>\n> for all\n\nYes.",
    "- soup\n  for all\n- bread\nThat is all.": "- soup\n  for all\n- bread\n\nThat is all.",
    "- soup from the big kettle in the kitchen on the second floor for\nall\n- bread": (
        "- soup from the big kettle in the kitchen on the second floor for\nall\n- bread"
    ),
    "1. soup\n> q\na": "1. soup\n> q\n\na",
    "```\n> a\nb\n```\n> a\n```\nb\n```": "```\n> a\nb\n```\n> a\n\n```\nb\n```",
    "a\n> b\n\nc": "a\n> b\n\nc",
}


@pytest.mark.parametrize(("text", "kept"), ANSWERED.items())
@pytest.mark.parametrize("form", ["", "Content-Type: text/plain; format=flowed\n"])
def test_answers_are_no_part_of_quotations_and_lists(form: str, text: str, kept: str) -> None:
    if form and "\n  " in text:
        return  # such texts have no indentation of one blank
    assert read_text(f"{form}\n{text}".encode()) == kept


def test_answers_in_pages_are_no_part_of_written_quotations() -> None:
    html = (
        "Content-Type: text/html\n\n<div>&gt; Who comes?<br>I come.<br>&gt; Who brings soup?<br>Not me.</div>"
    )
    assert read_text(html.encode()) == "> Who comes?\n\nI come.\n> Who brings soup?\n\nNot me."
    code = "Content-Type: text/html\n\n<pre>&gt; a\nb</pre>"
    assert read_text(code.encode()) == "```\n> a\nb\n```"


@given(st.text())
def test_any_subject_becomes_a_topic(subject: str) -> None:
    assert topic_of(subject)


EVERYTHING: Final = {"prefer_html": False, "quotations": True, "signature": True}


def read_text(data: bytes) -> str:
    return text_of(read_mail(data), **EVERYTHING).kept


@given(st.binary(max_size=300))
def test_any_bytes_are_a_mail(data: bytes) -> None:
    for beginning in (b"", b"Content-Type: multipart/mixed; boundary=a\r\n", b"From: ", b"Subject: =?utf-8?"):
        mail = read_mail(beginning + data)
        for text in (text_of(mail, **EVERYTHING).kept, mail.subject, mail.sender):
            assert "\x00" not in text
            text_of_html(text)


@pytest.mark.parametrize(
    "text",
    [
        "On " * 12_500,
        ">" * 50_000,
        "re:" * 12_500,
        "\n" * 50_000,
        "On x\n" * 12_500,
        "<a" * 12_500,
        "&" * 25_000,
        "<a x='" * 12_500,
        "<!--" * 12_500,
        "On x wrote:\n" * 12_500,
        ("On " + "schrieb" * 40 + "\n") * 250,
        "<head>" + "<a>" * 12_500 + "</b>" * 12_500,
        "<head>" + "<a>" * 12_500 + "</a>" * 12_500,
        "<a>x" * 12_500 + "</a>" * 12_500,
        *(f"<{tag}>x" * 12_500 for tag in ("blockquote", "ul", "ol", "li", "table", "tr", "td", "pre", "dd")),
        "<table><td>x<li>" * 5_000,
        "<table><tr>" + "<td>x" * 5_000 + "<tr><td>x" * 2_500,
        "<div class=gmail_signature>x" * 5_000,
        "-" * 50_000,
        "-- forwarded by " * 5_000,
        "> On x\n" * 12_500,
    ],
)
def test_sec_long_texts_take_no_long_time(text: str) -> None:
    begun = time.process_time()
    for lines in (lines_of_text(text), lines_of_page(text)):
        divide(lines, quotation=True, signature=True)
    topic_of(text)
    assert time.process_time() - begun < 3


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


@pytest.mark.parametrize("name", ["Content-Type: text/plain", "Content-Disposition: inline"])
def test_sec_headers_of_parts_are_not_read_in_the_slow_way(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[str] = []
    slow = HeaderRegistry.__call__

    def counted(self: HeaderRegistry, name: str, value: str) -> object:
        read.append(name)
        return slow(self, name, value)

    monkeypatch.setattr(HeaderRegistry, "__call__", counted)
    head = f"{name}; {'a@' * 975}; z".encode()
    parts = b"".join(b"--x\n%s%d=1\n\nsoup\n" % (head, number) for number in range(190))
    assert read_text(b"From: a@b.example\n" + PARTS + parts).count("soup") == 190
    assert len(read) < 20


def test_sec_a_mail_has_a_bounded_number_of_parts_and_lines() -> None:
    assert read_text(PARTS + b"--x\n\na\n" * 100) == "a\n\n" * 99 + "a"
    for data in (PARTS + b"--x\n\n" * 200_000, b"\n" * (2 * MAX_LINES + 1)):
        begun = time.process_time()
        with pytest.raises(UnreadableMail):
            read_mail(data)
        assert time.process_time() - begun < 2


def nested(levels: int, innermost: bytes) -> bytes:
    heads = (b"Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n" % (i, i) for i in range(levels))
    return b"".join(heads) + b"\n" + innermost


def test_sec_parts_are_in_parts_up_to_a_depth() -> None:
    assert read_text(nested(MAX_DEPTH, b"soup")) == "soup"
    begun = time.process_time()
    with pytest.raises(UnreadableMail):
        read_mail(nested(MAX_DEPTH + 1, b"a\n" * 1_000_000))
    assert time.process_time() - begun < 2
    with pytest.raises(UnreadableMail):
        read_mail(b"Content-Type: message/rfc822\n\n" * (MAX_DEPTH + 1) + b"soup")


def test_a_long_subject_is_cut() -> None:
    assert read_mail(b"Subject: " + b"a " * 5000 + b"\n\nsoup").subject.startswith("a a a")


def test_all_texts_of_a_mail_have_a_common_bound() -> None:
    part = b"--cut\n\n" + b"a" * (MAX_TEXT // 2 + 1) + b"\n"
    mail = read_mail(b"Content-Type: multipart/mixed; boundary=cut\n\n" + part * 3 + b"--cut--\n")
    assert sum(len(text.text) for text in mail.plain) == MAX_TEXT
