"""The addresses of an invitation, and its expiry."""

import pytest

from chatcore.domain.errors import BadRequest
from chatcore.domain.ids import MAX_INTEGER
from chatcore.domain.invitations.invitations import MAX_ADDRESSES, addresses_in, expiry


def test_addresses_are_separated_by_commas_and_lines() -> None:
    text = 'ada@x.org, Gus Berg <gus@x.org>\nADA@x.org\r\n"Fox, Bea" <bea@x.org>,,'
    assert addresses_in(text) == ["ada@x.org", "gus@x.org", '"Fox', "bea@x.org"]


@pytest.mark.parametrize("text", ["", ",\n ", ",".join(f"a{n}@x.org" for n in range(MAX_ADDRESSES + 1))])
def test_there_are_some_but_not_too_many(text: str) -> None:
    with pytest.raises(BadRequest):
        addresses_in(text)


def test_an_expiry_is_a_time_or_never() -> None:
    assert expiry(None, 100) is None
    assert expiry(2, 100) == 220
    for minutes in (0, -1, MAX_INTEGER):
        with pytest.raises(BadRequest):
            expiry(minutes, 100)
