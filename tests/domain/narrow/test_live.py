"""The narrow of an event queue."""

import pytest

from chatcore.domain.errors import BadRequest, InvalidParameter
from chatcore.domain.limits import Limits
from chatcore.domain.messages.flags import Flag
from chatcore.domain.narrow import LiveNarrow, parse_live
from tests.domain.narrow.strategies import ADA, MAY, a_message, conversation

CHANNEL_MESSAGE = a_message(1, topic="Lunch")
RESOLVED = a_message(1, topic="✔ Lunch")
DIRECT = a_message(1, conversation=conversation(ADA, MAY))


def is_notified(*pairs: tuple[str, str], message: object = CHANNEL_MESSAGE, flags: Flag = Flag.NONE) -> bool:
    return parse_live([list(pair) for pair in pairs]).lets_through(
        message,  # type: ignore[arg-type]
        flags,
        channel_name=None if message is DIRECT else "Plaza",
        sender_email="Ada@example.com",
    )


@pytest.mark.parametrize("raw", [None, [], ()])
def test_an_empty_narrow_lets_everything_through(raw: object) -> None:
    assert not parse_live(raw)
    assert is_notified()
    assert is_notified(message=DIRECT)


@pytest.mark.parametrize("operator", ["channel", "stream"])
def test_a_channel_is_matched_by_its_name(operator: str) -> None:
    assert is_notified((operator, "PLAZA"))
    assert not is_notified((operator, "Plaz"))
    assert not is_notified((operator, "Plaza"), message=DIRECT)


def test_a_topic_is_matched_without_regard_to_case() -> None:
    assert is_notified(("topic", "LUNCH"))
    assert not is_notified(("topic", "lunch"), message=RESOLVED)
    assert not is_notified(("topic", ""), message=DIRECT)


def test_a_sender_is_matched_by_email() -> None:
    assert is_notified(("sender", "ADA@example.com"))
    assert is_notified(("sender", "ada@example.com"), message=DIRECT)
    assert not is_notified(("sender", "may@example.com"))


@pytest.mark.parametrize(
    ("operand", "message", "flags", "expected"),
    [
        ("dm", DIRECT, Flag.NONE, True),
        ("private", DIRECT, Flag.NONE, True),
        ("dm", CHANNEL_MESSAGE, Flag.NONE, False),
        ("starred", DIRECT, Flag.STARRED, True),
        ("starred", DIRECT, Flag.READ, False),
        ("unread", DIRECT, Flag.STARRED, True),
        ("unread", DIRECT, Flag.READ, False),
        ("mentioned", DIRECT, Flag.MENTIONED, True),
        ("mentioned", DIRECT, Flag.CHANNEL_WILDCARD, False),
        ("alerted", DIRECT, Flag.MENTIONED, True),
        ("alerted", DIRECT, Flag.HAS_ALERT_WORD, False),
        ("resolved", RESOLVED, Flag.NONE, True),
        ("resolved", CHANNEL_MESSAGE, Flag.NONE, False),
        ("resolved", DIRECT, Flag.NONE, False),
        ("muted", DIRECT, Flag.NONE, True),
        ("nonsense", CHANNEL_MESSAGE, Flag.READ, True),
    ],
)
def test_is_terms_of_live_narrows(operand: str, message: object, flags: Flag, expected: bool) -> None:
    assert is_notified(("is", operand), message=message, flags=flags) is expected


def test_all_terms_have_to_hold() -> None:
    assert is_notified(("channel", "plaza"), ("topic", "lunch"))
    assert not is_notified(("channel", "plaza"), ("topic", "dinner"))


def test_it_is_kept_as_pairs() -> None:
    narrow = parse_live([["stream", "Plaza"], ("is", "unread")])
    assert narrow == LiveNarrow((("channel", "Plaza"), ("is", "unread")))
    assert parse_live(narrow.pairs) == narrow
    assert narrow


@pytest.mark.parametrize(
    "bad",
    [
        ["is", "followed"],
        ["channels", "public"],
        ["streams", "public"],
        ["dm", "ada@example.com"],
        ["has", "link"],
        ["search", "coffee"],
        ["id", "1"],
        ["in", "home"],
        ["near", "1"],
        ["", ""],
        ["channel", 5],
        ["channel"],
        ["channel", "plaza", "lunch"],
        {"operator": "channel", "operand": "plaza"},
        "channel",
        None,
        ["topic", "\x00"],
        ["topic", "\ud800"],
    ],
)
def test_terms_that_queues_do_not_support(bad: object) -> None:
    with pytest.raises(BadRequest):
        parse_live([["is", "dm"], bad])


def test_a_narrow_of_a_queue_is_a_list_with_a_maximum_length() -> None:
    with pytest.raises(InvalidParameter):
        parse_live("is:dm")
    with pytest.raises(BadRequest):
        parse_live([["is", "dm"]] * 4, limits=Limits(max_narrow_terms=3))
