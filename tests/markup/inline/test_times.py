"""Texts that are recognized as points in time."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest

from chatcore.markup import Facts
from chatcore.markup.inline.times import parse_time
from tests.markup.said import html_of


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("2031-05-02T09:30:00+02:00", "2031-05-02T07:30:00"),
        ("2024-01-01T00:00:00Z", "2024-01-01T00:00:00"),
        ("2023-06-01 10:00", "2023-06-01T10:00:00"),
        ("2023-06-01", "2023-06-01T00:00:00"),
        ("2023-06-01T10:00:00.25", "2023-06-01T10:00:00.250000"),
        ("20230601", "2023-06-01T00:00:00"),
        ("20230601T1015", "2023-06-01T10:15:00"),
        ("20230601101530", "2023-06-01T10:15:30"),
        ("2023/6/1", "2023-06-01T00:00:00"),
        ("2023.06.01 10:15 UTC", "2023-06-01T10:15:00"),
        ("2023-06-01 10:00 pm", "2023-06-01T22:00:00"),
        ("2023-06-01 10:00:15,5 CET", "2023-06-01T09:00:15.500000"),
        ("2023-06-01 10:00 GMT+0200", "2023-06-01T08:00:00"),
        ("2023-06-01 10:00 -02:30", "2023-06-01T12:30:00"),
        ("6/1/2023 10:00", "2023-06-01T10:00:00"),
        ("06/01/23", "2023-06-01T00:00:00"),
        ("13.06.2023 7h30", "2023-06-13T07:30:00"),
        ("13-Jun-2023 0730", "2023-06-13T07:30:00"),
        ("13Jun2023T07:30", "2023-06-13T07:30:00"),
        ("June 13 '23 7h", "2023-06-13T07:00:00"),
        ("2023-06-13 10:00 GMT-5", "2023-06-13T15:00:00"),
        ("Jun 5th 2017, 10:30PM", "2017-06-05T22:30:00"),
        ("June 5, 2017 at 12am", "2017-06-05T00:00:00"),
        ("5 June 2017 12:05 p.m.", "2017-06-05T12:05:00"),
        ("Mon, 5 Jun 2017 10:00 PDT", "2017-06-05T17:00:00"),
        ("5th of June 2017", "2017-06-05T00:00:00"),
        ("June 2017", "2017-06-01T00:00:00"),
        ("31 Dec 2017 5:30 am IST", "2017-12-31T00:00:00"),
        ("5 June", "2024-06-05T00:00:00"),
        ("10:30", "2024-02-29T10:30:00"),
        ("10:30 IST", "2024-02-29T05:00:00"),
        ("7pm", "2024-02-29T19:00:00"),
        ("1496701800", "2017-06-05T22:30:00"),
        ("1700000000.5", "2023-11-14T22:13:20.500000"),
        ("-100000000", "1966-10-31T14:13:20"),
        ("0", "1970-01-01T00:00:00"),
        ("86400", "1970-01-02T00:00:00"),
        ("-1", "1969-12-31T23:59:59"),
        ("99999999", "1973-03-03T09:46:39"),
        ("20239999", "1970-08-23T06:13:19"),
        ("2023", "1970-01-01T00:33:43"),
        ("2023-06-01 10:00 CST", "2023-06-01T16:00:00"),
        ("1.5", "1970-01-01T00:00:01.500000"),
    ],
)
def test_this_is_a_time(text: str, moment: str) -> None:
    assert parse_time(text, date(2024, 2, 29)) == datetime.fromisoformat(moment).replace(tzinfo=UTC)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "not a date",
        "1234567890123",
        "123456734567890123456",
        "2024-13-32",
        "2024-01-01 UTC",
        "2024-01-01 10:00 (UTC)",
        "2024-02-30",
        "31 Feb 2024",
        "2024-01-01 25:00",
        "2024-01-01 13pm",
        "2024-01-01 0 am",
        "2024-01-01 7",
        "2024-01-01 at noon",
        "5 6 June 2024",
        "10:30:",
        "Ju\u0661",
        "\u0661\u0661\u0661\u0661-01-01",
        "1" * 200,
    ],
)
def test_this_is_none(text: str) -> None:
    assert parse_time(text, date(2024, 2, 29)) is None


def test_missing_parts_are_unknown_without_a_day_to_count_from() -> None:
    assert parse_time("10:30") is None
    assert parse_time("5 June") is None
    assert parse_time("5 June 2024") is not None


def test_the_facts_say_what_day_it_is() -> None:
    assert 'datetime="2024-02-29T10:30:00Z"' in html_of("<time:10:30>", facts=Facts(today=date(2024, 2, 29)))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Friday", "2024-03-01T00:00:00Z"),
        ("fri 5pm", "2024-03-01T17:00:00Z"),
        ("10:30, Thursday", "2024-02-29T10:30:00Z"),
        ("Wed.", "2024-03-06T00:00:00Z"),
        ("Mon, Mar 5", "2024-03-05T00:00:00Z"),
        ("Fri,5pm", "2024-03-01T17:00:00Z"),
        ("Mar 5,2025,10:30:05,25", "2025-03-05T10:30:05.250000Z"),
    ],
)
def test_a_weekday_without_a_date_is_the_next_one(text: str, expected: str) -> None:
    """On a Thursday; a date that is named as well decides."""
    assert f'datetime="{expected}"' in html_of(f"<time:{text}>", facts=Facts(today=date(2024, 2, 29)))


@pytest.mark.parametrize("text", [",", "Friday", "soup"])
def test_without_a_date_or_a_day_there_is_no_time(text: str) -> None:
    today = None if text == "Friday" else date(2024, 2, 29)
    assert "datetime" not in html_of(f"<time:{text}>", facts=Facts(today=today))
