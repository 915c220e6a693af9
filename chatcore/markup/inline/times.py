"""Points in time as people write them: ISO, Unix seconds, `31 Dec 2017 5:30 am IST`, `Jun 5th 2017, 10:30PM`.

Standard library only and no clock: the date of the facts, if any, completes a text.
"""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, time, timedelta, timezone
from typing import Final

ZONES: Final = {
    name: hours
    for hours, names in {
        -10: "HST",
        -9: "AKST",
        -8: "PST AKDT",
        -7: "MST PDT",
        -6: "CST MDT",
        -5: "EST CDT",
        -4: "EDT AST",
        -3.5: "NST",
        -3: "ADT BRT ART",
        -2.5: "NDT",
        0: "UTC GMT WET Z",
        1: "CET WEST BST WAT",
        2: "EET CEST SAST CAT",
        3: "MSK EEST EAT",
        5: "PKT",
        5.5: "IST",
        7: "WIB ICT",
        8: "AWST HKT SGT PHT",
        9: "JST KST",
        9.5: "ACST",
        10: "AEST",
        10.5: "ACDT",
        11: "AEDT",
        12: "NZST",
        13: "NZDT",
    }.items()
    for name in names.split()
}
"""Abbreviations, in hours east of Greenwich; of several with the same name, the one most in use."""

_MONTHS = {
    name: number
    for number, name in enumerate(
        ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"), start=1
    )
}
_UNIX = re.compile(r"-?[0-9]+(?:\.[0-9]*)?")
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MAX_LENGTH = 100
_WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_WEEKDAY = re.compile(
    r"\b(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?\b\.?", re.IGNORECASE
)
_COMMA = re.compile(r"(?<!:\d\d),|,(?!\d)")  # but the one before a fraction of a second
_GLUE = re.compile(r"(?<=\d)T(?=\d)|(?<=[a-z])-(?=\d)|(?<=\d)-(?=[A-Za-z])", re.ASCII)
_COMPACT = re.compile(
    r"(?P<year>\d{4})(?P<month>\d{2})(?P<day>\d{2})(?P<clock>\d{4}(?:\d{2})?)?(?!\d)", re.ASCII
)
_YEAR_FIRST = re.compile(r"(?P<year>\d{4})[-/.](?P<month>\d{1,2})[-/.](?P<day>\d{1,2})(?!\d)", re.ASCII)
_YEAR_LAST = re.compile(r"(?P<month>\d{1,2})[-/.](?P<day>\d{1,2})[-/.](?P<year>\d{4}|\d{2})(?!\d)", re.ASCII)
_MONTH = re.compile(
    r"(?<![a-z])(?P<month>jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)"
    r"(?:uary|ruary|ch|il|e|y|ust|t|tember|ober|ember)?(?![a-z])\.?",
    re.IGNORECASE,
)
_DAY = re.compile(r"(\d{1,2})(?:st|nd|rd|th)?", re.ASCII | re.IGNORECASE)
_YEAR = re.compile(r"(\d{4})|'(\d{2})", re.ASCII)
_CLOCK = re.compile(
    r"(?P<hour>\d{1,2})(?:[:h](?P<minute>\d{2})(?::(?P<second>\d{2})(?:[.,](?P<fraction>\d{1,9}))?)?|h)?"
    r"\s*(?P<half>[ap]\.?m\.?)?",
    re.ASCII | re.IGNORECASE,
)
_COMPACT_CLOCK = re.compile(r"(\d\d)(\d\d)(\d\d)?", re.ASCII)
_OFFSET = re.compile(
    r"(?:\s*(?:UTC|GMT)\s*|\s*)(?P<sign>[+-])(?P<hours>\d{1,2}):?(?P<minutes>\d{2})?$", re.ASCII
)
_ZONE = re.compile(r"\s*(?<![A-Za-z])(?P<zone>[A-Z]{1,5})$")


def parse_time(text: str, today: date | None = None) -> datetime | None:
    """Return the moment that *text* names, in UTC; None if it names none. Without a zone it is UTC."""
    text = text.strip()
    if not text or len(text) > _MAX_LENGTH:
        return None
    try:
        return _read_unix(text) or _read_iso(text) or _read_date(text, today)
    except (ValueError, OverflowError):
        return None


def _read_unix(text: str) -> datetime | None:
    if not _UNIX.fullmatch(text) or _is_compact_date(text):
        return None
    return _EPOCH + timedelta(seconds=float(text))


def _is_compact_date(text: str) -> bool:
    match = _COMPACT.fullmatch(text)
    if match is None:
        return False
    try:
        _date_of(match)
    except ValueError:
        return False
    return True


def _read_iso(text: str) -> datetime | None:
    if not text[:4].isdigit() or _UNIX.fullmatch(text):
        return None
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return None
    return moment.replace(tzinfo=moment.tzinfo or UTC).astimezone(UTC)


def _read_date(text: str, today: date | None) -> datetime | None:
    """Return the moment that *text* names by a date, then a time of day, then a zone. The last two may be
    missing, and so may the date if there is *today*: then it is that day, or the next one with the name of a
    weekday in *text*. None without a date, or with a zone but no time of day.

    :raises ValueError, OverflowError: no such date or time
    """
    weekday = _WEEKDAY.search(text)
    for pattern in (_WEEKDAY, _COMMA, _GLUE):
        text = pattern.sub(" ", text)
    text = " ".join(text.split())
    day, rest = _split_date(text, today)
    if day is None and today is not None and (rest or weekday):
        day = today if weekday is None else _next_weekday(today, weekday[0])
    if day is None:
        return None
    clock, zone = _split_zone(rest)
    if not clock and rest:
        return None
    return datetime.combine(day, _read_clock(clock), zone).astimezone(UTC)


def _split_date(text: str, today: date | None) -> tuple[date | None, str]:
    """Return the date in *text*, or None if it has none; and the rest of the text."""
    for pattern in (_COMPACT, _YEAR_FIRST, _YEAR_LAST):
        if match := pattern.match(text):
            clock = match.groupdict().get("clock") or ""
            return _date_of(match), (clock + text[match.end() :]).strip()
    if named := _MONTH.search(text):
        return _read_named_date(named, text, today)
    return None, text


def _next_weekday(today: date, weekday: str) -> date:
    """Return the first day with this name from *today* on."""
    return today + timedelta(days=(_WEEKDAYS.index(weekday[:3].lower()) - today.weekday()) % 7)


def _date_of(match: re.Match[str]) -> date:
    """Return the date of three numbers. A month beyond 12 is the day, and the day the month.

    :raises ValueError: no such date
    """
    year, month, day = int(match["year"]), int(match["month"]), int(match["day"])
    if month > 12:
        month, day = day, month
    return date(year + 2000 if year < 100 else year, month, day)


def _read_named_date(named: re.Match[str], text: str, today: date | None) -> tuple[date | None, str]:
    """Parse a date whose month is *named*: `5 June 2017`, `June 5th, 2017`, `June 2017`. Return the date, and
    the rest of the text: from the first word on that is neither day, nor year, nor "of".

    A text without a year means that of *today*; if *today* is None, None and "" are returned.

    :raises ValueError: the month has no such day
    """
    day, year = 0, 0
    rest: list[str] = []
    for word in (text[: named.start()] + " " + text[named.end() :]).split():
        if not year and not rest and (number := _YEAR.fullmatch(word)):
            year = int(number[1] or "20" + number[2])
        elif not day and not rest and (number := _DAY.fullmatch(word)):
            day = int(number[1])
        elif rest or word.lower() != "of":  # as in `5th of June`
            rest.append(word)
    if not year:
        if today is None:
            return None, ""
        year = today.year
    return date(year, _MONTHS[named["month"].lower()], day or 1), " ".join(rest)


def _split_zone(text: str) -> tuple[str, timezone]:
    """Return *text* without its zone, and the zone."""
    if offset := _OFFSET.search(text):
        minutes = int(offset["hours"]) * 60 + int(offset["minutes"] or 0)
        east = -minutes if offset["sign"] == "-" else minutes
        return text[: offset.start()], timezone(timedelta(minutes=east))
    named = _ZONE.search(text)
    if named and named["zone"] in ZONES:
        return text[: named.start()], timezone(timedelta(hours=ZONES[named["zone"]]))
    return text, UTC


def _read_clock(text: str) -> time:
    """Return the time of day in the rest of a text; midnight for an empty one.

    :raises ValueError: there is anything else in it
    """
    text = text.removeprefix("T").removeprefix("at ").strip()
    if not text:
        return time()
    if compact := _COMPACT_CLOCK.fullmatch(text):
        return time(int(compact[1]), int(compact[2]), int(compact[3] or 0))
    match = _CLOCK.fullmatch(text)
    if not match or text.isdigit():
        raise ValueError(text)
    hour = int(match["hour"])
    if match["half"]:
        if not 1 <= hour <= 12:
            raise ValueError(text)
        hour = hour % 12 + (12 if match["half"].lower().startswith("p") else 0)
    micros = int((match["fraction"] or "0").ljust(6, "0")[:6])
    return time(hour, int(match["minute"] or 0), int(match["second"] or 0), micros)
