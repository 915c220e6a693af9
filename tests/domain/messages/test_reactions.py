"""The emoji of a reaction, and the reaction that a removal refers to."""

import pytest

from chatcore.domain.emoji import CUSTOM_EMOJI, UNICODE_EMOJI, EmojiNames
from chatcore.domain.errors import BadRequest, ChatError
from chatcore.domain.ids import ChannelId, MessageId, UserId
from chatcore.domain.limits import Limits
from chatcore.domain.messages.messages import Message, Reaction
from chatcore.domain.messages.reactions import (
    NoSuchReaction,
    ReactionExists,
    new_reaction,
    reaction_to_remove,
)

ADA, BEA = UserId(5), UserId(6)
KNOWN = EmojiNames(unicode={"tada": "1f389", "party": "1f389", "house": "1f3e0"}, custom={"house": "7"})
LIMITS = Limits(max_emoji_per_message=2)


def reaction(user_id: UserId, name: str, code: str, kind: str = UNICODE_EMOJI) -> Reaction:
    return Reaction(user_id=user_id, emoji_name=name, emoji_code=code, reaction_type=kind)


TADA = reaction(ADA, "tada", "1f389")
HOUSE = reaction(ADA, "house", "7", CUSTOM_EMOJI)
GONE = reaction(ADA, "cat", "9", CUSTOM_EMOJI)
"""An emoji that cannot be chosen any more."""


def message(*reactions: Reaction) -> Message:
    return Message(
        id=MessageId(1), sender_id=ADA, channel_id=ChannelId(2), content="", rendered_content="", timestamp=0,
        reactions=reactions,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("there", "request_of", "made"),
    [
        ([], ("tada", None, None), reaction(BEA, "tada", "1f389")),
        # A name that several kinds have is the organization's own.
        ([], ("house", None, None), reaction(BEA, "house", "7", CUSTOM_EMOJI)),
        ([], ("house", "1f3e0", UNICODE_EMOJI), reaction(BEA, "house", "1f3e0")),
        # A further reaction copies the name of the first, even if that emoji can no longer be chosen.
        ([TADA], ("party", None, None), reaction(BEA, "tada", "1f389")),
        ([GONE], ("dog", "9", CUSTOM_EMOJI), reaction(BEA, "cat", "9", CUSTOM_EMOJI)),
        ([TADA, HOUSE], ("tada", None, None), reaction(BEA, "tada", "1f389")),
        # Refused: not there, there already, one too many.
        ([], ("cat", None, None), BadRequest),
        ([], ("tada", "1f3e0", None), BadRequest),
        ([], ("dog", "9", CUSTOM_EMOJI), BadRequest),
        ([reaction(BEA, "tada", "1f389")], ("party", None, None), ReactionExists),
        ([TADA, GONE], ("house", None, None), BadRequest),
    ],
)
def test_a_reaction_is_an_emoji_that_is_known_or_there(
    there: list[Reaction], request_of: tuple[str, str | None, str | None], made: Reaction | type[ChatError]
) -> None:
    name, code, kind = request_of

    def react() -> Reaction:
        return new_reaction(message(*there), BEA, KNOWN, LIMITS, name=name, code=code, reaction_type=kind)

    if isinstance(made, Reaction):
        assert react() == made
    else:
        with pytest.raises(made):
            react()


@pytest.mark.parametrize(
    ("request_of", "meant"),
    [
        (("tada", None, None), TADA),
        (("party", None, None), TADA),
        ((None, "1f389", None), TADA),
        (("cat", None, None), GONE),
        ((None, "9", CUSTOM_EMOJI), GONE),
        # A code without a kind is a Unicode emoji's.
        ((None, "9", None), NoSuchReaction),
        (("cat", None, UNICODE_EMOJI), BadRequest),
        (("house", None, None), NoSuchReaction),
        (("dog", None, None), BadRequest),
        ((None, None, None), BadRequest),
        (("tada", None, "smoke"), BadRequest),
    ],
)
def test_a_reaction_is_taken_back_by_its_code_or_a_name(
    request_of: tuple[str | None, str | None, str | None], meant: Reaction | type[ChatError]
) -> None:
    name, code, kind = request_of
    others = reaction(BEA, "house", "7", CUSTOM_EMOJI)

    def find() -> Reaction:
        there = message(others, TADA, GONE)
        return reaction_to_remove(there, ADA, KNOWN, name=name, code=code, reaction_type=kind)

    if isinstance(meant, Reaction):
        assert find() == meant
    else:
        with pytest.raises(meant):
            find()
