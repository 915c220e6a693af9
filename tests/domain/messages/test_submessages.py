"""Refusals of submessages."""

import json

import pytest

from chatcore.domain.errors import BadRequest
from chatcore.domain.ids import ChannelId, MessageId, RecipientId, SubmessageId, UserId
from chatcore.domain.limits import Limits
from chatcore.domain.messages.messages import Message, Submessage, channel_message
from chatcore.domain.messages.submessages import MAX_MSG_TYPE_LENGTH, require_may_add

ADA, BEA, CEM = (UserId(RecipientId(number)) for number in (7, 8, 9))
POLL = json.dumps({"widget_type": "poll", "extra_data": {"question": "soup?", "options": []}})
OPTION = json.dumps({"type": "new_option", "idx": 1, "option": "bread"})
QUESTION = json.dumps({"type": "question", "question": "bread?"})
LONG = '"' + "x" * 190 + '"'
LIMITS = Limits(
    max_message_length=200,
    max_submessages_per_message=4,
    max_submessages_length=400,
    max_submessages_of_account=2,
    max_submessages_length_of_account=200,
)


def by_ada(*added: tuple[UserId, str, str]) -> Message:
    submessages = tuple(
        Submessage(id=SubmessageId(number), sender_id=who, msg_type=msg_type, content=content)
        for number, (who, msg_type, content) in enumerate(added)
    )
    return channel_message(
        id=MessageId(1),
        channel_id=ChannelId(RecipientId(3)),
        topic="lunch",
        sender_id=ADA,
        content="",
        rendered_content="",
        timestamp=0,
        submessages=submessages,
    )


PLAIN, A_POLL = by_ada(), by_ada((ADA, "widget", POLL))


@pytest.mark.parametrize(
    ("message", "who", "msg_type", "content"),
    [
        (PLAIN, ADA, "note", "1"),
        (PLAIN, ADA, "widget", POLL),
        (by_ada((ADA, "note", "1")), BEA, "note", "2"),
        (A_POLL, BEA, "widget", OPTION),
        (A_POLL, ADA, "widget", QUESTION),
    ],
)
def test_valid_submessages_are_accepted(message: Message, who: UserId, msg_type: str, content: str) -> None:
    require_may_add(message, who, msg_type, content, LIMITS)


@pytest.mark.parametrize(
    ("message", "who", "msg_type", "content", "refusal"),
    [
        (PLAIN, ADA, "", "1", "Invalid msg_type"),
        (PLAIN, ADA, "x" * (MAX_MSG_TYPE_LENGTH + 1), "1", "Invalid msg_type"),
        (PLAIN, ADA, "a\0b", "1", "Invalid msg_type"),
        (PLAIN, ADA, "note", "x", "Invalid JSON"),
        (PLAIN, ADA, "note", "NaN", "Invalid JSON"),
        (PLAIN, ADA, "note", '"\ud800"', "Invalid JSON"),
        (PLAIN, ADA, "note", "[" * 200, "Invalid JSON"),
        (PLAIN, ADA, "note", '"' + "x" * 199 + '"', "too long"),
        (PLAIN, ADA, "widget", "1", "Invalid widget"),
        (PLAIN, BEA, "note", "1", "cannot attach"),
        (by_ada((ADA, "note", "1")), BEA, "widget", POLL, "Invalid widget"),
        (by_ada((ADA, "note", "1")), BEA, "note", POLL, "Invalid widget"),
        (by_ada((ADA, "note", "1"), (ADA, "widget", POLL)), BEA, "widget", QUESTION, "Only the author"),
        (A_POLL, BEA, "widget", QUESTION, "Only the author"),
        (A_POLL, BEA, "widget", json.dumps({"type": "dance"}), "Unknown type of act"),
        (
            by_ada(*[(ADA, "note", "1"), (BEA, "note", "1")] * 2),
            CEM,
            "note",
            "1",
            "has too",
        ),
        (by_ada((ADA, "note", "1"), *[(BEA, "note", "1")] * 2), BEA, "note", "1", "added too many"),
        (
            by_ada((ADA, "note", "1"), (BEA, "note", '"' + "x" * 190 + '"')),
            BEA,
            "note",
            '"123456789"',
            "added",
        ),
    ],
)
def test_refused_submessages(
    message: Message, who: UserId, msg_type: str, content: str, refusal: str
) -> None:
    with pytest.raises(BadRequest, match=refusal):
        require_may_add(message, who, msg_type, content, LIMITS)
