"""The times in which nothing notifies a person."""

from datetime import UTC, datetime, tzinfo
from zoneinfo import ZoneInfo

import pytest

from chatcore.domain.errors import InvalidParameter
from chatcore.domain.push.do_not_disturb import LATEST, DoNotDisturb

BERLIN = ZoneInfo("Europe/Berlin")


def at(clock: str, zone: tzinfo = UTC, day: str = "2026-03-10") -> float:
    return datetime.fromisoformat(f"{day}T{clock}").replace(tzinfo=zone).timestamp()


@pytest.mark.parametrize(
    ("daily", "clock", "is_on"),
    [
        ("22:00-07:00", "21:59:59", False),
        ("22:00-07:00", "22:00", True),
        ("22:00-07:00", "00:00", True),
        ("22:00-07:00", "06:59:59", True),
        ("22:00-07:00", "07:00", False),
        ("12:30-13:00", "12:29:59", False),
        ("12:30-13:00", "12:30", True),
        ("12:30-13:00", "12:59:59", True),
        ("12:30-13:00", "13:00", False),
        ("00:00-23:59", "23:58", True),
        ("00:00-23:59", "23:59", False),
        ("", "23:00", False),
    ],
)
def test_a_time_of_day_is_within_the_daily_times(daily: str, clock: str, is_on: bool) -> None:
    assert DoNotDisturb(daily=daily).is_on(at(clock), UTC) is is_on


def test_times_of_day_are_those_of_the_zone() -> None:
    chosen = DoNotDisturb(daily="22:00-07:00")
    assert not chosen.is_on(at("21:30"), UTC)
    assert chosen.is_on(at("21:30"), BERLIN)


@pytest.mark.parametrize("day", ["2026-03-29", "2026-10-25"])
def test_a_day_on_which_clocks_change_has_the_same_times_of_day(day: str) -> None:
    chosen = DoNotDisturb(daily="02:30-07:00")
    assert chosen.is_on(at("06:59", BERLIN, day), BERLIN)
    assert not chosen.is_on(at("07:00", BERLIN, day), BERLIN)


def test_a_pause_ends_at_its_time() -> None:
    chosen = DoNotDisturb(daily="22:00-07:00", until=int(at("12:00")))
    assert chosen.is_on(at("11:59:59"), UTC)
    assert not chosen.is_on(at("12:00"), UTC)
    assert chosen.is_on(at("22:00"), UTC)


@pytest.mark.parametrize("settings", [{}, {"do_not_disturb_daily": "22:00-07:00", "do_not_disturb_until": 5}])
def test_times_are_read_as_they_are_stored(settings: dict[str, str | int]) -> None:
    assert settings.items() <= DoNotDisturb.of(settings).as_settings.items()


@pytest.mark.parametrize(
    "daily",
    ["22:00", "22:00-22:00", "24:00-07:00", "22:60-07:00", "7:00-8:00", " 22:00-07:00", "22:00-07:00\n", "-",
     "２２:00-07:00"],
)  # fmt: skip
def test_other_daily_times_are_refused(daily: str) -> None:
    with pytest.raises(InvalidParameter, match="daily"):
        DoNotDisturb(daily=daily)


@pytest.mark.parametrize("until", [-1, LATEST + 1])
def test_what_is_no_time_is_refused(until: int) -> None:
    with pytest.raises(InvalidParameter, match="until"):
        DoNotDisturb(until=until)
