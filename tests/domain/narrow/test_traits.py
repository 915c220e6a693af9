"""The traits of terms: the table names every kind, and what it says of a term holds for all messages."""

from typing import get_args

from hypothesis import given

from chatcore.domain.narrow import Narrow, Not, PositiveTerm, matches
from chatcore.domain.narrow.terms import TRAITS, PlaceKind, Traits, traits
from tests.domain.narrow.strategies import SEARCHES, TERMS, World, worlds


def test_every_kind_of_term_has_traits() -> None:
    assert TRAITS.keys() == set(get_args(PositiveTerm))


@given(world=worlds(), term=TERMS | SEARCHES)
def test_a_term_of_one_place_matches_no_message_of_the_other(world: World, term: PositiveTerm) -> None:
    for message in world.messages:
        if matches(Narrow((term,)), message, world.viewer, world.channels):
            place = PlaceKind.CHANNELS if message.channel_id is not None else PlaceKind.DIRECT_MESSAGES
            assert traits(term).only_in in {None, place}


@given(term=TERMS | SEARCHES)
def test_a_negated_term_has_no_traits(term: PositiveTerm) -> None:
    assert traits(Not(term)) == Traits()
