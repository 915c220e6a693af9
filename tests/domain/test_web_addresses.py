"""Addresses of the web."""

import pytest

from chatcore.domain.web_addresses import parse_web_address


@pytest.mark.parametrize(
    "text", ["http://a", "https://a.example:8080/b?c#d", "HTTP://A", "http://u:p@a/", "http://[::1]:80/"]
)
def test_addresses_of_the_web_are_recognized(text: str) -> None:
    assert parse_web_address(text) is not None


@pytest.mark.parametrize(
    "text",
    ["", "a", "//a", "/a", "http://", "http:a", "http:///a", "http://:80", "ftp://a", "javascript:alert(1)",
     "http://a:0", "http://a:x", "http://a:99999", "http://[::1", "http://a b", "http://a\n", " http://a",
     "ht\ttp://a"],
)  # fmt: skip
def test_other_texts_are_no_addresses(text: str) -> None:
    assert parse_web_address(text) is None
