"""Whose alert words occur in a text."""

from __future__ import annotations

import pytest

from chatcore.markup import Facts
from chatcore.markup.alert_words import users_alerted
from tests.markup.said import effects_of

ADA, GRACE, BARBARA = 31, 32, 33


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
    assert users_alerted(text, {ADA: ["Lunch"]}) == {ADA}


@pytest.mark.parametrize(
    "text", ["lunchtime", "brunch-lunch", "lunch-box", "/lunch", "lunch\u00e9", "", "lunch_"]
)
def test_a_part_of_a_word_does_not(text: str) -> None:
    assert users_alerted(text, {ADA: ["lunch"]}) == frozenset()


def test_words_may_be_phrases_and_marks() -> None:
    words = {ADA: ["c++", "tea time"], GRACE: ["\U0001f389"], BARBARA: ["", "++", "\U0001f389"]}
    assert users_alerted("tea time, c++", words) == {ADA}
    assert users_alerted("\U0001f389!", words) == {GRACE, BARBARA}


def test_the_words_of_the_facts_are_effects() -> None:
    assert effects_of(
        "lunch", facts=Facts(alert_words={ADA: ("lunch",), GRACE: ("tea",)})
    ).alert_word_user_ids == {ADA}
