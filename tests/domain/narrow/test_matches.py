"""The messages that each term matches; all implementations of narrows agree."""

import gzip
import json
from collections.abc import Mapping
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chatcore.domain.channels.channels import Subscription
from chatcore.domain.ids import MessageId, UserId
from chatcore.domain.messages.flags import Flag
from chatcore.domain.messages.messages import Message, Reaction
from chatcore.domain.messages.viewer import Viewer
from chatcore.domain.narrow import (
    Content,
    DirectWith,
    Has,
    HasFlag,
    InChannel,
    InConversation,
    InPublicChannels,
    InTopic,
    IsDirect,
    IsFollowed,
    IsMuted,
    IsResolved,
    Narrow,
    Not,
    PositiveTerm,
    Search,
    SentBy,
    Term,
    WithId,
    compile_narrow,
    matches,
)
from chatcore.domain.narrow.words import parse_query
from chatcore.domain.topics import VisibilityPolicy
from tests.domain.narrow.strategies import (
    ADA,
    CHANNELS,
    COOK,
    GUS,
    KITCHEN,
    MAY,
    OFFICE,
    OLD,
    OWEN,
    PLAZA,
    SEARCHES,
    TERMS,
    VAULT,
    WEB,
    World,
    a_message,
    conversation,
    narrows,
    worlds,
)
from tests.reference import SHARED

SELF, WITH_MAY, GROUP = conversation(ADA), conversation(ADA, MAY), conversation(ADA, MAY, GUS)
TADA = Reaction(user_id=MAY, emoji_name="tada", emoji_code="1f389", reaction_type="unicode_emoji")

READER = Viewer(
    subscriptions={
        PLAZA: Subscription(channel_id=PLAZA, active=True),
        OFFICE: Subscription(channel_id=OFFICE, active=True, is_muted=True),
    },
    topic_policies={
        (PLAZA, "noise"): VisibilityPolicy.MUTED,
        (PLAZA, "news"): VisibilityPolicy.FOLLOWED,
        (OFFICE, "wanted"): VisibilityPolicy.UNMUTED,
        (OFFICE, "news"): VisibilityPolicy.FOLLOWED,
        (OFFICE, "noise"): VisibilityPolicy.MUTED,
    },
)


def flagged(flags: Flag) -> Viewer:
    return Viewer(flags={MessageId(1): flags})


def inside(term: Term, viewer: Viewer = READER, **message: Any) -> bool:
    """Whether a message with these fields is let through; all readings are asked."""
    made, narrow = a_message(1, **message), Narrow((term,))
    compiled = compile_narrow(narrow, viewer, CHANNELS)
    answer = matches(narrow, made, viewer, CHANNELS)
    assert compiled(made) is compiled.test(made) is answer
    assert compiled.select([made, made]) == [made, made] * answer
    return answer


YES: list[tuple[PositiveTerm, Mapping[str, Any]]] = [
    (InChannel(OFFICE), {"channel_id": OFFICE}),
    (InPublicChannels(), {"channel_id": WEB}),
    (InPublicChannels(), {"channel_id": PLAZA}),
    (InPublicChannels(), {"channel_id": OLD}),
    (InPublicChannels(web_public=True), {"channel_id": WEB}),
    (InTopic("äpfel"), {"topic": "ÄPFEL"}),
    (InTopic(""), {"topic": ""}),
    (SentBy(MAY), {"sender_id": MAY}),
    (SentBy(MAY), {"sender_id": MAY, "conversation": WITH_MAY}),
    (InConversation(frozenset({ADA})), {"conversation": SELF}),
    (InConversation(frozenset({ADA, MAY})), {"conversation": WITH_MAY}),
    (InConversation(frozenset({ADA, MAY})), {"conversation": WITH_MAY, "sender_id": MAY}),
    (InConversation(frozenset({ADA, MAY, GUS})), {"conversation": GROUP}),
    (DirectWith(MAY), {"conversation": WITH_MAY}),
    (DirectWith(MAY), {"conversation": GROUP}),
    (DirectWith(ADA), {"conversation": SELF}),
    (DirectWith(MAY, groups_only=True), {"conversation": GROUP}),
    (DirectWith(ADA, groups_only=True), {"conversation": GROUP}),
    (IsDirect(), {"conversation": SELF}),
    (IsDirect(), {"conversation": GROUP}),
    (IsResolved(), {"topic": "✔ lunch"}),
    (IsFollowed(), {"topic": "News"}),
    (IsMuted(), {"topic": "noise"}),
    (IsMuted(), {"channel_id": OFFICE}),
    (IsMuted(), {"channel_id": OFFICE, "topic": "noise"}),
    (IsMuted(topics_only=True), {"channel_id": OFFICE, "topic": "noise"}),
    (Has(Content.LINK), {"has_link": True}),
    (Has(Content.IMAGE), {"has_image": True}),
    (Has(Content.ATTACHMENT), {"has_attachment": True}),
    (Has(Content.REACTION), {"reactions": (TADA,)}),
    (Has(Content.LINK), {"has_link": True, "conversation": SELF}),
    (WithId(MessageId(1)), {}),
]

NO: list[tuple[PositiveTerm, Mapping[str, Any]]] = [
    (InChannel(OFFICE), {"channel_id": PLAZA}),
    (InChannel(OFFICE), {"conversation": SELF}),
    (InPublicChannels(), {"channel_id": OFFICE}),
    (InPublicChannels(), {"channel_id": VAULT}),
    (InPublicChannels(), {"channel_id": KITCHEN}),
    (InPublicChannels(), {"channel_id": 999}),
    (InPublicChannels(), {"conversation": SELF}),
    (InPublicChannels(web_public=True), {"channel_id": PLAZA}),
    (InTopic("lunc"), {"topic": "lunch"}),
    (InTopic("lunch"), {"topic": "✔ lunch"}),
    (InTopic(""), {"conversation": SELF}),
    (SentBy(MAY), {"sender_id": ADA}),
    (InConversation(frozenset()), {"conversation": SELF}),
    (InConversation(frozenset({ADA, MAY})), {"conversation": GROUP}),
    (InConversation(frozenset({ADA, MAY})), {"conversation": SELF}),
    (InConversation(frozenset({ADA, MAY})), {"sender_id": MAY}),
    (DirectWith(MAY), {"conversation": SELF}),
    (DirectWith(MAY), {"sender_id": MAY}),
    (DirectWith(MAY, groups_only=True), {"conversation": WITH_MAY}),
    (DirectWith(GUS, groups_only=True), {"conversation": conversation(OWEN, MAY, COOK)}),
    (IsDirect(), {}),
    (IsResolved(), {"topic": "✔lunch"}),
    (IsResolved(), {"topic": "lunch ✔ "}),
    (IsResolved(), {"conversation": SELF}),
    (IsFollowed(), {"topic": "lunch"}),
    (IsFollowed(), {"topic": "noise"}),
    (IsFollowed(), {"conversation": SELF}),
    (IsMuted(), {"topic": "lunch"}),
    (IsMuted(), {"channel_id": WEB}),
    (IsMuted(), {"channel_id": OFFICE, "topic": "wanted"}),
    (IsMuted(), {"channel_id": OFFICE, "topic": "news"}),
    (IsMuted(), {"conversation": SELF}),
    (IsMuted(topics_only=True), {"channel_id": OFFICE}),
    (IsMuted(topics_only=True), {"channel_id": OFFICE, "topic": "wanted"}),
    (IsMuted(topics_only=True), {"conversation": SELF}),
    (Has(Content.LINK), {"has_image": True}),
    (Has(Content.IMAGE), {"has_link": True}),
    (Has(Content.ATTACHMENT), {}),
    (Has(Content.REACTION), {}),
    (WithId(MessageId(2)), {}),
]


@pytest.mark.parametrize(("term", "message"), YES)
def test_messages_that_a_term_matches(term: PositiveTerm, message: Mapping[str, Any]) -> None:
    assert inside(term, **message)
    assert not inside(Not(term), **message)


@pytest.mark.parametrize(("term", "message"), NO)
def test_messages_that_a_term_does_not_match(term: PositiveTerm, message: Mapping[str, Any]) -> None:
    assert not inside(term, **message)
    assert inside(Not(term), **message)


@pytest.mark.parametrize("flag", [Flag.STARRED, Flag.READ, Flag.HAS_ALERT_WORD])
def test_a_flag_is_the_readers_own(flag: Flag) -> None:
    assert inside(HasFlag(flag), flagged(flag | Flag.COLLAPSED))
    assert not inside(HasFlag(flag), flagged(Flag.COLLAPSED))
    assert inside(HasFlag(flag), flagged(flag | Flag.HISTORICAL | Flag.CALLED))
    assert not inside(HasFlag(flag), flagged(Flag.HISTORICAL | Flag.CALLED))
    assert not inside(HasFlag(flag), Viewer())
    assert inside(HasFlag(flag), Viewer(default_flags=flag))
    assert not inside(HasFlag(flag), Viewer(default_flags=flag, flags={MessageId(1): Flag.NONE}))


@pytest.mark.parametrize("kind", [Flag.MENTIONED, Flag.CHANNEL_WILDCARD, Flag.TOPIC_WILDCARD])
def test_every_kind_of_mention_is_one(kind: Flag) -> None:
    assert inside(HasFlag(Flag.ANY_MENTION), flagged(kind | Flag.READ))


@pytest.mark.parametrize("flag", [Flag.CHANNEL_WILDCARD, Flag.ANY_MENTION])
def test_a_message_itself_says_that_its_channel_is_mentioned(flag: Flag) -> None:
    assert inside(HasFlag(flag), flagged(Flag.READ), channel_wildcard=True)
    assert not inside(HasFlag(flag), flagged(Flag.READ))
    assert not inside(HasFlag(flag), flagged(Flag.READ | Flag.HISTORICAL), channel_wildcard=True)
    assert not inside(HasFlag(Flag.MENTIONED), channel_wildcard=True)


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("coffee", True),
        ("COFFEE machines", True),
        ("lunch machine", True),
        ("coffee tea", False),
        ("coff", False),
        ("the", False),
        ('"the"', False),
        ('"Coffee MACHINE"', True),
        ('"machine coffee"', False),
        ('"offee mach" coffee', False),
        ('coffee "lunch"', True),
        ('"**coffee**"', True),
        ("strong", False),
        ("title", False),
    ],
)
def test_a_search_finds_words_and_phrases(query: str, found: bool) -> None:
    content: dict[str, Any] = {
        "content": "The **coffee** runs. coffee machine",
        "rendered_content": '<p title="title">The <strong>coffee</strong> runs. coffee machine</p>',
        "topic": "Lunch",
    }
    assert inside(Search(*parse_query(query)), **content) is found


def test_a_narrow_is_applied_without_a_viewer_and_channels() -> None:
    message = a_message(1)
    assert matches(Narrow((InChannel(PLAZA), Not(IsMuted()))), message)
    assert compile_narrow(Narrow((InChannel(PLAZA), Not(InPublicChannels())))).select([message]) == [message]


def test_terms_are_bound_and_not_written_into_the_source() -> None:
    hostile = "'] or true or ['{0}"
    assert not inside(InTopic(hostile), topic="lunch")
    assert inside(InTopic(hostile), topic=hostile)


def test_a_long_narrow_compiles() -> None:
    terms = tuple(Not(WithId(MessageId(number))) for number in range(2, 5000))
    compiled = compile_narrow(Narrow(terms))
    assert compiled(a_message(1))
    assert not compiled(a_message(77))


ALL_TERMS = st.one_of(TERMS, SEARCHES)


@given(worlds(), st.lists(narrows(), min_size=1, max_size=5))
def test_the_compiled_reading_agrees(world: World, several: list[Narrow]) -> None:
    for narrow in several:
        compiled = compile_narrow(narrow, world.viewer, world.channels)
        expected = [m for m in world.messages if matches(narrow, m, world.viewer, world.channels)]
        assert compiled.select(world.messages) == expected
        assert [m for m in world.messages if compiled(m)] == expected


@given(worlds(), ALL_TERMS)
def test_negation_is_the_complement(world: World, term: PositiveTerm) -> None:
    def found(narrow: Narrow) -> set[MessageId]:
        compiled = compile_narrow(narrow, world.viewer, world.channels)
        return {m.id for m in compiled.select(world.messages)}

    every = found(Narrow())
    assert every == {m.id for m in world.messages}
    assert found(Narrow((Not(term),))) == every - found(Narrow((term,)))


@given(worlds(), narrows(), st.randoms(use_true_random=False))
def test_order_and_duplicates_do_not_matter(world: World, narrow: Narrow, random: Random) -> None:
    shuffled = list(narrow.terms * 2)
    random.shuffle(shuffled)
    for message in world.messages:
        again = Narrow(tuple(shuffled))
        expected = matches(narrow, message, world.viewer, world.channels)
        assert matches(again, message, world.viewer, world.channels) is expected
        assert compile_narrow(again, world.viewer, world.channels)(message) is expected


@given(worlds(), narrows(), narrows())
def test_two_narrows_in_one_are_their_intersection(world: World, first: Narrow, second: Narrow) -> None:
    def found(narrow: Narrow) -> list[Message]:
        return compile_narrow(narrow, world.viewer, world.channels).select(world.messages)

    both = found(Narrow(first.terms + second.terms))
    assert both == [m for m in found(first) if m in found(second)]


def test_a_narrow_has_its_channels_and_its_search_as_properties() -> None:
    web, public = InPublicChannels(web_public=True), InPublicChannels()
    narrow = Narrow((InChannel(PLAZA), Not(InChannel(OFFICE)), public, web))
    assert narrow
    assert narrow.channel_ids == {PLAZA}
    assert narrow.public_channels == web
    assert Narrow((Not(public),)).public_channels is None
    assert narrow.search is None
    searches = Search(("big", "dog"), ("dog",)), Search(("dog", "bark"))
    assert Narrow(searches).search == Search(("big", "dog", "bark"), ("dog",))


CORPUS = SHARED / "corpus" / "chat-66k.jsonl.gz"


@pytest.mark.skipif(not CORPUS.exists(), reason="the corpus of real messages is not here")
def test_the_readings_agree_on_real_messages() -> None:
    with gzip.open(CORPUS, "rt") as lines:
        rows = [json.loads(line) for _, line in zip(range(2000), lines, strict=False)]
    senders = {row["sender"]: UserId(number) for number, row in enumerate(rows)}
    made = [
        a_message(
            number,
            sender_id=senders[row["sender"]],
            topic=row["topic"],
            content=row["content"],
            rendered_content=row["content"],
        )
        for number, row in enumerate(rows, start=1)
    ]
    for row in rows[:: len(rows) // 5]:
        for term in (
            InTopic(row["topic"].lower()),
            SentBy(senders[row["sender"]]),
            Search(*parse_query(" ".join(row["content"].split()[:2]))),
        ):
            narrow = Narrow((term,))
            expected = [m for m in made if matches(narrow, m)]
            assert compile_narrow(narrow).select(made) == expected
