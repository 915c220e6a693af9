"""`chatcore.storage.channels.subscriptions`."""

from chatcore.domain.channels.channels import COLORS, Period
from chatcore.domain.ids import ChannelId, Position, UserId
from chatcore.events.audience import ChannelViewers, Everyone, ReadersOf, SubscribersOf
from chatcore.storage.channels.subscriptions import Start
from chatcore.storage.conformance.makers import (
    NOW,
    a_town,
    add_channel,
    an_event,
    send,
    subscribe,
    unsubscribe,
)
from chatcore.storage.transaction import Storage, Transaction


def test_a_subscription_is_open_from_its_start(storage: Storage) -> None:
    town = a_town(storage)
    at = storage.write(lambda tx: subscribe(tx, town.office, town.cem))
    subscriptions = storage.read(lambda snapshot: snapshot.subscriptions.of_user(town.cem))
    assert list(subscriptions) == [town.office]
    assert subscriptions[town.office].active
    assert subscriptions[town.office].periods == (Period(at),)
    assert (
        storage.read(lambda snapshot: snapshot.subscriptions.find(town.cem, town.office))
        == subscriptions[town.office]
    )
    assert storage.read(lambda snapshot: snapshot.subscriptions.find(town.cem, town.plaza)) is None


def test_leaving_closes_the_period_and_coming_back_opens_another(storage: Storage) -> None:
    town = a_town(storage)

    def write(tx: Transaction) -> list[Position]:
        start = subscribe(tx, town.office, town.cem)
        left = unsubscribe(tx, town.office, town.cem)
        send(tx, town.ada, town.office)
        return [start, left, subscribe(tx, town.office, town.cem)]

    start, left, back = storage.write(write)
    subscription = storage.read(lambda snapshot: snapshot.subscriptions.find(town.cem, town.office))
    assert subscription is not None
    assert subscription.active
    assert subscription.periods == (Period(start, left), Period(back))
    periods = storage.read(lambda snapshot: snapshot.subscriptions.periods(town.office, [town.cem, town.ada]))
    assert {user_id: tuple(theirs) for user_id, theirs in periods.items()} == {town.cem: subscription.periods}


def test_leaving_again_leaves_the_first_time_as_it_was(storage: Storage) -> None:
    """Otherwise messages sent in between would count as received."""
    town = a_town(storage)

    def write(tx: Transaction) -> list[Position]:
        come_and_go = (subscribe, unsubscribe) * 2
        return [(act(tx, town.office, town.cem), send(tx, town.ada, town.office))[0] for act in come_and_go]

    came, left, back, gone = storage.write(write)
    subscription = storage.read(lambda snapshot: snapshot.subscriptions.find(town.cem, town.office))
    assert subscription is not None
    assert subscription.periods == (Period(came, left), Period(back, gone))


def test_joining_and_leaving_are_recorded(storage: Storage) -> None:
    town = a_town(storage)

    def write(tx: Transaction) -> list[Position]:
        return [
            subscribe(tx, town.office, town.cem),
            subscribe(tx, town.plaza, town.cem),
            subscribe(tx, town.office, town.ben),
            unsubscribe(tx, town.office, town.cem),
            Position(send(tx, town.ben, town.office).id),
            subscribe(tx, town.office, town.cem),
        ]

    first, _, second, third, _, fourth = storage.write(write)

    def membership_changes(after: int, to: int) -> list[Position]:
        return list(
            storage.read(lambda snapshot: snapshot.subscriptions.membership_changes(town.office, after, to))
        )

    assert membership_changes(0, fourth) == [first, second, third, fourth]
    assert membership_changes(first, third) == [second, third]
    assert membership_changes(first, second - 1) == []


def test_rejoining_before_any_event_continues_the_old_period(storage: Storage) -> None:
    town = a_town(storage)

    def periods(user_id: UserId) -> list[Period]:
        of_channel = storage.read(lambda snapshot: snapshot.subscriptions.periods(town.plaza, [user_id]))
        return list(of_channel[user_id])

    def come(user_id: UserId) -> list[tuple[UserId, ChannelId]]:
        start = Start(user_id, town.plaza, COLORS[0], storage.write(lambda tx: tx.draw()))
        return list(storage.write(lambda tx: tx.subscriptions.start([start])))

    def leave(user_id: UserId) -> Position:
        return storage.write(lambda tx: unsubscribe(tx, town.plaza, user_id))

    (first,) = periods(town.ada)
    for _ in range(3):
        leave(town.ada)
        storage.write(lambda tx: send(tx, town.ben, town.office))
        storage.write(lambda tx: tx.announce(an_event("elsewhere"), Everyone()))
        assert come(town.ada) == []
    assert periods(town.ada) == [first]
    assert come(town.cem) == [(town.cem, town.plaza)]

    for happens in (
        lambda tx: send(tx, town.ben, town.plaza),
        lambda tx: tx.announce(an_event("typing"), SubscribersOf(town.plaza, private=False)),
        lambda tx: tx.announce(an_event("renamed"), ChannelViewers(town.plaza, private=False)),
        lambda tx: tx.announce(
            an_event("edited"), ReadersOf(town.plaza, (1, 2), private=False, shared_history=True)
        ),
    ):
        end, before = leave(town.ada), periods(town.ada)
        storage.write(happens)
        assert come(town.ada) == [(town.ada, town.plaza)]
        *past, now = periods(town.ada)
        assert past == before
        assert past[-1].until == end < now.start
        assert now.until is None
    assert storage.read(lambda s: s.subscriptions.count_returns([town.ada, town.ben])) == {
        town.ada: 4,
        town.ben: 0,
    }


def test_former_subscribers_keep_the_subscription_as_inactive(storage: Storage) -> None:
    town = a_town(storage)
    storage.write(lambda tx: unsubscribe(tx, town.plaza, town.ada))
    subscriptions = storage.read(lambda snapshot: snapshot.subscriptions.of_user(town.ada))
    assert not subscriptions[town.plaza].active
    assert storage.read(lambda snapshot: snapshot.subscriptions.subscribers(town.plaza)) == [town.ben]


def test_coming_back_keeps_the_colour(storage: Storage) -> None:
    town = a_town(storage)

    def write(tx: Transaction) -> None:
        first, second, third = tx.draw(), tx.draw(), tx.draw()
        tx.subscriptions.start([Start(town.cem, town.office, COLORS[5], first)])
        tx.subscriptions.end({town.office: [town.cem]}, second)
        tx.subscriptions.start([Start(town.cem, town.office, COLORS[6], third)])

    storage.write(write)
    subscription = storage.read(lambda snapshot: snapshot.subscriptions.find(town.cem, town.office))
    assert subscription is not None
    assert subscription.color == COLORS[5]


def test_leaving_what_one_is_not_in_changes_nothing(storage: Storage) -> None:
    town = a_town(storage)
    storage.write(lambda tx: unsubscribe(tx, town.plaza, town.cem))
    plaza = storage.read(lambda snapshot: snapshot.channels.find(town.plaza))
    assert plaza is not None
    assert plaza.subscriber_count == 2
    assert storage.read(lambda snapshot: snapshot.subscriptions.of_user(town.cem)) == {}


def test_subscribers_are_counted_and_listed(storage: Storage) -> None:
    town = a_town(storage)

    def write(tx: Transaction) -> None:
        subscribe(tx, town.plaza, town.cem)
        unsubscribe(tx, town.plaza, town.ada)

    storage.write(write)
    plaza = storage.read(lambda snapshot: snapshot.channels.find(town.plaza))
    assert plaza is not None
    assert plaza.subscriber_count == 2
    read = storage.read(lambda snapshot: snapshot.subscriptions.subscribers_of([town.plaza, town.office]))
    assert {channel_id: list(users) for channel_id, users in read.items()} == {
        town.plaza: [town.ben, town.cem],
        town.office: [],
    }
    people = [town.ada, town.ben, UserId(10**9)]
    among = storage.read(lambda snapshot: snapshot.subscriptions.subscribed_among(town.plaza, people))
    assert among == {town.ben}


def test_subscribers_are_found_who_have_set_something(storage: Storage) -> None:
    town = a_town(storage)

    def write(tx: Transaction) -> None:
        tx.users.update(town.ada, settings={"color_scheme": 1, "timezone": "color"})
        tx.users.update(town.cem, settings={"color": 1})

    storage.write(write)
    for setting, expected in (("color_scheme", [town.ada]), ("color", []), ("timezone", [town.ada])):
        subscriptions = storage.read(
            lambda snapshot, setting=setting: snapshot.subscriptions.having_set(town.plaza, setting)  # type: ignore[misc]
        )
        assert list(subscriptions) == expected
    storage.write(lambda tx: unsubscribe(tx, town.plaza, town.ada))
    assert storage.read(lambda snapshot: snapshot.subscriptions.having_set(town.plaza, "color_scheme")) == []


def test_a_deactivated_account_is_no_subscriber(storage: Storage) -> None:
    town = a_town(storage)

    def write(tx: Transaction) -> None:
        tx.users.update(town.ada, is_active=False)
        tx.subscriptions.count_anew([town.plaza, town.office])

    storage.write(write)
    assert storage.read(lambda snapshot: snapshot.subscriptions.subscribers(town.plaza)) == [town.ben]
    channels = storage.read(lambda snapshot: snapshot.channels.by_ids([town.plaza, town.office]))
    assert {channel.subscriber_count for channel in channels.values()} == {1, 0}


def test_settings_of_several_users_for_channels_are_found(storage: Storage) -> None:
    town = a_town(storage)
    storage.write(lambda tx: unsubscribe(tx, town.plaza, town.ben))
    channel_ids, people = [town.plaza, town.office], [town.ada, town.ben, town.cem]
    subscriptions = storage.read(lambda snapshot: snapshot.subscriptions.among(channel_ids, people))
    assert {user_id: subscription.active for user_id, subscription in subscriptions[town.plaza].items()} == {
        town.ada: True,
        town.ben: False,
    }
    assert subscriptions[town.office] == {}


def test_many_subscriptions_start_and_end_at_once(storage: Storage) -> None:
    """Each user is subscribed to the requested channels only."""
    town = a_town(storage)

    def write(tx: Transaction) -> None:
        garden, yard = tx.channels.add_many(
            [{"name": name, "date_created": NOW} for name in ("garden", "yard")]
        )
        assert garden.id < yard.id
        at = tx.draw()
        tx.subscriptions.start(
            [
                Start(town.ada, garden.id, COLORS[2], at),
                Start(town.ben, garden.id, COLORS[3], at),
                Start(town.ben, yard.id, COLORS[4], at),
            ]
        )
        later = tx.draw()
        tx.subscriptions.end({garden.id: [town.ada, town.cem], yard.id: [town.ben], town.plaza: []}, later)
        subscriptions = {who: tx.subscriptions.of_user(who) for who in (town.ada, town.ben, town.cem)}
        assert {
            (who, channel_id): (subscription.active, subscription.color, subscription.periods)
            for who, theirs in subscriptions.items()
            for channel_id, subscription in theirs.items()
            if channel_id != town.plaza
        } == {
            (town.ada, garden.id): (False, COLORS[2], (Period(at, later),)),
            (town.ben, garden.id): (True, COLORS[3], (Period(at, None),)),
            (town.ben, yard.id): (False, COLORS[4], (Period(at, later),)),
        }
        counts = [
            subscription.subscriber_count
            for subscription in tx.channels.by_ids([garden.id, yard.id]).values()
        ]
        assert sorted(counts) == [0, 1]

    storage.write(write)


def test_the_colours_of_active_subscriptions(storage: Storage) -> None:
    town = a_town(storage)

    def write(tx: Transaction) -> None:
        at = tx.draw()
        garden = add_channel(tx, "garden").id
        tx.subscriptions.start(
            [
                Start(town.ada, town.office, COLORS[3], at),
                Start(town.ben, town.office, COLORS[4], at),
                Start(town.ada, garden, COLORS[7], at),
            ]
        )
        unsubscribe(tx, garden, town.ada)

    storage.write(write)
    colors = storage.read(lambda snapshot: snapshot.subscriptions.colors([town.ada, town.ben]))
    assert sorted(colors[town.ada]) == sorted([COLORS[0], COLORS[3]])
    assert sorted(colors[town.ben]) == sorted([COLORS[0], COLORS[4]])
