"""The users whose alert words occur in a text."""

import pytest

from chatcore.domain.ids import UserId
from chatcore.domain.people.alert_words import users_alerted

ADA, GRACE, BARBARA = UserId(31), UserId(32), UserId(33)


@pytest.mark.parametrize(
    "text",
    [
        "lunch",
        "At LUNCH?",
        "(lunch)",
        "`lunch`",
        "*lunch*!",
        "a\nlunch\nb",
        "x,lunch;",
        "[lunch]",
        ">lunch",
        "'lunch'",
    ],
)
def test_a_word_between_boundaries_alerts(text: str) -> None:
    assert users_alerted(text, [(ADA, "Lunch")]) == {ADA}


@pytest.mark.parametrize(
    "text", ["lunchtime", "brunch-lunch", "lunch-box", "/lunch", "lunch\u00e9", "", "lunch_"]
)
def test_a_part_of_a_word_does_not(text: str) -> None:
    assert users_alerted(text, [(ADA, "lunch")]) == frozenset()


def test_words_may_be_phrases_and_marks() -> None:
    words = [
        (ADA, "c++"),
        (ADA, "tea time"),
        (GRACE, "\U0001f389"),
        (BARBARA, ""),
        (BARBARA, "++"),
        (BARBARA, "\U0001f389"),
    ]
    assert users_alerted("tea time, c++", words) == {ADA}
    assert users_alerted("\U0001f389!", words) == {GRACE, BARBARA}
    assert users_alerted("tea time", []) == frozenset()


def test_a_word_is_found_beside_longer_and_shorter_ones() -> None:
    words = [(ADA, "a b"), (GRACE, "a b c d"), (BARBARA, "b c")]
    assert users_alerted("x a b c", words) == {ADA, BARBARA}
    assert users_alerted("a b.c d, a", words) == {ADA}
    assert users_alerted("(a b c d)", words) == {ADA, GRACE, BARBARA}
