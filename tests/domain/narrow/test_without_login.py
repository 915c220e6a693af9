"""Narrows that are allowed without a login."""

import pytest

from chatcore.domain.errors import BadNarrow, BadRequest, InvalidParameter
from chatcore.domain.ids import MessageId
from chatcore.domain.messages.recipients import ChannelRecipient
from chatcore.domain.narrow import (
    InChannel,
    InPublicChannels,
    InTopic,
    IsResolved,
    KnownNames,
    Narrow,
    Not,
    SentBy,
    parse_without_login,
)
from tests.domain.narrow.strategies import CHANNELS, MAY, OFFICE, PLAZA, WEB

DIRECTORY = KnownNames(
    channels={"web": WEB, "plaza": PLAZA, "office": OFFICE},
    users={"may@example.com": MAY},
    recipients={MessageId(7): ChannelRecipient(WEB, "lunch"), MessageId(8): ChannelRecipient(PLAZA, "lunch")},
)
WEB_PUBLIC = ["channels", "web-public"]
ALL = InPublicChannels(web_public=True)


def narrow(*raw: object) -> Narrow | None:
    return parse_without_login(list(raw), DIRECTORY, CHANNELS)


def negated(operator: str, operand: str) -> dict[str, object]:
    return {"operator": operator, "operand": operand, "negated": True}


@pytest.mark.parametrize(
    ("raw", "terms"),
    [
        ([WEB_PUBLIC], (ALL,)),
        ([["streams", "web-public"]], (ALL,)),
        ([WEB_PUBLIC, ["in", "home"]], (ALL,)),
        ([["in", "home"], WEB_PUBLIC, ["is", "resolved"]], (ALL, IsResolved())),
        ([WEB_PUBLIC, negated("is", "resolved")], (ALL, Not(IsResolved()))),
        ([WEB_PUBLIC, ["stream", "Web"], ["topic", "lunch"]], (ALL, InChannel(WEB), InTopic("lunch"))),
        ([WEB_PUBLIC, negated("channel", "Web")], (ALL, Not(InChannel(WEB)))),
        ([WEB_PUBLIC, ["sender", "may@example.com"], ["near", "5"]], (ALL, SentBy(MAY))),
        ([WEB_PUBLIC, ["topic", "general chat"]], (ALL, InTopic(""))),
        ([WEB_PUBLIC, ["with", "7"]], (InChannel(WEB), InTopic("lunch"), ALL)),
    ],
)
def test_a_narrow_without_a_login_is_parsed(raw: list[object], terms: tuple[object, ...]) -> None:
    assert narrow(*raw) == Narrow(terms)  # type: ignore[arg-type]


@pytest.mark.parametrize("term", [["has", "link"], ["search", "coffee"], ["id", "7"], ["channels", "public"]])
def test_operators_that_are_not_about_a_person(term: list[str]) -> None:
    result = narrow(WEB_PUBLIC, term)
    assert result is not None
    assert len(result.terms) == 2


@pytest.mark.parametrize(
    "raw",
    [
        [],
        [["in", "home"]],
        [["channels", "public"]],
        [negated("channels", "web-public")],
        [["channel", "web"]],
        [WEB_PUBLIC, negated("in", "home")],
        [WEB_PUBLIC, ["in", "all"]],
        [WEB_PUBLIC, ["is", "unread"]],
        [WEB_PUBLIC, ["is", "dm"]],
        [WEB_PUBLIC, ["is", "nonsense"]],
        [WEB_PUBLIC, ["dm", "may@example.com"]],
        [WEB_PUBLIC, ["dm-including", "may@example.com"]],
        [WEB_PUBLIC, ["group-pm-with", "may@example.com"]],
        [WEB_PUBLIC, ["unheard-of", "x"]],
    ],
)
def test_narrows_that_need_a_login(raw: list[object]) -> None:
    assert narrow(*raw) is None


@pytest.mark.parametrize(
    "term",
    [
        ["channel", "plaza"],
        ["channel", "office"],
        ["channel", "nowhere"],
        negated("stream", "plaza"),
        ["with", "8"],
    ],
)
def test_other_channels_do_not_exist_without_a_login(term: object) -> None:
    with pytest.raises(BadNarrow):
        narrow(WEB_PUBLIC, term)


def test_a_channel_of_which_nothing_is_known() -> None:
    with pytest.raises(BadNarrow):
        parse_without_login([WEB_PUBLIC, ["channel", "web"]], DIRECTORY, {})


def test_malformed_narrows_are_refused_as_ever() -> None:
    with pytest.raises(BadRequest):
        narrow(WEB_PUBLIC, ["is"])
    with pytest.raises(InvalidParameter):
        parse_without_login("", DIRECTORY, CHANNELS)
