"""Characters that names may contain, and characters that look alike."""

import pytest

from chatcore.domain.characters import MAX_CHARACTERS_OF_NAMES, check_name, length, look_key, visible
from chatcore.domain.errors import BadRequest
from chatcore.domain.groups.groups import RESERVED_NAMES
from chatcore.markup.inline.mentions import CHANNEL_WILDCARDS, TOPIC_WILDCARD

MEANT = {
    "Persian, kept apart": "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",
    "Hindi, half a letter": "\u0915\u094d\u200d\u0937",
    "Malayalam, at the end": "\u0d05\u0d35\u0d28\u0d4d\u200d",
    "Bengali, joined before the virama": "\u09b0\u200d\u09cd\u09af",
    "Mongolian": "\u1820\u180b\u1821",
    "a Japanese name": "\u845b\U000e0100\u57ce",
    "a family": "\U0001f468\U0001f3fd\u200d\U0001f469\u200d\U0001f467 Home",
    "a heart": "\u2764\ufe0f\u200d\U0001f525",
    "heads that shake": "\U0001f642\u200d\u2194\ufe0f",
    "a key": "1\ufe0f\u20e3",
    "England": "\U0001f3f4\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f",
    "Hebrew with C++": "\u05e2\u05d3\u05d4 C++\u200f",
    "accents apart": "Zoe\u0308",
    "resolved": "\u2714 lunch",
}


@pytest.mark.parametrize("name", MEANT.values(), ids=list(MEANT))
def test_scripts_and_emoji_keep_what_they_need(name: str) -> None:
    check_name(name, "name")


REFUSED = (
    *((f"Ada{hidden}x", 4) for hidden in "\u200b\u200c\u200d\u200e\u200f\u2060\ufeff\u00ad\u034f\u3164"),
    *((f"Ada{turning}", 4) for turning in "\ufe0f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"),
    ("\u05e2\u05d3\u05d4\u202e", 4),
    ("Ada 1\ufe0f", 6),
    ("\u0645\u200c\u200c\u0645", 2),
    ("\U0001f468\u200dA", 2),
    ("Ada\U000e0041", 4),
    ("a\0", 2),
    ("a\ud800", 2),
    ("a\ufffe", 2),
)


@pytest.mark.parametrize(("name", "position"), REFUSED, ids=[ascii(name) for name, _ in REFUSED])
def test_invisible_characters_are_refused(name: str, position: int) -> None:
    with pytest.raises(BadRequest, match=f"Invalid character in name, at position {position}."):
        check_name(name, "name")


def test_a_letter_with_its_accents_is_one_character() -> None:
    assert length("Zoe\u0308") == length("Zo\u00eb") == 3
    assert length("\u1f82" * 100) == length("\u03b1\u0313\u0300\u0345" * 100) == 100
    assert length("e" + "\u0301" * 10_000) > MAX_CHARACTERS_OF_NAMES


def test_names_look_alike_in_other_spellings() -> None:
    for other in ("ADA LOVELACE", "\uff21da Lovelace", "Ada\u00a0 Lovelace", "A\u200bda Lovelace"):
        assert look_key(other) == look_key("Ada Lovelace")
    assert look_key("Straße") == look_key("STRASSE")


def test_text_of_invisible_characters_is_blank() -> None:
    assert not any(map(visible, ("", " ", "\u200b\u200b", "\u3164 \u2800", "\u00ad")))


def test_no_group_is_taken_for_a_wildcard() -> None:
    assert CHANNEL_WILDCARDS | {TOPIC_WILDCARD} < RESERVED_NAMES
