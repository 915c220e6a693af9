"""Definitions of custom profile fields, and the values that they accept."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from chatcore.domain.errors import BadRequest
from chatcore.domain.ids import FieldId, UserId
from chatcore.domain.organization import profile_fields as rules
from chatcore.domain.organization.playgrounds import checked_name as checked_playground_name
from chatcore.domain.organization.profile_fields import FieldType, ProfileField

OPTIONS = {"r": {"text": "Red", "order": "1"}, "g": {"text": "Green", "order": "2"}}


def a_field(kind: FieldType, number: int = 1, **fields: Any) -> ProfileField:
    defaults = {"name": f"Field {number}", "field_data": OPTIONS if kind == FieldType.OPTIONS else {}}
    return ProfileField(id=FieldId(number), type=kind, **{**defaults, **fields})


# -- values -----------------------------------------------------------------------------------------

TAKEN = [
    (FieldType.SHORT_TEXT, "x" * 50, "x" * 50),
    (FieldType.SHORT_TEXT, " soup ", "soup"),
    (FieldType.LONG_TEXT, "x" * 500, "x" * 500),
    (FieldType.LONG_TEXT, "two\n\tlines", "two\n\tlines"),
    (FieldType.OPTIONS, "r", "r"),
    (FieldType.DATE, "2024-02-29", "2024-02-29"),
    (FieldType.LINK, "https://example.com/a?b=c#d", "https://example.com/a?b=c#d"),
    (FieldType.LINK, "HTTP://example.com:8080", "HTTP://example.com:8080"),
    (FieldType.LINK, "http://[::1]/", "http://[::1]/"),
    (FieldType.PERSON, [3, 9, 3], [3, 9]),
    (FieldType.PERSON, "[3, 9]", [3, 9]),
    (FieldType.EXTERNAL_ACCOUNT, "ada", "ada"),
    (FieldType.PRONOUNS, "she/her", "she/her"),
    *[(kind, empty, None) for kind in FieldType for empty in (None, "", [])],
    (FieldType.SHORT_TEXT, "  ", None),
    (FieldType.PERSON, "[]", None),
]


@pytest.mark.shows("field.short-text", "field.long-text", "field.options", "field.date")
@pytest.mark.parametrize(("kind", "raw", "value"), TAKEN)
def test_a_value_that_the_field_takes(kind: FieldType, raw: object, value: object) -> None:
    assert rules.read_value(a_field(kind), raw) == value


REFUSED = [
    (FieldType.SHORT_TEXT, "x" * 51),
    (FieldType.SHORT_TEXT, 7),
    (FieldType.SHORT_TEXT, ["x"]),
    (FieldType.SHORT_TEXT, "two\nlines"),
    (FieldType.LONG_TEXT, "x" * 501),
    (FieldType.LONG_TEXT, "a\x07b"),
    (FieldType.LONG_TEXT, "a\0b"),
    (FieldType.OPTIONS, "Red"),
    (FieldType.OPTIONS, "x"),
    (FieldType.DATE, "2024-2-29"),
    (FieldType.DATE, "2023-02-29"),
    (FieldType.DATE, "20240229"),
    (FieldType.DATE, "2024-W09-4"),
    (FieldType.DATE, "٢٠٢٤-٠٢-٢٩"),
    (FieldType.LINK, "example.com"),
    (FieldType.LINK, "/path"),
    (FieldType.LINK, "//example.com"),
    (FieldType.LINK, "https://"),
    (FieldType.LINK, "https:///path"),
    (FieldType.LINK, "https://a b/"),
    (FieldType.LINK, "https://example.com/a b"),
    (FieldType.LINK, "https://ada@example.com/"),
    (FieldType.LINK, "https://example.com:99999/"),
    (FieldType.LINK, "https://example.com:0/"),
    (FieldType.LINK, "https://example.com\\@evil.example"),
    (FieldType.LINK, "https://[::1"),
    (FieldType.LINK, "https://example.com/" + "x" * 2000),
    (FieldType.LINK, "https://example.com/\x01"),
    (FieldType.PERSON, "ada"),
    (FieldType.PERSON, "{}"),
    (FieldType.PERSON, "[" * 100_000),
    (FieldType.PERSON, 3),
    (FieldType.PERSON, ["3"]),
    (FieldType.PERSON, [True]),
    (FieldType.PERSON, [3.0]),
    (FieldType.PERSON, [0]),
    (FieldType.PERSON, [-1]),
    (FieldType.PERSON, [2**64]),
    (FieldType.PERSON, list(range(1, 502))),
    (FieldType.EXTERNAL_ACCOUNT, "x" * 51),
    (FieldType.PRONOUNS, "x" * 51),
]


@pytest.mark.shows(
    "field.short-text", "field.long-text", "field.options", "field.date", "field.link", "field.person",
    "field.pronouns",
)  # fmt: skip
@pytest.mark.parametrize(("kind", "raw"), REFUSED)
def test_a_value_that_the_field_refuses(kind: FieldType, raw: object) -> None:
    with pytest.raises(BadRequest):
        rules.read_value(a_field(kind), raw)


@pytest.mark.shows("field.link")
@pytest.mark.parametrize(
    "link",
    ["javascript:alert(1)", "JaVaScRiPt:alert(1)", "data:text/html,x", "vbscript:x", "file:///etc/passwd",
     "blob:https://a.example/1", "ftp://a.example/", "mailto:ada@example.org", "java\tscript:alert(1)"],
)  # fmt: skip
def test_sec_26_a_link_is_one_to_the_web(link: str) -> None:
    with pytest.raises(BadRequest, match="is not a URL"):
        rules.read_value(a_field(FieldType.LINK), link)


def test_people_are_stored_as_json() -> None:
    assert rules.people_text([UserId(3), UserId(9)]) == "[3,9]"


# -- definitions ------------------------------------------------------------------------------------


@pytest.mark.shows("field.types")
@pytest.mark.parametrize("number", [0, 9, -1, 10**20])
def test_there_are_eight_kinds(number: int) -> None:
    with pytest.raises(BadRequest):
        rules.field_type(number)


@pytest.mark.parametrize("name", ["", "  ", "x" * 41, "a\x01b", "a\0b"])
def test_a_name_outside_the_rules_is_refused(name: str) -> None:
    with pytest.raises(BadRequest):
        rules.checked_name(name)


def test_names_and_hints_are_stripped() -> None:
    assert rules.checked_name(" " + "x" * 40 + " ") == "x" * 40
    assert rules.checked_hint(" " + "x" * 80 + " ") == "x" * 80
    for hint in ("x" * 81, "a\x01b"):
        with pytest.raises(BadRequest):
            rules.checked_hint(hint)


@pytest.mark.parametrize("read", [rules.checked_name, checked_playground_name])
def test_names_are_refused_for_their_length_first(read: Callable[[str], str]) -> None:
    with pytest.raises(BadRequest, match="too long"):
        read("\u200b" * 1000)


DATA = [
    (FieldType.SHORT_TEXT, {"anything": 1}, {}),
    (FieldType.DATE, None, {}),
    (FieldType.OPTIONS, OPTIONS, OPTIONS),
    (FieldType.OPTIONS, {" r ": {"text": " Red ", "order": "1", "more": 1}}, {"r": OPTIONS["r"]}),
    (FieldType.EXTERNAL_ACCOUNT, {"subtype": "github", "more": 1}, {"subtype": "github"}),
    (
        FieldType.EXTERNAL_ACCOUNT,
        {"subtype": "custom", "url_pattern": "https://%(username)s.example.com/"},
        {"subtype": "custom", "url_pattern": "https://%(username)s.example.com/"},
    ),
]


@pytest.mark.parametrize(("kind", "raw", "data"), DATA)
def test_data_of_a_definition_besides_its_name(kind: FieldType, raw: object, data: object) -> None:
    assert rules.read_field_data(kind, raw) == data


BAD_DATA = [
    (FieldType.OPTIONS, None),
    (FieldType.OPTIONS, []),
    (FieldType.OPTIONS, {}),
    (FieldType.OPTIONS, {str(n): {"text": str(n), "order": "1"} for n in range(501)}),
    (FieldType.OPTIONS, {"r": "Red"}),
    (FieldType.OPTIONS, {"r": {"text": "Red"}}),
    (FieldType.OPTIONS, {"r": {"order": "1"}}),
    (FieldType.OPTIONS, {"r": {"text": " ", "order": "1"}}),
    (FieldType.OPTIONS, {"r": {"text": "Red", "order": ""}}),
    (FieldType.OPTIONS, {"r": {"text": "Red", "order": 1}}),
    (FieldType.OPTIONS, {"r": {"text": "x" * 201, "order": "1"}}),
    (FieldType.OPTIONS, {"r": {"text": "a\x01", "order": "1"}}),
    (FieldType.OPTIONS, {"": {"text": "Red", "order": "1"}}),
    (FieldType.OPTIONS, {"x" * 201: {"text": "Red", "order": "1"}}),
    (FieldType.OPTIONS, {"a": {"text": "Red", "order": "1"}, "b": {"text": "Red", "order": "2"}}),
    (FieldType.EXTERNAL_ACCOUNT, "github"),
    (FieldType.EXTERNAL_ACCOUNT, {}),
    (FieldType.EXTERNAL_ACCOUNT, {"subtype": "nowhere"}),
    (FieldType.EXTERNAL_ACCOUNT, {"subtype": ["github"]}),
    (FieldType.EXTERNAL_ACCOUNT, {"subtype": "custom"}),
    (FieldType.EXTERNAL_ACCOUNT, {"subtype": "custom", "url_pattern": "https://example.com/"}),
    (FieldType.EXTERNAL_ACCOUNT, {"subtype": "custom", "url_pattern": "https://a.example/%(username)s%(username)s"}),
    (FieldType.EXTERNAL_ACCOUNT, {"subtype": "custom", "url_pattern": "javascript:%(username)s"}),
]  # fmt: skip


@pytest.mark.shows("field.options-data", "create-field.field-data")
@pytest.mark.parametrize(("kind", "raw"), BAD_DATA)
def test_definitions_that_say_too_little_or_too_much_are_refused(kind: FieldType, raw: object) -> None:
    with pytest.raises(BadRequest):
        rules.read_field_data(kind, raw)


def test_a_known_account_is_known_by_its_subtype() -> None:
    github = {"subtype": "github"}
    assert rules.known_account(FieldType.EXTERNAL_ACCOUNT, github) is rules.EXTERNAL_ACCOUNTS["github"]
    assert rules.known_account(FieldType.SHORT_TEXT, github) is None
    assert rules.known_account(FieldType.EXTERNAL_ACCOUNT, {"subtype": "custom"}) is None


@pytest.mark.shows("create-field.two-in-summary")
def test_at_most_two_fields_are_in_the_summary() -> None:
    others = [a_field(FieldType.SHORT_TEXT, n, display_in_profile_summary=n < 3) for n in range(1, 5)]
    third = a_field(FieldType.DATE, 9, display_in_profile_summary=True)
    with pytest.raises(BadRequest, match="Only 2"):
        rules.require_fits_in(third, others)
    rules.require_fits_in(third, others[1:])
    rules.require_fits_in(replace(third, display_in_profile_summary=False), others)


@pytest.mark.shows("create-field.no-long-text-in-summary", "create-field.no-people-in-summary")
@pytest.mark.parametrize("kind", FieldType)
def test_long_texts_and_people_are_never_in_the_summary(kind: FieldType) -> None:
    shown = a_field(kind, display_in_profile_summary=True)
    if kind in (FieldType.LONG_TEXT, FieldType.PERSON):
        with pytest.raises(BadRequest, match="not supported"):
            rules.require_fits_in(shown, [])
    else:
        rules.require_fits_in(shown, [])


def test_names_and_known_accounts_are_unique() -> None:
    motto = a_field(FieldType.SHORT_TEXT, 1, name="Motto")
    with pytest.raises(BadRequest, match="label already exists"):
        rules.require_fits_in(a_field(FieldType.DATE, 2, name="Motto"), [motto])
    github = a_field(FieldType.EXTERNAL_ACCOUNT, 3, field_data={"subtype": "github"})
    with pytest.raises(BadRequest, match="external account"):
        rules.require_fits_in(replace(github, name="Other"), [motto, github])
    twitter = a_field(FieldType.EXTERNAL_ACCOUNT, 4, field_data={"subtype": "twitter"})
    rules.require_fits_in(twitter, [motto, github])


def test_there_is_an_end_to_fields() -> None:
    others = [a_field(FieldType.SHORT_TEXT, n) for n in range(1, 201)]
    with pytest.raises(BadRequest, match="more than 200"):
        rules.require_fits_in(a_field(FieldType.DATE, 999), others)


def test_an_order_names_every_field() -> None:
    fields = [a_field(FieldType.SHORT_TEXT, n) for n in (1, 2, 3)]
    assert rules.order_fields(fields, [3, 1, 77, 3, 2]) == [3, 1, 2]
    for order in ([], [1, 2], [1, 1, 2, 77]):
        with pytest.raises(BadRequest, match="order"):
            rules.order_fields(fields, order)


def test_a_field_is_found_by_its_id() -> None:
    fields = [a_field(FieldType.SHORT_TEXT, n) for n in (1, 2)]
    assert rules.find(fields, 2) is fields[1]
    with pytest.raises(BadRequest, match="Field id 3 not found"):
        rules.find(fields, 3)


def test_field_data_is_read_as_text() -> None:
    assert rules.data_text(a_field(FieldType.SHORT_TEXT)) == ""
    text = '{"r": {"text": "Röd", "order": "1"}}'
    data = {"r": {"text": "Röd", "order": "1"}}
    assert rules.data_text(a_field(FieldType.OPTIONS, field_data=data)) == text
