"""The rules and texts of reminders."""

import pytest

from chatcore.domain.errors import BadRequest
from chatcore.domain.limits import Limits
from chatcore.domain.messages.messages import TRUNCATED
from chatcore.domain.scheduled.reminders import checked_note, reminder_text, with_quotation

LIMITS = Limits(max_reminder_note_length=10, max_message_length=100)


def test_a_note_is_stripped_and_may_be_empty() -> None:
    notes = {"": "", " \n": "", " soup ": "soup", "x" * 10: "x" * 10}
    assert [checked_note(raw, LIMITS) for raw in notes] == [*notes.values()]


@pytest.mark.parametrize("raw", ["x" * 11, "a\0b", "\ud800"])
def test_an_invalid_note_is_refused(raw: str) -> None:
    with pytest.raises(BadRequest, match="note"):
        checked_note(raw, LIMITS)


def test_every_line_of_a_note_is_quoted() -> None:
    assert reminder_text("this", "") == "You requested a reminder for this."
    assert reminder_text("this", "a\n\nb").endswith("this. Note:\n\n> a\n> \n> b")


@pytest.mark.parametrize("content", ["soup", "```\ncode\n```", "`````"])
def test_no_message_ends_its_quotation(content: str) -> None:
    fence = with_quotation("a", "b", content, LIMITS).splitlines()[-1]
    assert set(fence) == {"`"}
    assert len(fence) >= 3
    assert fence not in content


def test_a_long_message_is_truncated_inside_of_its_quotation() -> None:
    text = with_quotation("a", "b", "x" * 200, LIMITS)
    assert len(text) == 100
    assert text.endswith(f"x{TRUNCATED}\n```")
