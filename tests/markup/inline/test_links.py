"""Links in Markdown, bare addresses, and the validity of addresses."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chatcore.markup import EARLIER, Options
from chatcore.markup.urls.addresses import bare_addresses, relative_to_realm, safe_address, upload_path_id
from tests.markup.allow_list import SCHEMES
from tests.markup.said import REALM, html_of


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("[go](https://a.example/x)", '<a href="https://a.example/x">go</a>'),
        ("[go]( https://a.example/x )", '<a href="https://a.example/x">go</a>'),
        ("[](https://a.example/x)", '<a href="https://a.example/x">https://a.example/x</a>'),
        ("[a](b.example 'it \"is\"')", '<a href="http://b.example" title="it &quot;is&quot;">a</a>'),
        ('[a](b.example "t\u202fu")', '<a href="http://b.example" title="t u">a</a>'),
        ('[a](<b.example> "t")', '<a href="http://b.example" title="t">a</a>'),
        ("[a](<b.example>)", '<a href="http://b.example">a</a>'),
        ("[a](b.example/it's)", '<a href="http://b.example/it\'s">a</a>'),
        ("[a](b.example/it's) ('b')", "<a href=\"http://b.example/it's\">a</a> ('b')"),
        ("[a](b.example/'it\")", '<a href="http://b.example/\'it&quot;">a</a>'),
        ('[a](b.example \'"t")', '<a href="http://b.example%20\'" title="t">a</a>'),
        ("[a](b.example/(c)d)", '<a href="http://b.example/(c)d">a</a>'),
        ("[a](b.example/c d)", '<a href="http://b.example/c%20d">a</a>'),
        ("[a [b] c](/d)", '<a href="/d">a [b] c</a>'),
        ("[[a](/b)", '[<a href="/b">a</a>'),
        ("[a](/b", "[a](/b"),
        ("[a](/b 'c", "[a](/b 'c"),
        ("[a] (/b)", "[a] (/b)"),
        ("[a](bad:y)", "[a](bad:y)"),
        ("[[a](/b)](bad:y)", '[<a href="/b">a</a>](bad:y)'),
        ("[a](/b)[c](#d)", '<a href="/b">a</a><a href="#d">c</a>'),
        ("[a](mailto:b@c.example) [a](b@c.example)", '<a href="mailto:b@c.example">a</a> ' * 2),
        ("[`a` **b**\n](/c)", '<a href="/c"><code>a</code> **b**\n</a>'),
        ("[a](https://b.example/`c`)", '<a href="https://b.example/`c`">a</a>'),
        ("[#**garden**](/c)", '<a href="/c">#garden</a>'),
        (
            "[@**Ada Byron**](/c)",
            '<a href="/c"><span class="user-mention" data-user-id="31">@Ada Byron</span></a>',
        ),
        ("[a](https://chat.example/#x)", '<a href="#x">a</a>'),
        ("[a](https://chat.example/user_uploads/1/b)", '<a href="user_uploads/1/b">a</a>'),
    ],
)
def test_written_links_are_rendered(text: str, html: str) -> None:
    assert html_of(text) == f"<p>{html.rstrip()}</p>"


def test_a_link_behind_an_exclamation_mark_is_a_link_today_and_was_none_earlier() -> None:
    assert html_of("![a](/b)") == '<p>!<a href="/b">a</a></p>'
    assert html_of("![a](/b)", forms=EARLIER) == "<p>![a](/b)</p>"
    assert html_of("[a](/b)!", forms=EARLIER) == '<p><a href="/b">a</a>!</p>'


def test_behind_too_many_addresses_that_are_none_there_are_no_links() -> None:
    def refused(count: int) -> str:
        return "[a](bad:" * count + ")" * count

    assert html_of(refused(20) + " [x](/y)").count("<a ") == 1
    assert html_of(refused(200) + " [x](/y)").count("<a ") == 0


def test_these_schemes_may_be_linked_to_and_no_others() -> None:
    for scheme in SCHEMES:
        assert safe_address(f"{scheme}://a") == f"{scheme}://a"
    for scheme in ("javascript", "data", "vbscript", "blob", "about", "ws", "itms", "intent", "x"):
        assert safe_address(f"{scheme}://a") is None


def test_a_link_in_the_text_of_a_link_is_only_its_text() -> None:
    assert html_of("[***https://b.example/x.png*** c](https://a.example)") == (
        '<p><a href="https://a.example"><strong><em>https://b.example/x.png</em></strong> c</a></p>'
    )
    assert html_of("[***https://b.example/*** #**garden**](/c)").count("<a ") == 1


def found(text: str, *, file_links: bool = False) -> list[str]:
    return [bare.text for bare in bare_addresses(text, file_links=file_links)]


@pytest.mark.parametrize(
    ("text", "addresses"),
    [
        ("see https://a.example/b.", ["https://a.example/b"]),
        ("https://localhost:9991/?a=1", ["https://localhost:9991/?a=1"]),
        ("https://a?b", []),
        ("https://.", ["https://."]),
        ("http://a. http://.. see b.io.", ["http://a", "http://.", "b.io"]),
        ("see wiki.example.org/A_(b).", ["wiki.example.org/A_(b)"]),
        ("(wiki.example.org/A_(b))", ["wiki.example.org/A_(b)"]),
        ("a.com, b.com! (c.com)", ["a.com", "b.com", "c.com"]),
        ("a.com,b.com", ["b.com"]),
        ("views.py a.md x.java", []),
        ("love...it a..com .com", []),
        ("a.nosuchtld", []),
        ("a.com/b(c", []),
        ("a.com/b)c", []),
        ("a.com/(((((((b)))))))", []),
        ("a.com/((((((b))))))", ["a.com/((((((b))))))"]),
        ("a.com/()", ["a.com/()"]),
        ('a.com/b"c', []),
        ('"a.com/b"', ["a.com/b"]),
        ("a.com/(b)c", ["a.com/(b)c"]),
        ("a.com/b)", ["a.com/b"]),
        ("a.com/((b)) c", ["a.com/((b))"]),
        ("a.com?b a.com#c", []),
        ("a@b.io <c@d.io>", ["a@b.io", "c@d.io"]),
        ("a@b.io/c", []),
        ("http://a@b.io/c", ["http://a@b.io/c"]),
        ("bitcoin:1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa", ["bitcoin:1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa"]),
        ("bitcoin:x", []),
        ("xhttp://a.com/", []),
        ("javascript:a.com", ["a.com"]),
        ("file:///a/b", []),
        ("nothing", []),
        ("a,.b", []),
        ("1.5 3.x", []),
    ],
)
def test_bare_addresses_are_found(text: str, addresses: list[str]) -> None:
    assert found(text) == addresses


def test_file_addresses_are_links_where_the_realm_has_it_so() -> None:
    assert found("file:///a/b", file_links=True) == ["file:///a/b"]
    assert found("file://a", file_links=True) == []


def test_in_one_run_of_characters_there_are_only_so_many_tries() -> None:
    assert found("x.y," * 39 + "a.com") == ["a.com"]
    assert found("x.y," * 40 + "a.com") == []


def test_a_bare_address_that_must_not_be_linked_is_text() -> None:
    assert html_of("http://[::1]/ http://a@[b/c") == "<p>http://[::1]/ http://a@[b/c</p>"


def test_a_bare_address_into_the_realm_is_relative_and_shown_as_typed() -> None:
    assert html_of("https://chat.example/#x") == '<p><a href="#x">https://chat.example/#x</a></p>'


def test_code_in_a_bare_address_makes_it_text() -> None:
    assert html_of("https://a.example/`b`") == "<p>https://a.example/<code>b</code></p>"


@pytest.mark.parametrize(
    ("url", "safe"),
    [
        ("HTTPS://A.example/", "https://A.example/"),
        ("a.example", "http://a.example"),
        ("", None),
        ("http:", None),
        ("http:a", None),
        ("https:///a", None),
        ("http:////[a", None),
        ("#a", "#a"),
        ("?a#b", None),
        ("a\n b\t", "http://a%20b"),
        ("https://a/?#", "https://a/?#"),
        ("file:a", "file:a"),
        ("/a b", "/a%20b"),
        ("a@b", "mailto:a@b"),
        ("a@b/c", "http://a@b/c"),
        ("tel:+1", "tel:+1"),
        ("javascript:a", None),
        ("/\\a", None),
        ("\\a", None),
        ("//a", None),
        ("a\x01", None),
        ("http://[a", None),
        ("[a", None),
        ("a@[b", "mailto:a@[b"),
    ],
)
def test_only_safe_addresses_are_kept(url: str, safe: str | None) -> None:
    assert safe_address(url) == safe


@given(st.lists(st.sampled_from(["http:", "ssh:", "/", "//", "[", "]", "@", "?", "#", "\\", "a", "\n"])))
def test_a_safe_address_stays_what_it_is(parts: list[str]) -> None:
    url = safe_address("".join(parts))
    if url is not None:
        assert safe_address(url) == url


@pytest.mark.parametrize("target", ["", "http:a", "https:///a", "http:////[a"])
def test_a_link_without_a_host_is_text(target: str) -> None:
    assert html_of(f"[x]({target})") == f"<p>[x]({target})</p>"


def test_addresses_stay_whole_without_a_realm() -> None:
    assert relative_to_realm("/#a", Options()) == "/#a"


@pytest.mark.parametrize(
    ("url", "path_id"),
    [
        ("/user_uploads/1/a/b.png", "1/a/b.png"),
        ("user_uploads/1/a/b.png?x#y", "1/a/b.png"),
        ("https://chat.example/user_uploads/1/a", "1/a"),
        ("https://other.example/user_uploads/1/a", None),
        ("/user_uploads/", None),
        ("/user_uploads/../a", None),
        ("/user_uploads/1/%2E./a", None),
        ("user_uploads/1/..", None),
        ("/user_uploads/1/a..b", "1/a..b"),
        ("/other", None),
    ],
)
def test_the_path_of_an_upload_is_read_from_its_address(url: str, path_id: str | None) -> None:
    assert upload_path_id(url, REALM) == path_id
