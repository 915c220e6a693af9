"""The rules of drafts."""

import pytest

from chatcore.domain.errors import BadRequest
from chatcore.domain.limits import Limits
from chatcore.domain.messages.drafts import DraftContent, DraftType, NoSuchDraft, checked_draft

LIMITS = Limits(max_topic_length=10, max_message_length=40, max_ids_per_request=3)
CHANNEL, DIRECT, UNADDRESSED = DraftType.CHANNEL, DraftType.DIRECT, DraftType.UNADDRESSED


def draft(type: DraftType = CHANNEL, **fields: object) -> DraftContent:
    given = {"to": [7] if type == CHANNEL else [], "topic": "lunch", "content": "soup", **fields}
    return checked_draft(DraftContent(type=type, **given), LIMITS)  # type: ignore[arg-type]


@pytest.mark.shows("draft.to-nobody", "draft.topic-ignored")
@pytest.mark.parametrize(
    ("type", "to", "kept", "topic"),
    [
        (CHANNEL, [7], (7,), "lunch"),
        (DIRECT, [7, 9], (7, 9), ""),
        (DIRECT, [9, 7, 9], (9, 7), ""),
        (DIRECT, [], (), ""),
        (UNADDRESSED, [], (), ""),
        (UNADDRESSED, [7, 9], (), ""),
    ],
)
def test_a_draft_keeps_what_its_type_has_a_use_for(
    type: DraftType, to: list[int], kept: tuple[int, ...], topic: str
) -> None:
    checked = draft(type, to=to)
    assert (checked.type, checked.to, checked.topic, checked.content) == (type, kept, topic, "soup")


@pytest.mark.shows("draft.to-channel")
@pytest.mark.parametrize("to", [[], [7, 9], [7, 7]])
def test_a_channel_draft_has_exactly_one_channel(to: list[int]) -> None:
    with pytest.raises(BadRequest, match="exactly 1 channel"):
        draft(to=to)


@pytest.mark.shows("draft.topic-null", "draft.content-null")
@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"topic": "a\0b"}, "null bytes"),
        ({"topic": "\0", "type": DIRECT}, "null bytes"),
        ({"topic": "\ud800"}, "Unicode"),
        ({"content": "a\0b"}, "null bytes"),
        ({"content": " \n "}, "empty"),
        ({"content": "\ud800"}, "Unicode"),
        ({"timestamp": -1}, "negative"),
        ({"type": DIRECT, "to": [1, 2, 3, 4]}, "Too many"),
    ],
)
def test_a_draft_outside_the_rules_is_refused(fields: dict[str, object], reason: str) -> None:
    with pytest.raises(BadRequest, match=reason):
        draft(**fields)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("topic", "kept"), [("1234567890", "1234567890"), ("12345678901", "1234567..."), (" x ", "x"), ("", "")]
)
def test_a_topic_that_is_too_long_is_cut(topic: str, kept: str) -> None:
    assert draft(topic=topic).topic == kept


def test_a_text_that_is_too_long_is_cut_like_that_of_a_message() -> None:
    assert draft(content="x" * 41).content == "x" * 20 + "\n[message truncated]"
    assert draft(content="\n\n  soup \n").content == "  soup"


def test_the_time_is_kept_as_it_is() -> None:
    assert draft(timestamp=0).timestamp == 0
    assert draft().timestamp is None


@pytest.mark.shows("edit-draft.unknown")
def test_an_unknown_draft_is_a_404_with_the_general_code() -> None:
    assert (NoSuchDraft.status, NoSuchDraft.code) == (404, "BAD_REQUEST")
