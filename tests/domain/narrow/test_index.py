"""An index of narrows finds the narrows that match a message, and tests few of the others."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chatcore.domain.messages.messages import Message
from chatcore.domain.narrow import (
    CompiledNarrow,
    Has,
    InChannel,
    InConversation,
    InTopic,
    Narrow,
    NarrowIndex,
    Search,
    SentBy,
    Term,
    WithId,
    compile_narrow,
    matches,
)
from chatcore.domain.narrow.terms import Content
from tests.domain.narrow.strategies import (
    ADA,
    GUS,
    OFFICE,
    PLAZA,
    World,
    a_message,
    conversation,
    narrows,
    worlds,
)


@given(worlds(), st.lists(narrows(), min_size=1, max_size=12), st.sets(st.integers(0, 11)))
def test_an_index_finds_what_testing_all_finds(
    world: World, several: list[Narrow], removed: set[int]
) -> None:
    index: NarrowIndex[int] = NarrowIndex()
    for key, narrow in enumerate(several):
        index.add(key, compile_narrow(Narrow(), world.viewer, world.channels))
        index.add(key, compile_narrow(narrow, world.viewer, world.channels))
    for key in removed:
        index.remove(key)
    kept = {key: narrow for key, narrow in enumerate(several) if key not in removed}
    assert len(index) == len(kept)
    for message in world.messages:
        expected = {
            key for key, narrow in kept.items() if matches(narrow, message, world.viewer, world.channels)
        }
        assert index.matching(message) == expected


LUNCH = a_message(7, channel_id=PLAZA, topic="lunch", sender_id=ADA, rendered_content="<p>tomato soup</p>")


@pytest.mark.parametrize(
    "terms",
    [
        (WithId(8),),
        (InConversation(conversation(ADA, GUS).user_ids),),
        (InChannel(PLAZA), InTopic("seeds")),
        (InChannel(OFFICE), InTopic("lunch")),
        (InTopic("seeds"), SentBy(ADA)),
        (Search(("leek", "soup")), SentBy(GUS)),
        (SentBy(GUS), InChannel(PLAZA)),
        (InChannel(OFFICE), Has(Content.LINK)),
    ],
    ids=str,
)
def test_narrows_of_other_places_are_not_tested(terms: tuple[Term, ...]) -> None:
    tested: list[Message] = []

    def test(message: Message) -> bool:
        tested.append(message)
        return True

    compiled: CompiledNarrow = replace(compile_narrow(Narrow(terms)), test=test)
    index: NarrowIndex[str] = NarrowIndex()
    index.add("one", compiled)
    assert index.matching(LUNCH) == set()
    assert tested == []
