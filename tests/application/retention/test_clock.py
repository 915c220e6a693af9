"""Deleting what is too old by a clock that was set, by a machine that was off, and by a new version."""

import logging

import pytest

from chatcore.application.retention import scopes
from chatcore.application.retention.deleting import delete_batches, delete_due
from tests.application.retention.days import pass_days, prove_clock
from tests.application.retention.test_deleting import amounts, keep, stored
from tests.worlds.organization import DAY, World

HOUR = 3600
LOOKS = 4
"""Looks of a serving process in a day, of many."""


def serve(world: World, days: float) -> None:
    """Let a server look for old messages for some days, at the end of these too."""
    for _ in range(int(days * LOOKS)):
        delete_due(world.svc)
        world.clock.advance(DAY // LOOKS)
    delete_due(world.svc)


@pytest.fixture
def served(world: World) -> World:
    """An organization that keeps messages for thirty days and was served for some days."""
    keep(world, 30)
    serve(world, 5)
    return world


def test_a_server_deletes_at_the_first_look(served: World) -> None:
    message_id = served["ada"].says("soup")
    serve(served, 30)
    assert message_id in stored(served)
    served.clock.advance(1)
    delete_due(served.svc)
    assert stored(served) == set()


@pytest.mark.parametrize("days", [40, 3650])
def test_a_clock_that_is_set_ahead_for_less_than_a_day_deletes_nothing(served: World, days: int) -> None:
    message_id = served["ada"].says("soup")
    served.clock.jump(days * DAY)
    during = served["ada"].says("soup by the wrong clock")
    serve(served, 0.75)
    served.clock.jump(-days * DAY)
    serve(served, 5)
    assert stored(served) == {message_id, during}
    serve(served, 25)
    served.clock.advance(1)
    delete_due(served.svc)
    assert message_id not in stored(served)


def test_a_clock_that_stays_ahead_is_believed_after_a_day(served: World) -> None:
    served["ada"].says("soup")
    served.clock.jump(40 * DAY)
    serve(served, 0.75)
    assert stored(served)
    serve(served, 0.25)
    assert stored(served) == set()


def test_a_clock_that_is_not_proven_is_logged_once(served: World, caplog: pytest.LogCaptureFixture) -> None:
    served["ada"].says("soup")
    served.clock.jump(40 * DAY)
    with caplog.at_level(logging.WARNING, "chatcore.retention"):
        serve(served, 0.75)
        (record,) = caplog.records
        assert "kept for one more day" in record.message
        assert amounts(delete_batches(served.svc)) == {}  # another process that has looked at the same time
        serve(served, 3)
    assert len(caplog.records) == 1


def test_a_clock_by_which_nothing_is_due_is_not_logged(
    world: World, caplog: pytest.LogCaptureFixture
) -> None:
    keep(world, 30)
    world["ada"].says("soup")
    with caplog.at_level(logging.WARNING, "chatcore.retention"):
        serve(world, 3)
    assert caplog.records == []


@pytest.mark.parametrize("is_quiet", [False, True])
def test_the_same_wrong_clock_proves_nothing_when_it_comes_back(served: World, is_quiet: bool) -> None:
    """As of a machine that starts with a wrong clock, and is set right by a time server a while later."""
    served["ada"].says("soup")
    before = stored(served)
    for hours in (5, 30, 50, 24):
        served.clock.jump(40 * DAY)
        delete_due(served.svc)
        assert stored(served) == before
        served.clock.jump(-40 * DAY)
        delete_due(served.svc)
        if not is_quiet:
            served["ada"].says("more soup")
        before = stored(served)
        served.clock.advance(hours * HOUR)


def test_a_clock_that_was_ahead_for_days_proves_nothing_later(served: World) -> None:
    keep(served, 300)
    message_id = served["ada"].says("soup")
    served.clock.jump(40 * DAY)
    serve(served, 4)
    served.clock.jump(-40 * DAY)
    delete_due(served.svc)
    keep(served, 30)
    served.clock.jump(40 * DAY)
    delete_due(served.svc)
    assert message_id in stored(served)


def test_days_that_were_stored_before_an_upgrade_have_a_day_of_grace(world: World) -> None:
    keep(world, 1)
    world["ada"].says("soup")
    world.clock.advance(100 * DAY)
    serve(world, 0.75)
    assert stored(world)
    serve(world, 0.25)
    assert stored(world) == set()


def test_a_server_that_was_off_for_two_weeks_deletes_a_day_later(served: World) -> None:
    served["ada"].says("soup")
    serve(served, 28)
    served.clock.jump(14 * DAY)
    serve(served, 0.75)
    assert stored(served)
    serve(served, 0.25)
    assert stored(served) == set()


def test_a_server_that_is_off_at_the_weekend_deletes_at_once(served: World) -> None:
    keep(served, 1)
    served["ada"].says("soup")
    served.clock.advance(2 * DAY)
    delete_due(served.svc)
    assert stored(served) == set()


def test_a_clock_that_is_set_ahead_in_between_makes_nothing_due(
    served: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scopes, "BATCH", 1)
    for content in ("soup", "salad"):
        served["ada"].says(content)
    serve(served, 20)
    young = served["ada"].says("cake")
    serve(served, 10)
    served.clock.advance(1)
    batches = delete_batches(served.svc)
    next(batches)
    served.clock.jump(40 * DAY)
    assert sum(amount.messages for _, amount in batches) == 1
    assert stored(served) == {young}


def test_somebody_who_has_looked_at_the_clock_needs_no_proof(served: World) -> None:
    served["ada"].says("soup")
    served.clock.jump(40 * DAY)
    assert amounts(delete_batches(served.svc)) == {}
    assert amounts(delete_batches(served.svc, at_once=True))["lunch"].messages == 1


def test_a_clock_that_is_set_back_deletes_nothing_too_early(served: World) -> None:
    served.clock.advance(10)
    served.clock.jump(-400 * DAY)
    during = served["ada"].says("soup")
    delete_due(served.svc)
    served.clock.jump(400 * DAY)
    prove_clock(served)
    delete_due(served.svc)
    assert during in stored(served)
    pass_days(served, 31)
    delete_due(served.svc)
    assert stored(served) == set()


def test_a_clock_that_was_set_back_is_proven_a_day_later(served: World) -> None:
    served["ada"].says("soup")
    serve(served, 29)
    served.clock.jump(-400 * DAY)
    serve(served, 0.5)
    served.clock.jump(400 * DAY)
    served.clock.advance(2 * DAY)
    serve(served, 0.75)
    assert stored(served)
    serve(served, 0.25)
    assert stored(served) == set()


def test_a_clock_that_was_ahead_stops_nothing(served: World) -> None:
    served.clock.jump(4000 * DAY)
    delete_due(served.svc)
    served.clock.jump(-4000 * DAY)
    message_id = served["ada"].says("soup")
    delete_due(served.svc)
    assert message_id in stored(served)
    serve(served, 30)
    served.clock.advance(1)
    delete_due(served.svc)
    assert stored(served) == set()
