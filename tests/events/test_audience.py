"""The users who are notified of an event."""

from collections.abc import Mapping, Sequence
from itertools import product

import pytest

from chatcore.domain.channels.channels import Channel, Period, Subscription, has_metadata_access
from chatcore.domain.groups.actors import Actor
from chatcore.domain.groups.permissions import CHANNEL_PERMISSIONS, GroupSetting
from chatcore.domain.groups.system import SystemGroup, system_groups_of
from chatcore.domain.ids import ChannelId, GroupId, MessageId, Position, RecipientId, UserId
from chatcore.domain.messages.access import is_in_history, may_read
from chatcore.domain.messages.flags import Flag
from chatcore.domain.messages.messages import channel_message
from chatcore.domain.messages.viewer import Viewer
from chatcore.domain.roles import Role
from chatcore.events.audience import (
    Audience,
    ChannelViewers,
    Everyone,
    KnownChannelFacts,
    ReadersOf,
    ReadersOfMove,
    SubscribersOf,
    Users,
    channel_viewers,
    channels_of,
    is_notified,
    reaches_public_queues,
    readers_of,
)

LUNCH, DINNER = ChannelId(RecipientId(3)), ChannelId(RecipientId(4))
NOBODY_IS_IN = KnownChannelFacts({})


def actor(user_id: int, role: Role = Role.MEMBER) -> Actor:
    return Actor(UserId(user_id), role, system_groups_of(role, full_member=True))


ADA, BEA, GUS, ADI = actor(1), actor(2), actor(3, Role.GUEST), actor(4, Role.ADMINISTRATOR)
CEM = actor(5)
IN_LUNCH = {ADA.user_id: [Period(Position(5))], BEA.user_id: [Period(Position(5), Position(10))]}
MEMBERSHIPS = KnownChannelFacts({LUNCH: IN_LUNCH})


def in_audience(audience: Audience, who: Actor, at: int = 7, facts: KnownChannelFacts = MEMBERSHIPS) -> bool:
    return is_notified(audience, who, Position(at), facts)


def test_named_users_are_notified() -> None:
    assert in_audience(Users((ADA.user_id,)), ADA)
    assert not in_audience(Users((ADA.user_id,)), BEA)
    assert in_audience(Everyone(), GUS)
    assert [in_audience(Everyone(but_guests=True), who) for who in (ADA, GUS)] == [True, False]


@pytest.mark.parametrize("at", [4, 5, 9, 10, 99])
def test_subscribers_receive_messages_sent_while_they_are_subscribed(at: int) -> None:
    public = SubscribersOf(LUNCH, private=False)
    assert in_audience(public, ADA, at) is (at >= 5)
    assert in_audience(public, BEA, at) is (5 <= at < 10)
    assert not in_audience(public, ADI, at)


@pytest.mark.parametrize("at", [4, 5, 9, 10, 99])
def test_former_subscribers_of_a_private_channel_are_not_notified(at: int) -> None:
    private = SubscribersOf(LUNCH, private=True)
    assert in_audience(private, ADA, at) is (at >= 5)
    assert not in_audience(private, BEA, at)


@pytest.mark.parametrize("shared", [True, False])
@pytest.mark.parametrize("private", [True, False])
def test_readers_of_a_message_are_subscribers_and_who_has_it(private: bool, shared: bool) -> None:
    def received(arrived: int, at: int, facts: KnownChannelFacts = MEMBERSHIPS, **more: object) -> list[bool]:
        audience = ReadersOf(
            LUNCH,
            (arrived, arrived),
            private=private,
            shared_history=shared,
            **more,  # type: ignore[arg-type]
        )
        return [in_audience(audience, who, at, facts) for who in (ADA, BEA, GUS, ADI)]

    assert received(7, 8) == [True, not private, False, False]
    assert received(7, 20) == [True, not private, False, False]
    assert received(4, 8) == [shared, shared and not private, False, False]
    assert received(4, 20) == [shared, False, False, False]
    everyone = tuple(who.user_id for who in (ADA, BEA, GUS, ADI))
    assert received(4, 20, keepers=everyone) == [True, not private, False, not private]
    permissions = {"can_subscribe_group": GroupSetting.of(members=everyone)}
    permitted = KnownChannelFacts({LUNCH: IN_LUNCH}, [lunch(invite_only=private, permissions=permissions)])
    still = received(4, 20, permitted, keepers=everyone, members=everyone)
    no_more = received(4, 20, keepers=everyone, members=everyone)
    assert (still, no_more) == ([True, True, False, True], [True, not private, False, not private])


@pytest.mark.parametrize(
    ("arrived", "received"), [((1, 4), False), ((1, 5), True), ((9, 12), True), ((10, 12), False)]
)
def test_receivers_are_notified_of_messages_while_they_can_read_them(
    arrived: tuple[int, int], received: bool
) -> None:
    public, private = (
        ReadersOf(LUNCH, arrived, private=private, shared_history=True) for private in (False, True)
    )
    assert in_audience(public, BEA, 20) is received
    assert not in_audience(private, BEA, 20)
    guests = KnownChannelFacts({LUNCH: {GUS.user_id: [Period(Position(5), Position(10))]}})
    assert not is_notified(public, GUS, Position(20), guests)


@pytest.mark.parametrize("source", ["public", "private", "protected"])
@pytest.mark.parametrize("target", ["public", "private", "protected"])
def test_each_user_receives_a_move_in_one_form(source: str, target: str) -> None:
    """Readers of both places get a move, readers of one get what they can read; all others get nothing."""
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
    facts = KnownChannelFacts(
        {
            channel: {UserId(n): periods[side] for n, periods in enumerate(people.values())}
            for side, channel in enumerate((LUNCH, DINNER))
        }
    )
    ways = {"stays": (True, True), "comes": (False, True), "goes": (True, False)}

    def received(who: Actor) -> str:
        return " ".join(
            way
            for way, (could, can) in ways.items()
            if is_notified(ReadersOfMove(before, after, could=could, can=can), who, Position(21), facts)
        )

    is_open = {kind: not private for kind, (private, _) in kinds.items()}
    assert {name: received(actor(n)) for n, name in enumerate(people)} == {
        "both": "stays",
        "source": "stays" if is_open[target] else "goes",
        "target": "stays" if is_open[source] else "comes",
        "source too late": "comes" if source == "protected" else "stays",
        "neither": "",
    }
    assert [received(actor(n, Role.GUEST)) for n in (1, 2)] == ["goes", "comes"]


def test_a_bot_that_was_called_is_notified() -> None:
    assert in_audience(SubscribersOf(LUNCH, private=True, also=(GUS.user_id,)), GUS)


def test_a_public_channel_can_be_overheard() -> None:
    public, private = (SubscribersOf(LUNCH, private=private) for private in (False, True))
    assert reaches_public_queues(public, ADI, NOBODY_IS_IN)
    assert not reaches_public_queues(public, GUS, NOBODY_IS_IN)
    assert not reaches_public_queues(private, ADI, NOBODY_IS_IN)
    assert not reaches_public_queues(Everyone(), ADI, NOBODY_IS_IN)


def test_messages_from_before_a_channel_became_private_are_for_its_present_subscribers() -> None:
    periods = {ADA.user_id: [Period(Position(5))], BEA.user_id: [Period(Position(5), Position(10))]}
    closed = KnownChannelFacts({LUNCH: periods}, [lunch(invite_only=True)], knows_viewers=False)
    public = SubscribersOf(LUNCH, private=False, also=(BEA.user_id, GUS.user_id))
    assert [is_notified(public, who, Position(7), closed) for who in (ADA, BEA, GUS)] == [True, False, False]
    assert not reaches_public_queues(public, ADI, closed)
    readers = ReadersOf(LUNCH, (7, 7), private=False, shared_history=True)
    assert [is_notified(readers, who, Position(8), closed) for who in (ADA, BEA)] == [True, False]
    elsewhere = ReadersOf(ChannelId(99), (8, 8), private=True, shared_history=True)
    left = ReadersOfMove(readers, elsewhere, could=True, can=False)
    assert [is_notified(left, who, Position(8), closed) for who in (ADA, BEA)] == [True, False]


def test_who_was_called_is_notified_of_a_channel_that_became_private_while_they_may_read_it() -> None:
    called = SubscribersOf(LUNCH, private=False, also=(CEM.user_id,))
    only_cem = {"can_subscribe_group": GroupSetting.of(members=[CEM.user_id])}
    channels = (lunch(), lunch(invite_only=True), lunch(invite_only=True, permissions=only_cem))
    facts = [KnownChannelFacts({}, [channel]) for channel in channels]
    assert [is_notified(called, CEM, Position(7), known) for known in facts] == [True, False, True]


def lunch(**fields: object) -> Channel:
    return Channel(id=LUNCH, name="lunch", date_created=0, **fields)  # type: ignore[arg-type]


def test_users_to_whom_a_channel_is_visible_are_notified() -> None:
    public = channel_viewers(lunch())
    assert [in_audience(public, who) for who in (ADA, BEA, GUS, ADI)] == [True, True, False, True]
    web = channel_viewers(lunch(is_web_public=True))
    assert in_audience(web, GUS)
    private = channel_viewers(lunch(invite_only=True))
    assert [in_audience(private, who) for who in (ADA, BEA, GUS, ADI)] == [True, True, False, True]
    assert [in_audience(private, who, 50) for who in (ADA, BEA, GUS, ADI)] == [True, False, False, True]


@pytest.mark.parametrize(
    "name", ["can_administer_channel_group", "can_add_subscribers_group", "can_subscribe_group"]
)
def test_groups_with_access_to_a_private_channel_are_notified_except_guests(name: str) -> None:
    everybody = GroupSetting.of(SystemGroup.EVERYONE, members=[GUS.user_id])
    private = channel_viewers(lunch(invite_only=True, permissions={name: everybody}))
    assert [in_audience(private, who, 50) for who in (BEA, GUS)] == [True, False]


def test_some_users_receive_it_in_another_form() -> None:
    assert not in_audience(channel_viewers(lunch(), without=[ADA.user_id, ADI.user_id]), ADA)
    assert not in_audience(channel_viewers(lunch(), without=[ADA.user_id, ADI.user_id]), ADI)
    assert isinstance(channel_viewers(lunch()), ChannelViewers)


def test_a_rule_says_of_which_channels_it_needs_facts() -> None:
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


MESSAGE = channel_message(
    id=MessageId(7),
    channel_id=LUNCH,
    topic="soup",
    sender_id=BEA.user_id,
    content="",
    rendered_content="",
    timestamp=0,
)


@pytest.mark.parametrize("role", Role)
def test_audiences_of_channels_agree_with_the_access_rules(role: Role) -> None:
    """Audiences agree with the access rules of `domain`.

    All combinations of kinds of channels, permissions and memberships are compared, at position 20, for a
    message at 7.
    """
    groups = system_groups_of(role, full_member=True) | {CLUB}
    who, at = Actor(ADA.user_id, role, groups), Position(20)
    for kind, permissions, periods, kept in product(KINDS, PERMITTED, STAYS, (False, True)):
        channel = lunch(permissions=permissions, **kind)
        subscribed = any(period.until is None for period in periods)
        mine = Subscription(channel_id=LUNCH, active=subscribed, periods=tuple(periods))
        facts = KnownChannelFacts({LUNCH: {who.user_id: periods}}, [channel], knows_viewers=False)
        case = (kind, permissions, periods, kept)
        sees = has_metadata_access(channel, who, subscribed=subscribed)
        assert is_notified(channel_viewers(channel), who, at, facts) is sees, case
        viewer = Viewer(
            actor=who,
            subscriptions={LUNCH: mine} if periods else {},
            flags={MESSAGE.id: Flag.HISTORICAL} if kept else {},
        )
        # Only users who have the message, or read the channel, are notified of changes to the message.
        reads = may_read(MESSAGE, viewer, {LUNCH: channel}) and (subscribed or is_in_history(MESSAGE, viewer))
        audience = readers_of(channel, [MESSAGE.arrived], [who.user_id] if kept else [])
        assert is_notified(audience, who, at, facts) is reads, case


@pytest.mark.parametrize("role", Role)
@pytest.mark.parametrize("now", range(len(KINDS)))
def test_changes_are_for_who_could_read_the_message_and_may_still_read_it(role: Role, now: int) -> None:
    """The message and its change are from before the channel became what it is."""
    groups = system_groups_of(role, full_member=True) | {CLUB}
    who, at = Actor(ADA.user_id, role, groups), Position(20)
    for kind, permissions, periods, kept in product(KINDS, PERMITTED, STAYS, ("", "then", "listed now")):
        before, after = (lunch(permissions=permissions, **fields) for fields in (kind, KINDS[now]))
        subscribed = any(period.until is None for period in periods)
        mine = Subscription(channel_id=LUNCH, active=subscribed, periods=tuple(periods))
        viewer = Viewer(
            actor=who,
            subscriptions={LUNCH: mine} if periods else {},
            flags={MESSAGE.id: Flag.HISTORICAL} if kept else {},
        )
        # Subscribers are not named among the keepers of a history that was shared.
        named = kept == "then" or (kept and not (subscribed and before.history_public_to_subscribers))
        facts = KnownChannelFacts(
            {LUNCH: {who.user_id: periods}},
            [after],
            keepers={(LUNCH, at): [who.user_id]} if kept == "listed now" else None,
            knows_viewers=False,
        )
        audience = readers_of(before, [MESSAGE.arrived], [who.user_id] if named else [])
        reads = [may_read(MESSAGE, viewer, {LUNCH: channel}) for channel in (before, after)]
        concerned = subscribed or is_in_history(MESSAGE, viewer)
        assert is_notified(audience, who, at, facts) is (all(reads) and concerned), (kind, periods, kept)
