"""The content of pushes."""

import json

import pytest

from chatcore.domain.ids import MessageId
from chatcore.domain.push.pushes import MAX_PATH, PushText
from chatcore.runtime.web_push import MAX_PLAINTEXT


def says(character: str, length: int) -> PushText:
    text = character * length
    return PushText(
        sender=text,
        place=text,
        text=text,
        tag="t" * 32,
        path="#" + "a" * length,
        time=1,
        message_id=MessageId(1),
    )


@pytest.mark.parametrize("length", [MAX_PATH - 1, 10_000])
@pytest.mark.parametrize("character", ["a", "ä", "🐎", "\x00", '"'])
def test_the_longest_push_can_be_sent(character: str, length: int) -> None:
    encoded = says(character, length).encoded()
    assert len(encoded) <= MAX_PLAINTEXT
    assert (json.loads(encoded)["path"] == "#") == (length >= MAX_PATH)


def test_a_short_push_says_all() -> None:
    said = json.loads(says("ä", 3).encoded())
    assert (said["body"], said["path"]) == ("äää", "#aaa")
