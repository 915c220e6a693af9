"""The proof of the clock, for what deletes by it for good; `domain.retention.due` has the rule."""

from typing import NamedTuple

from chatcore.application.units import Unit
from chatcore.domain.retention.due import ClockMark, is_clock_proven, needs_mark


class ClockProof(NamedTuple):
    """Whether the clock may be believed."""

    is_there: bool
    is_new: bool
    """Whether a mark was noted just now, which will prove the clock."""


def prove_clock(unit: Unit) -> ClockProof:
    """Look for marks that prove the clock, and note one if it is time for it."""
    retention = unit.tx.retention
    marks = retention.marks()
    if is_new := needs_mark(marks, unit.now):
        retention.note(ClockMark(at=unit.now, position=unit.tx.draw()))
    return ClockProof(is_clock_proven(marks, unit.now), is_new)
