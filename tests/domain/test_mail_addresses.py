"""Addresses of mail and the spellings of their domains."""

import sys
import time
import unicodedata

import pytest

from chatcore.domain.mail_addresses import (
    address_key,
    ascii_address,
    ascii_domain,
    is_unmistakable,
    spellings,
)

FORMS = {
    "bücher.example": "xn--bcher-kva.example",
    "BÜCHER.Example": "xn--bcher-kva.example",
    "bu\u0308cher.example": "xn--bcher-kva.example",
    "post.straße.example": "post.xn--strae-oqa.example",
    "例え。テスト": "xn--r8jz45g.xn--zckzah",
    "пример.испытание": "xn--e1afmkfd.xn--80akhbyknj4f",
    # they have no other form
    "Example.com": "Example.com",
    "xn--bcher-kva.example": "xn--bcher-kva.example",
    "": "",
    "ü..example": "ü..example",
    "ü" * 70: "ü" * 70,
    "\ud800.example": "\ud800.example",
    "ü .example": "ü .example",
}


@pytest.mark.parametrize(("domain", "form"), FORMS.items())
def test_a_domain_has_one_form_in_ascii(domain: str, form: str) -> None:
    assert ascii_domain(domain) == form
    assert ascii_address(f"Ada.ü@{domain}") == f"Ada.ü@{form}"


def test_a_text_that_is_no_address_stays() -> None:
    for text in ("ada", "", "@", "a@b@c", "müller", "BÜCHER.example", "xn--bcher-kva"):
        assert ascii_address(text) == text
        assert spellings(text) == [text.lower()]
        assert address_key(text) == text.lower()


def test_all_spellings_have_one_key() -> None:
    keys = {
        address_key(f" Ada@{domain}")
        for domain in ("bücher.example", "BÜCHER.example", "XN--BCHER-kva.example")
    }
    assert keys == {"ada@xn--bcher-kva.example"}


def test_an_address_is_known_as_it_is_spelled_and_in_other_ways() -> None:
    spelled, plain = "ada@bücher.example", "ada@xn--bcher-kva.example"
    assert spellings("Ada@BÜCHER.example") == [spelled, plain]
    assert spellings("Ada@xn--bcher-kva.example") == [plain, spelled]
    assert spellings("Ada@example.com") == ["ada@example.com"]
    assert spellings("ada@xn--.example") == ["ada@xn--.example"]


EXACT = (
    "Ada@Example.com", " ada@bücher.example ", "ada@BÜCHER.example", "ada@xn--bcher-kva.example", "ada", "",
    "Jürgen@example.org",
)  # fmt: skip
MISTAKABLE = (
    "\u212aate@example.org", "\uff4bate@example.org", "kate@example.org\u200b", "kate@example\u00ad.org",
    "kate@\uff45xample.org", "kate@bu\u0308cher.example",
)  # fmt: skip


def test_an_address_that_can_be_mistaken_is_told_from_others() -> None:
    assert [*filter(is_unmistakable, EXACT)] == [*EXACT]
    assert [*filter(is_unmistakable, MISTAKABLE)] == []


def test_other_letters_than_those_of_ascii_are_none_of_ascii() -> None:
    """Otherwise an address would be found by one that is another person's."""
    letters = (letter for letter in map(chr, range(128, sys.maxunicode + 1)) if is_assigned(letter))
    others = filter(is_unmistakable, (f"a{letter}@example.org" for letter in letters))
    assert [other for other in others if address_key(other).isascii()] == []


def is_assigned(letter: str) -> bool:
    """Whether Unicode says anything of a code: of most it does not."""
    return unicodedata.category(letter) not in {"Cn", "Co", "Cs"}


def test_sec_long_domains_take_no_long_time() -> None:
    begun = time.process_time()
    for domain in ("ü" * 1_000_000, "xn--" + "a" * 1_000_000, "ü." * 500_000, "xn--a." * 200_000):
        ascii_domain(domain)
        spellings(f"a@{domain}")
        is_unmistakable(f"a@{domain}")
    assert time.process_time() - begun < 2
