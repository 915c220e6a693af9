"""Parsing and validation of declared parameters."""

from collections.abc import Mapping
from contextlib import suppress
from enum import StrEnum
from typing import Annotated, Literal, NewType, TypeVar

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from chatcore.application.arguments import Id
from chatcore.domain.errors import ChatError, ConfusingParameters, InvalidParameter, MissingParameter
from chatcore.http.parameters.declaring import (
    Count,
    Json,
    JsonOfAnyIntegers,
    Params,
    Text,
    also,
    declaration_of,
)

ChannelId = NewType("ChannelId", int)
P = TypeVar("P", bound=Params)


def parse(params: type[P], texts: Mapping[str, str]) -> tuple[P, list[str]]:
    return declaration_of(params).parse(texts)


class Operation(StrEnum):
    ADD = "add"
    REMOVE = "remove"


class Everything(Params, frozen=True, kw_only=True):
    content: Text = ""
    topic: Annotated[Text | None, also("subject")] = None
    op: Operation = Operation.ADD
    kind: Literal["direct", "channel"] = "channel"
    short: Annotated[str, msgspec.Meta(max_length=3)] = ""
    count: Annotated[Count, msgspec.Meta(le=5000)] = 0
    message_id: Id = 0
    channel_id: ChannelId | None = None
    ratio: float = 0.0
    read: bool | None = None
    ids: tuple[int, ...] = ()
    lists: dict[str, list[int]] | None = None
    narrow: Json = ()
    terms: JsonOfAnyIntegers = ()
    to: int | str | list[int | str] = ""
    anchor: int | Literal["newest", "oldest"] = "newest"
    color: str | msgspec.UnsetType | None = msgspec.UNSET
    folder: int | msgspec.UnsetType | None = msgspec.UNSET


NUMBERS = ("count", "message_id", "channel_id", "ratio", "folder")
"""A text for one of them is converted, or it cannot be; any other value is right or wrong as it is."""


def read(**texts: str) -> Everything:
    return parse(Everything, texts)[0]


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("content", '"quoted" [1]', '"quoted" [1]'),
        ("content", "", ""),
        ("content", "true", "true"),
        ("topic", "null", "null"),
        ("op", "remove", Operation.REMOVE),
        ("kind", "direct", "direct"),
        ("short", "äöü", "äöü"),
        ("count", "5000", 5000),
        ("channel_id", "12", 12),
        ("channel_id", "null", None),
        ("read", "false", False),
        ("read", "null", None),
        ("ratio", "1", 1.0),
        ("ids", "[1, 2]", (1, 2)),
        ("lists", '{"a": [1]}', {"a": [1]}),
        ("narrow", "[]", []),
        ("narrow", '[{"operator": "is", "operand": "dm"}]', [{"operator": "is", "operand": "dm"}]),
        ("narrow", '[["channel", "lunch"]]', [["channel", "lunch"]]),
        ("terms", f"[{10**30}]", [10**30]),
        ("anchor", "oldest", "oldest"),
        ("anchor", "-1", -1),
        ("color", "", ""),
        ("folder", "7", 7),
        ("folder", "null", None),
    ],
)
def test_a_text_becomes_the_value_that_its_type_says(name: str, text: str, value: object) -> None:
    assert getattr(read(**{name: text}), name) == value


@pytest.mark.parametrize(
    ("text", "recipient"),
    [
        ("lunch", "lunch"),
        ("7", 7),
        ('["lunch"]', ["lunch"]),
        ("[3, 4]", [3, 4]),
        ('["ada@example.org", "bob@example.org"]', ["ada@example.org", "bob@example.org"]),
        ("ada@example.org", "ada@example.org"),
        ('"lunch"', "lunch"),
        ("true", "true"),
        ("null", "null"),
        ("1.5", "1.5"),
        ("[team] lunch", "[team] lunch"),
        ("9" * 30, "9" * 30),
        ("", ""),
    ],
)
def test_a_recipient_is_json_that_fits_or_else_a_bare_name(text: str, recipient: object) -> None:
    assert read(to=text).to == recipient


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("content", "a\0b"),
        ("topic", "\0"),
        ("op", "drop"),
        ("op", '"add"'),
        ("kind", "private"),
        ("short", "four"),
        *(
            ("count", text)
            for text in ("-1", "5001", "true", "1.0", "1e3", "1e999", "NaN", "Infinity", "", "+1")
        ),
        *(("count", text) for text in ("١", "0x1", '"1"', "null", "[1]", "01", "1 2", "9" * 5000)),
        ("message_id", str(2**63)),
        ("message_id", str(-(2**63) - 1)),
        ("channel_id", "0.0"),
        *(("ratio", text) for text in ("NaN", "-Infinity", "1e999", "true")),
        *(("read", text) for text in ("1", "True", "yes", '"true"', "")),
        *(
            ("ids", text)
            for text in ("null", "1", "[1.0]", "[true]", '["1"]', "[1,]", "[[1]]", "{}", f"[{2**63}]")
        ),
        ("lists", '{"a": [1], "a": [2]}'),
        ("lists", '{"a": [null]}'),
        *(("narrow", text) for text in ("", "channel:lunch", "[", '{"a":1,"a":1}', '[{"a":{"b":1,"b":1}}]')),
        ("narrow", r'"\ud800"'),
        ("narrow", r'["\udc00 x"]'),
        ("narrow", r'["\u0000"]'),
        ("narrow", r'{"\u0000": 1}'),
        ("narrow", "[" * 100_000),
        ("narrow", "[" * 900 + "]" * 900),
        ("narrow", "[" * 25 + "]" * 25),
        ("narrow", '{"a":' * 25 + "1" + "}" * 25),
        ("narrow", f"[{10**25}]"),
        ("terms", "9" * 5000),
        ("terms", f'{{"a": {10**25}, "a": 1}}'),
        *(
            ("to", text)
            for text in ("[true]", "[1.0]", "{}", '{"id": 1}', "[[1]]", "[null]", "a\0", "[" * 100_000)
        ),
        *(("anchor", text) for text in ("first", "1.0", "true", "[1]", "9" * 40)),
        ("folder", "x"),
    ],
)
def test_a_text_that_does_not_fit_names_its_parameter(name: str, text: str) -> None:
    with pytest.raises(InvalidParameter) as refused:
        read(**{name: text})
    assert refused.value.extra["var_name"] == name
    assert refused.value.code == ("REQUEST_VARIABLE_INVALID" if name in NUMBERS else "BAD_REQUEST")
    assert len(refused.value.message) < 300


@pytest.mark.parametrize(
    ("name", "text", "reason"),
    [
        ("content", "ab\0", "holds a null character, at position 3"),
        ("narrow", r'["a\u0000"]', "holds a null character, at position 2"),
        ("count", "abc", "expected an integer, got 'abc'"),
        ("count", "-1", "expected an integer >= 0"),
        ("channel_id", '"7"', "expected an integer, got a string"),
        ("read", "True", "expected true or false, got 'True'"),
        ("read", "1", "expected true or false, got an integer"),
        ("ratio", "half", "expected a number, got 'half'"),
        ("ids", "all", "expected a JSON list, got 'all'"),
        ("ids", '["7"]', "expected an integer, got a string - at '$[0]'"),
        ("op", "drop", "expected one of 'add', 'remove', got 'drop'"),
        ("lists", "x" * 50, f"expected a JSON object, got '{'x' * 40}…'"),
        ("narrow", "channel:lunch", "expected JSON, got 'channel:lunch'"),
    ],
)
def test_a_refusal_says_what_was_expected_in_the_words_of_json(name: str, text: str, reason: str) -> None:
    with pytest.raises(InvalidParameter) as refused:
        read(**{name: text})
    assert refused.value.message == f"Bad value for '{name}': {reason}"


def test_an_escaped_backslash_is_no_null_character() -> None:
    assert read(narrow=r'["\\u0000"]').narrow == [r"\u0000"]


@pytest.mark.shows("conventions.required")
def test_missing_parameters_have_their_default() -> None:
    assert parse(Everything, {}) == (Everything(), [])
    assert read().color is msgspec.UNSET


class TwoNeeded(Params, frozen=True):
    content: Text
    topic: Annotated[Text, also("subject", "title")]
    count: Count = 0


@pytest.mark.shows("conventions.required")
def test_the_first_missing_parameter_is_named() -> None:
    with pytest.raises(MissingParameter) as refused:
        parse(TwoNeeded, {"count": "x"})
    assert refused.value.extra == {"var_name": "content"}


def test_a_missing_parameter_is_named_by_its_first_name() -> None:
    with pytest.raises(MissingParameter) as refused:
        parse(TwoNeeded, {"content": "hi"})
    assert refused.value.extra == {"var_name": "topic"}


@pytest.mark.parametrize("name", ["topic", "subject", "title"])
def test_every_name_of_a_parameter_is_taken(name: str) -> None:
    found, unused = parse(TwoNeeded, {"content": "hi", name: "lunch"})
    assert found.topic == "lunch"
    assert unused == []


def test_two_names_of_one_parameter_are_confusing() -> None:
    with pytest.raises(ConfusingParameters) as refused:
        parse(TwoNeeded, {"content": "hi", "title": "a", "topic": "a"})
    assert refused.value.extra == {"var_name1": "topic", "var_name2": "title"}
    assert refused.value.code == "REQUEST_CONFUSING_VAR"


def test_unused_names_are_sorted_and_say_nothing_of_repeated_ones() -> None:
    texts = {"zeta": "", "alpha": "", "message_id": "7", "dont_block": "true", "content": "", "topic": ""}
    _, unused = declaration_of(TwoNeeded).parse(texts, repeated=frozenset({"message_id"}))
    assert unused == ["alpha", "zeta"]


def test_a_value_from_the_path_wins_over_a_parameter() -> None:
    found, unused = declaration_of(Everything).parse({"message_id": "nonsense"}, {"message_id": 3})
    assert found.message_id == 3
    assert unused == []


class Renamed(Params, frozen=True):
    from_: Id = msgspec.field(name="from", default=0)


def test_a_field_may_have_another_name_outside() -> None:
    assert parse(Renamed, {"from": "3"}) == (Renamed(from_=3), [])


NAMES = [parameter.name for parameter in declaration_of(Everything).parameters]


@given(st.sampled_from(NAMES), st.text() | st.from_regex(r"[\[\]{}\",:0-9eE.\\u+-]*"))
def test_any_text_is_taken_or_refused_with_a_code(name: str, text: str) -> None:
    with suppress(ChatError):
        msgspec.json.encode(read(**{name: text}))
