"""The candidates of a narrow, and access to single messages."""

import pytest
from hypothesis import given

from chatcore.domain.channels.channels import Period, Subscription
from chatcore.domain.ids import ChannelId, MessageId, Position, UserId
from chatcore.domain.messages.access import is_in_history, may_read
from chatcore.domain.messages.flags import NEVER_RECEIVED, Flag
from chatcore.domain.messages.viewer import Viewer
from chatcore.domain.narrow import (
    HasFlag,
    InChannel,
    InConversation,
    InPublicChannels,
    InTopic,
    IsMuted,
    IsResolved,
    Narrow,
    Not,
    Term,
    WithId,
    finds,
    first_unread_in,
    full_history,
    is_candidate,
    matches,
)
from tests.domain.narrow.strategies import (
    ACTORS,
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
    VAULT,
    WEB,
    World,
    a_message,
    conversation,
    narrows,
    worlds,
)

NOW = 10
"""The id of the messages here; 'late' is subscribed from after it, 'left' until after it."""

TIMES = {
    "never": (),
    "since before": (Period(Position(1)),),
    "late": (Period(Position(11)),),
    "left": (Period(Position(1), Position(11)),),
    "left before": (Period(Position(1), Position(10)),),
    "came back": (Period(Position(1), Position(5)), Period(Position(10))),
}


def viewer(who: UserId, channel_id: ChannelId, time: str = "never", flags: Flag = Flag.NONE) -> Viewer:
    periods = TIMES[time]
    subscription = Subscription(
        channel_id=channel_id, active=bool(periods) and periods[-1].until is None, periods=periods
    )
    return Viewer(
        actor=ACTORS[who],
        subscriptions={channel_id: subscription} if periods else {},
        flags={MessageId(NOW): flags} if flags else {},
    )


# Channel, reader, subscribed when -> may read the message by its id, has it in personal history.
TABLE: list[tuple[ChannelId, UserId, str, bool, bool]] = [
    (WEB, ADA, "never", True, False),
    (WEB, ADA, "left", True, True),
    (WEB, GUS, "never", False, False),
    (WEB, GUS, "since before", True, True),
    (WEB, GUS, "left", False, False),
    (PLAZA, ADA, "never", True, False),
    (PLAZA, ADA, "late", True, False),
    (PLAZA, ADA, "since before", True, True),
    (PLAZA, ADA, "left", True, True),
    (PLAZA, ADA, "left before", True, False),
    (PLAZA, ADA, "came back", True, True),
    (PLAZA, GUS, "never", False, False),
    (PLAZA, GUS, "late", True, False),
    (PLAZA, GUS, "since before", True, True),
    (PLAZA, GUS, "left", False, False),
    (OLD, ADA, "never", True, False),
    (OLD, GUS, "since before", True, True),
    (OFFICE, ADA, "never", False, False),
    (OFFICE, OWEN, "never", False, False),
    (OFFICE, ADA, "late", True, False),
    (OFFICE, ADA, "since before", True, True),
    (OFFICE, ADA, "left", False, False),
    (OFFICE, GUS, "late", True, False),
    (VAULT, ADA, "never", False, False),
    (VAULT, ADA, "late", False, False),
    (VAULT, ADA, "since before", True, True),
    (VAULT, ADA, "left", False, False),
    (VAULT, OWEN, "left", False, False),
    (VAULT, ADA, "came back", True, True),
    (VAULT, GUS, "late", False, False),
    (VAULT, GUS, "since before", True, True),
    (KITCHEN, ADA, "never", False, False),
    (KITCHEN, COOK, "never", True, False),
    (KITCHEN, COOK, "left", True, True),
    (KITCHEN, GUS, "never", False, False),
    (KITCHEN, GUS, "left", False, False),
    (KITCHEN, GUS, "since before", True, True),
]


@pytest.mark.parametrize(("channel_id", "who", "time", "by_id", "in_history"), TABLE)
def test_a_channel_message_is_readable_and_in_the_history_by_the_rules(
    channel_id: ChannelId, who: UserId, time: str, by_id: bool, in_history: bool
) -> None:
    message = a_message(NOW, channel_id=channel_id)
    reader = viewer(who, channel_id, time)
    assert may_read(message, reader, CHANNELS) is by_id
    assert is_candidate(Narrow(), message, reader, CHANNELS) is in_history
    assert finds(Narrow((InTopic("lunch"),)), message, reader, CHANNELS) is in_history
    assert not finds(Narrow((InTopic("dinner"),)), message, reader, CHANNELS)


@pytest.mark.parametrize(
    ("channel_id", "who", "time", "by_id", "in_history"),
    [
        (PLAZA, ADA, "never", True, True),
        (PLAZA, GUS, "never", False, False),
        (OFFICE, ADA, "late", True, True),
        (OFFICE, ADA, "left before", False, False),
        (VAULT, ADA, "late", True, True),
        (VAULT, ADA, "never", False, False),
    ],
)
def test_a_message_taken_into_ones_history_counts_as_received(
    channel_id: ChannelId, who: UserId, time: str, by_id: bool, in_history: bool
) -> None:
    """A message enters the history by a star or a reaction, or by a move from another channel."""
    message = a_message(NOW, channel_id=channel_id)
    reader = viewer(who, channel_id, time, NEVER_RECEIVED | Flag.STARRED)
    assert is_in_history(message, reader)
    assert may_read(message, reader, CHANNELS) is by_id
    assert is_candidate(Narrow(), message, reader, CHANNELS) is in_history


def test_other_flags_do_not_make_a_message_received() -> None:
    message = a_message(NOW, channel_id=VAULT)
    assert not is_in_history(message, viewer(ADA, VAULT, "late", Flag.READ | Flag.STARRED))


@pytest.mark.parametrize(("who", "may"), [(ADA, True), (GUS, True), (MAY, False), (OWEN, False)])
def test_direct_messages_are_for_their_people(who: UserId, may: bool) -> None:
    message = a_message(NOW, conversation=conversation(ADA, GUS))
    for reader in (Viewer(actor=ACTORS[who]), Viewer(actor=ACTORS[who], flags={message.id: NEVER_RECEIVED})):
        assert may_read(message, reader, CHANNELS) is may
        assert is_candidate(Narrow(), message, reader, CHANNELS) is may
        assert finds(Narrow((InConversation(frozenset({ADA, GUS})),)), message, reader, CHANNELS) is may


def test_a_channel_that_is_not_known_is_not_readable() -> None:
    message = a_message(NOW, channel_id=999)
    reader = viewer(ADA, ChannelId(999), "since before")  # type: ignore[arg-type]
    assert not may_read(message, reader, CHANNELS)
    assert not is_candidate(Narrow(), message, reader, CHANNELS)
    assert not full_history(Narrow((InChannel(message.channel_id),)), reader, CHANNELS)  # type: ignore[arg-type]


def test_without_login_only_web_public_messages_are_read() -> None:
    nobody = Viewer()
    web = Narrow((InPublicChannels(web_public=True),))
    for channel_id in CHANNELS:
        message = a_message(NOW, channel_id=channel_id)
        assert may_read(message, nobody, CHANNELS) is (channel_id == WEB)
        assert finds(web, message, nobody, CHANNELS) is (channel_id == WEB)
        assert not finds(Narrow(), message, nobody, CHANNELS)
        assert not finds(Narrow((InPublicChannels(),)), message, nobody, CHANNELS)
        assert finds(Narrow((InChannel(channel_id),)), message, nobody, CHANNELS) is (channel_id == WEB)
        # Flags that somehow got there do not make it theirs.
        flagged = Viewer(flags={message.id: NEVER_RECEIVED})
        assert not is_candidate(Narrow(), message, flagged, CHANNELS)
    direct = a_message(NOW, conversation=conversation(ADA))
    assert not may_read(direct, nobody, CHANNELS)
    assert not finds(web, direct, nobody, CHANNELS)
    assert not finds(Narrow(), direct, nobody, CHANNELS)


# Narrow, reader, channel and time of subscription -> all history, not only what was received.
MODES: list[tuple[tuple[Term, ...], UserId, ChannelId, str, bool]] = [
    ((), ADA, PLAZA, "since before", False),
    ((InChannel(WEB),), ADA, WEB, "never", True),
    ((InChannel(WEB),), GUS, WEB, "never", True),
    ((InChannel(PLAZA),), ADA, PLAZA, "never", True),
    ((InChannel(PLAZA),), GUS, PLAZA, "never", False),
    ((InChannel(PLAZA),), GUS, PLAZA, "late", True),
    ((InChannel(OLD),), ADA, OLD, "never", True),
    ((InChannel(OFFICE),), ADA, OFFICE, "late", True),
    ((InChannel(OFFICE),), ADA, OFFICE, "left", False),
    ((InChannel(OFFICE),), OWEN, OFFICE, "never", False),
    ((InChannel(VAULT),), ADA, VAULT, "since before", False),
    ((InChannel(KITCHEN),), COOK, KITCHEN, "never", True),
    ((InChannel(KITCHEN),), GUS, KITCHEN, "never", False),
    ((Not(InChannel(PLAZA)),), ADA, PLAZA, "never", False),
    ((InPublicChannels(),), ADA, PLAZA, "never", True),
    ((InPublicChannels(web_public=True),), ADA, PLAZA, "never", True),
    ((InPublicChannels(),), GUS, PLAZA, "since before", False),
    ((InPublicChannels(web_public=True),), GUS, WEB, "since before", False),
    ((InPublicChannels(), InChannel(PLAZA)), GUS, PLAZA, "since before", True),
    ((Not(InPublicChannels()),), ADA, PLAZA, "never", False),
    ((InTopic("lunch"), WithId(MessageId(1))), ADA, PLAZA, "never", False),
    ((InChannel(PLAZA), InTopic("lunch"), IsResolved(), Not(IsMuted())), ADA, PLAZA, "never", True),
]


@pytest.mark.parametrize(("terms", "who", "channel_id", "time", "expected"), MODES)
def test_when_all_history_is_searched(
    terms: tuple[Term, ...], who: UserId, channel_id: ChannelId, time: str, expected: bool
) -> None:
    reader = viewer(who, channel_id, time)
    assert full_history(Narrow(terms), reader, CHANNELS) is expected
    assert not full_history(Narrow(terms, personal=True), reader, CHANNELS)


def test_a_personal_narrow_in_a_public_channel_finds_received_messages_only() -> None:
    narrow = Narrow((InChannel(PLAZA), Not(HasFlag(Flag.STARRED))), personal=True)
    message = a_message(NOW)
    assert not finds(narrow, message, viewer(ADA, PLAZA, "late"), CHANNELS)
    assert finds(narrow, message, viewer(ADA, PLAZA, "left"), CHANNELS)


def test_the_first_unread_is_looked_for_among_unmuted_received_messages() -> None:
    unread = Not(HasFlag(Flag.READ))
    assert first_unread_in(Narrow()) == Narrow((unread, Not(IsMuted())), personal=True)
    topic, in_channel = InTopic("lunch"), InChannel(PLAZA)
    assert first_unread_in(Narrow((topic,))).terms == (topic, unread, Not(IsMuted()))
    assert first_unread_in(Narrow((in_channel,))).terms == (
        in_channel,
        unread,
        Not(IsMuted(topics_only=True)),
    )
    assert first_unread_in(Narrow((Not(in_channel),))).terms[-1] == Not(IsMuted())


@given(worlds(), narrows())
def test_found_messages_may_be_read_and_match(world: World, narrow: Narrow) -> None:
    for message in world.messages:
        if not finds(narrow, message, world.viewer, world.channels):
            continue
        assert matches(narrow, message, world.viewer, world.channels)
        assert world.viewer.actor is not None
        if not may_read(message, world.viewer, world.channels):
            assert (message.channel_id, world.viewer.actor.is_guest) == (WEB, True)


@given(worlds(), narrows())
def test_full_history_adds_and_never_takes_away(world: World, narrow: Narrow) -> None:
    personal = Narrow(narrow.terms, personal=True)
    for message in world.messages:
        if finds(personal, message, world.viewer, world.channels):
            assert finds(Narrow(narrow.terms), message, world.viewer, world.channels)


@given(worlds(), narrows())
def test_in_full_history_the_terms_already_keep_out_what_may_not_be_read(
    world: World, narrow: Narrow
) -> None:
    """A store may leave out the test of candidates there."""
    if full_history(narrow, world.viewer, world.channels):
        for message in world.messages:
            if matches(narrow, message, world.viewer, world.channels):
                assert is_candidate(narrow, message, world.viewer, world.channels)
