"""Addresses to which mails can be sent, and the pauses between attempts."""

from email.headerregistry import Address

from hypothesis import given
from hypothesis import strategies as st

from chatcore.domain.attempts import pause_after
from chatcore.domain.mail.mails import PAUSES, is_mailable


@given(st.text(st.sampled_from("ab.+-_@\"<>(),:;\\ \r\n\t\0é'"), max_size=12))
def test_a_mailable_address_is_one_address_for_headers_too(text: str) -> None:
    if is_mailable(text):
        assert Address(addr_spec=text).addr_spec == text
        assert not set(text) & set(' \r\n\t\0"<>(),:;\\')


def test_usual_addresses_are_mailable() -> None:
    for email in (
        "ada@example.org",
        "a.b+c@mail.example",
        "o'neil@x-y.example",
        "a@localhost",
        "a@127.0.0.1",
    ):
        assert is_mailable(email)


def test_pauses_grow_and_end() -> None:
    pauses = [pause_after(PAUSES, tries) for tries in range(1, len(PAUSES) + 2)]
    assert pauses == [*sorted(PAUSES), None]
