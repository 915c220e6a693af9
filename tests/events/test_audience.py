"""Who hears of an event."""

import pytest

from chatcore.domain.channels import Channel, Period
from chatcore.domain.groups import Actor, GroupSetting, SystemGroup, system_groups_of
from chatcore.domain.ids import ChannelId, Position, RecipientId, UserId
from chatcore.domain.roles import Role
from chatcore.events.audience import (
    Audience,
    ChannelViewers,
    Everyone,
    KnownMemberships,
    ReadersOf,
    SubscribersOf,
    Users,
    channel_of,
    channel_viewers,
    hears,
    overhears,
)

LUNCH = ChannelId(RecipientId(3))
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
            arrived,
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


def test_some_of_the_subscribers_hear_of_what_the_others_may_not_see() -> None:
    some = SubscribersOf(LUNCH, private=True, only=(BEA.user_id,), also=(GUS.user_id,))
    assert [hear(some, who) for who in (ADA, BEA, GUS)] == [False, False, True]
    assert hear(SubscribersOf(LUNCH, private=True, only=(ADA.user_id,)), ADA)


@pytest.mark.parametrize(
    ("received", "heard"), [((1, 4), False), ((1, 5), True), ((9, 12), True), ((10, 12), False)]
)
def test_who_has_received_a_message_hears_of_it_while_it_can_be_read(
    received: tuple[int, int], heard: bool
) -> None:
    assert hear(SubscribersOf(LUNCH, private=False, received=received), BEA, 20) is heard
    assert not hear(SubscribersOf(LUNCH, private=True, received=received), BEA, 20)
    guests = KnownMemberships({LUNCH: {GUS.user_id: [Period(Position(5), Position(10))]}})
    assert not hears(SubscribersOf(LUNCH, private=False, received=received), GUS, Position(20), guests)


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
    readers = ReadersOf(LUNCH, 7, private=False, shared_history=True)
    assert [hears(readers, who, Position(8), closed) for who in (ADA, BEA)] == [True, False]


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
    assert channel_of(SubscribersOf(LUNCH, private=True)) == LUNCH
    assert channel_of(channel_viewers(lunch())) == LUNCH
    assert channel_of(Everyone()) is None
    assert NOBODY_IS_IN.periods(LUNCH, ADA.user_id) == ()
