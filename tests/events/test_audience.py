"""Who hears of an event."""

from collections.abc import Mapping, Sequence
from itertools import product

import pytest

from chatcore.domain.channels.channels import Channel, Period, Subscription, has_metadata_access
from chatcore.domain.groups.actors import Actor
from chatcore.domain.groups.permissions import CHANNEL_PERMISSIONS, GroupSetting
from chatcore.domain.groups.system import SystemGroup, system_groups_of
from chatcore.domain.ids import ChannelId, GroupId, MessageId, Position, RecipientId, UserId
from chatcore.domain.messages.access import has_received, may_read
from chatcore.domain.messages.flags import Flag
from chatcore.domain.messages.messages import channel_message
from chatcore.domain.messages.viewer import Viewer
from chatcore.domain.roles import Role
from chatcore.events.audience import (
    Audience,
    ChannelViewers,
    Everyone,
    KnownMemberships,
    ReadersOf,
    ReadersOfMove,
    SubscribersOf,
    Users,
    channel_viewers,
    channels_of,
    hears,
    overhears,
    readers_of,
)

LUNCH, DINNER = ChannelId(RecipientId(3)), ChannelId(RecipientId(4))
NOBODY_IS_IN = KnownMemberships({})


def actor(user_id: int, role: Role = Role.MEMBER) -> Actor:
    return Actor(UserId(user_id), role, system_groups_of(role, full_member=True))


ADA, BEA, GUS, ADI = actor(1), actor(2), actor(3, Role.GUEST), actor(4, Role.ADMINISTRATOR)
MEMBERSHIPS = KnownMemberships(
    {LUNCH: {ADA.user_id: [Period(Position(5))], BEA.user_id: [Period(Position(5), Position(10))]}}
)


def hear(audience: Audience, who: Actor, at: int = 7) -> bool:
    return hears(audience, who, Position(at), MEMBERSHIPS)


def test_those_who_are_named_hear() -> None:
    assert hear(Users((ADA.user_id,)), ADA)
    assert not hear(Users((ADA.user_id,)), BEA)
    assert hear(Everyone(), GUS)
    assert [hear(Everyone(but_guests=True), who) for who in (ADA, GUS)] == [True, False]


@pytest.mark.parametrize("at", [4, 5, 9, 10, 99])
def test_subscribers_hear_what_is_sent_while_they_are_there(at: int) -> None:
    public = SubscribersOf(LUNCH, private=False)
    assert hear(public, ADA, at) is (at >= 5)
    assert hear(public, BEA, at) is (5 <= at < 10)
    assert not hear(public, ADI, at)


@pytest.mark.parametrize("at", [4, 5, 9, 10, 99])
def test_of_a_private_channel_nothing_is_heard_after_leaving(at: int) -> None:
    private = SubscribersOf(LUNCH, private=True)
    assert hear(private, ADA, at) is (at >= 5)
    assert not hear(private, BEA, at)


@pytest.mark.parametrize("shared", [True, False])
@pytest.mark.parametrize("private", [True, False])
def test_readers_of_a_message_are_subscribers_and_who_has_it(private: bool, shared: bool) -> None:
    def heard(arrived: int, at: int, **more: object) -> list[bool]:
        audience = ReadersOf(
            LUNCH,
            (arrived, arrived),
            private=private,
            shared_history=shared,
            **more,  # type: ignore[arg-type]
        )
        return [hear(audience, who, at) for who in (ADA, BEA, GUS, ADI)]

    assert heard(7, 8) == [True, not private, False, False]
    assert heard(7, 20) == [True, not private, False, False]
    assert heard(4, 8) == [shared, shared and not private, False, False]
    assert heard(4, 20) == [shared, False, False, False]
    everyone = tuple(who.user_id for who in (ADA, BEA, GUS, ADI))
    assert heard(4, 20, keepers=everyone) == [True, not private, False, not private]
    assert heard(4, 20, keepers=everyone, members=everyone) == [True, True, False, True]


@pytest.mark.parametrize(
    ("arrived", "heard"), [((1, 4), False), ((1, 5), True), ((9, 12), True), ((10, 12), False)]
)
def test_who_has_received_messages_hears_of_them_while_they_can_be_read(
    arrived: tuple[int, int], heard: bool
) -> None:
    public, private = (
        ReadersOf(LUNCH, arrived, private=private, shared_history=True) for private in (False, True)
    )
    assert hear(public, BEA, 20) is heard
    assert not hear(private, BEA, 20)
    guests = KnownMemberships({LUNCH: {GUS.user_id: [Period(Position(5), Position(10))]}})
    assert not hears(public, GUS, Position(20), guests)


@pytest.mark.parametrize("source", ["public", "private", "protected"])
@pytest.mark.parametrize("target", ["public", "private", "protected"])
def test_of_a_move_everybody_hears_in_one_way(source: str, target: str) -> None:
    """By who could read the messages before, and who can now; whom neither place concerns hears nothing."""
    kinds = {"public": (False, True), "private": (True, True), "protected": (True, False)}
    before, after = (
        ReadersOf(channel, (at, at), private=kinds[kind][0], shared_history=kinds[kind][1])
        for channel, at, kind in ((LUNCH, 7, source), (DINNER, 20, target))
    )
    always, late = [Period(Position(5))], [Period(Position(15))]
    people = {
        "both": (always, always),
        "source": (always, []),
        "target": ([], always),
        "source too late": (late, always),
        "neither": ([], []),
    }
    memberships = KnownMemberships(
        {
            channel: {UserId(n): periods[side] for n, periods in enumerate(people.values())}
            for side, channel in enumerate((LUNCH, DINNER))
        }
    )
    ways = {"stays": (True, True), "comes": (False, True), "goes": (True, False)}

    def heard(who: Actor) -> str:
        return " ".join(
            way
            for way, (could, can) in ways.items()
            if hears(ReadersOfMove(before, after, could=could, can=can), who, Position(21), memberships)
        )

    is_open = {kind: not private for kind, (private, _) in kinds.items()}
    assert {name: heard(actor(n)) for n, name in enumerate(people)} == {
        "both": "stays",
        "source": "stays" if is_open[target] else "goes",
        "target": "stays" if is_open[source] else "comes",
        "source too late": "comes" if source == "protected" else "stays",
        "neither": "",
    }
    assert [heard(actor(n, Role.GUEST)) for n in (1, 2)] == ["goes", "comes"]


def test_a_bot_that_was_called_hears() -> None:
    assert hear(SubscribersOf(LUNCH, private=True, also=(GUS.user_id,)), GUS)


def test_a_public_channel_can_be_overheard() -> None:
    public, private = (SubscribersOf(LUNCH, private=private) for private in (False, True))
    assert overhears(public, ADI, NOBODY_IS_IN)
    assert not overhears(public, GUS, NOBODY_IS_IN)
    assert not overhears(private, ADI, NOBODY_IS_IN)
    assert not overhears(Everyone(), ADI, NOBODY_IS_IN)


def test_what_was_said_before_a_channel_became_private_is_for_its_subscribers_now() -> None:
    periods = {ADA.user_id: [Period(Position(5))], BEA.user_id: [Period(Position(5), Position(10))]}
    closed = KnownMemberships({LUNCH: periods}, private={LUNCH})
    public = SubscribersOf(LUNCH, private=False, also=(BEA.user_id, GUS.user_id))
    assert [hears(public, who, Position(7), closed) for who in (ADA, BEA, GUS)] == [True, False, False]
    assert not overhears(public, ADI, closed)
    readers = ReadersOf(LUNCH, (7, 7), private=False, shared_history=True)
    assert [hears(readers, who, Position(8), closed) for who in (ADA, BEA)] == [True, False]
    elsewhere = ReadersOf(ChannelId(99), (8, 8), private=True, shared_history=True)
    left = ReadersOfMove(readers, elsewhere, could=True, can=False)
    assert [hears(left, who, Position(8), closed) for who in (ADA, BEA)] == [True, False]


def lunch(**fields: object) -> Channel:
    return Channel(id=LUNCH, name="lunch", date_created=0, **fields)  # type: ignore[arg-type]


def test_who_can_see_a_channel_hears_of_it() -> None:
    public = channel_viewers(lunch())
    assert [hear(public, who) for who in (ADA, BEA, GUS, ADI)] == [True, True, False, True]
    web = channel_viewers(lunch(is_web_public=True))
    assert hear(web, GUS)
    private = channel_viewers(lunch(invite_only=True))
    assert [hear(private, who) for who in (ADA, BEA, GUS, ADI)] == [True, True, False, True]
    assert [hear(private, who, 50) for who in (ADA, BEA, GUS, ADI)] == [True, False, False, True]


@pytest.mark.parametrize(
    "name", ["can_administer_channel_group", "can_add_subscribers_group", "can_subscribe_group"]
)
def test_groups_that_see_a_private_channel_hear_of_it_but_guests(name: str) -> None:
    everybody = GroupSetting.of(SystemGroup.EVERYONE, members=[GUS.user_id])
    private = channel_viewers(lunch(invite_only=True, permissions={name: everybody}))
    assert [hear(private, who, 50) for who in (BEA, GUS)] == [True, False]


def test_some_hear_of_it_in_another_way() -> None:
    assert not hear(channel_viewers(lunch(), without=[ADA.user_id, ADI.user_id]), ADA)
    assert not hear(channel_viewers(lunch(), without=[ADA.user_id, ADI.user_id]), ADI)
    assert isinstance(channel_viewers(lunch()), ChannelViewers)


def test_a_rule_says_which_memberships_it_needs() -> None:
    assert channels_of(SubscribersOf(LUNCH, private=True)) == (LUNCH,)
    assert channels_of(channel_viewers(lunch())) == (LUNCH,)
    assert channels_of(Everyone()) == ()
    one, other = (ReadersOf(one, (7, 7), private=True, shared_history=True) for one in (LUNCH, DINNER))
    assert channels_of(ReadersOfMove(one, other, could=True, can=True)) == (LUNCH, DINNER)
    assert NOBODY_IS_IN.periods(LUNCH, ADA.user_id) == ()


CLUB = GroupId(900)
KINDS: Sequence[Mapping[str, bool]] = (
    {},
    {"is_web_public": True},
    {"invite_only": True},
    {"invite_only": True, "history_public_to_subscribers": False},
)
STAYS: Sequence[Sequence[Period]] = (
    (),
    [Period(Position(5))],
    [Period(Position(10))],
    [Period(Position(5), Position(10))],
    [Period(Position(5), Position(10)), Period(Position(15))],
    [Period(Position(8), Position(10)), Period(Position(15))],
)
PERMITTED: Sequence[Mapping[str, GroupSetting]] = (
    {},
    *(
        {name: setting}
        for name in CHANNEL_PERMISSIONS
        for setting in (GroupSetting.of(CLUB), GroupSetting.of(members=[ADA.user_id]))
    ),
)


@pytest.mark.parametrize("role", Role)
def test_who_hears_of_a_channel_and_its_messages_is_who_sees_and_reads_them(role: Role) -> None:
    """The rules of `domain` say it of what is asked for, those of audiences of events: of all combinations
    of kinds of channels, permissions and memberships they say the same. At position 20, of a message at 7.
    """
    groups = system_groups_of(role, full_member=True) | {CLUB}
    who, at, message_id = Actor(ADA.user_id, role, groups), Position(20), MessageId(7)
    message = channel_message(
        id=message_id,
        channel_id=LUNCH,
        topic="soup",
        sender_id=BEA.user_id,
        content="",
        rendered_content="",
        timestamp=0,
    )
    for kind, permissions, periods, kept in product(KINDS, PERMITTED, STAYS, (False, True)):
        channel = lunch(permissions=permissions, **kind)
        subscribed = any(period.until is None for period in periods)
        mine = Subscription(channel_id=LUNCH, active=subscribed, periods=tuple(periods))
        memberships = KnownMemberships(
            {LUNCH: {who.user_id: periods}}, private={LUNCH} if channel.invite_only else ()
        )
        case = (kind, permissions, periods, kept)
        sees = has_metadata_access(channel, who, subscribed=subscribed)
        assert hears(channel_viewers(channel), who, at, memberships) is sees, case
        viewer = Viewer(
            actor=who,
            subscriptions={LUNCH: mine} if periods else {},
            flags={message_id: Flag.HISTORICAL} if kept else {},
        )
        # Of what happens to a message only those hear who have it, or the channel.
        reads = may_read(message, viewer, {LUNCH: channel}) and (subscribed or has_received(message, viewer))
        audience = readers_of(channel, [message.arrived], [who.user_id] if kept else [])
        assert hears(audience, who, at, memberships) is reads, case
