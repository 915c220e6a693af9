"""The addresses of an invitation, and its expires_at."""

from contextlib import suppress

import pytest

from chatcore.domain.errors import BadRequest
from chatcore.domain.ids import MAX_INTEGER
from chatcore.domain.invitations.invitations import MAX_ADDRESSES, MAX_LENGTH, addresses_in, expires_at

LISTS = {
    'ada@x.org, Gus Berg <gus@x.org>\nADA@x.org\r\n"Fox, Bea" <bea@x.org>,,': [
        "ada@x.org",
        "gus@x.org",
        "bea@x.org",
    ],
    '"Bar, Erin" <erin@x.org>': ["erin@x.org"],
    '"Bar, \\"E, rin\\"" <erin@x.org>, "a;b" <b@x.org>': ["erin@x.org", "b@x.org"],
    "a@x.org; b@x.org;c@x.org": ["a@x.org", "b@x.org", "c@x.org"],
    "a@x.org b@x.org\tc@x.org": ["a@x.org", "b@x.org", "c@x.org"],
    "a@x.org，b@x.org、c@x.org": ["a@x.org", "b@x.org", "c@x.org"],
    "<a@x.org> <b@x.org>": ["a@x.org", "b@x.org"],
    "A <a@x.org> B <b@x.org>": ["a@x.org", "b@x.org"],
    "Bar, Erin <erin@x.org>": ["Bar", "erin@x.org"],
    "a@x.org (Ada, Fox)": ["a@x.org"],
    '"a@x.org"': ["a@x.org"],
    '"Ada" a@x.org': ["a@x.org"],
    "mailto:a@x.org, <mailto:b@x.org>": ["a@x.org", "b@x.org"],
    "\u00a0a@x.org\u00a0, < b@x.org >": ["a@x.org", "b@x.org"],
    "ada fox@x.org": ["ada fox@x.org"],
    '"Fox, Ada <a@x.org>': ['"Fox', "a@x.org"],
    "Ada": ["Ada"],
    '"Fox, Ada"': ['"Fox, Ada"'],
    "<>": ["<>"],
}


@pytest.mark.parametrize("text", LISTS)
def test_addresses_are_separated_as_people_write_them(text: str) -> None:
    """A text that is no address stays as it is, and is refused later."""
    assert addresses_in(text) == LISTS[text]


def test_long_lists_take_no_long_time() -> None:
    for piece in ('"', "(", "<", '"\\', "a ", '<a@x.org> "'):
        with suppress(BadRequest):
            addresses_in(piece * (MAX_LENGTH // len(piece)))


@pytest.mark.parametrize("text", ["", ",\n ", ",".join(f"a{n}@x.org" for n in range(MAX_ADDRESSES + 1))])
def test_there_are_some_but_not_too_many(text: str) -> None:
    with pytest.raises(BadRequest):
        addresses_in(text)


def test_an_expiry_is_a_time_or_never() -> None:
    assert expires_at(None, 100) is None
    assert expires_at(2, 100) == 220
    for minutes in (0, -1, MAX_INTEGER):
        with pytest.raises(BadRequest):
            expires_at(minutes, 100)
