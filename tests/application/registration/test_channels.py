"""The initial state: channels."""

from collections.abc import Mapping
from random import Random
from typing import Any

import pytest

from chatcore.application.registration import channels
from chatcore.domain.channels.channels import Channel
from chatcore.domain.groups.permissions import GroupSetting
from chatcore.domain.groups.system import SystemGroup
from chatcore.events.payloads.channels import stored_fields
from chatcore.storage import Storage, Transaction
from chatcore.storage.conformance.makers import subscribe
from chatcore.storage.generations import Made
from tests.worlds.registering import NOW, VERSION_FIELDS, World


@pytest.fixture
def world(storage: Storage) -> World:
    return World(storage, enable_spectator_access=True)


LISTS_OF: Mapping[str | None, tuple[str, str, str]] = {
    # subscribed | left | never subscribed, with `archived_channels`
    "ada": ("lunch", "", "attic lab square vault"),
    "grace": ("attic lab lunch", "", "square"),
    "eve": ("", "lunch", "attic square"),
    "gil": ("lunch", "", "square"),
    None: ("", "", "square"),
}


@pytest.mark.shows("register.subscriptions")
@pytest.mark.parametrize("who", LISTS_OF)
def test_each_list_has_the_channels_one_may_know_of(world: World, who: str | None) -> None:
    state = world.state(who, ["subscription", "stream"], archived_channels=True)
    names = [
        " ".join(shape["name"] for shape in state[key])
        for key in ("subscriptions", "unsubscribed", "never_subscribed")
    ]
    assert tuple(names) == LISTS_OF[who]
    if who is None:
        assert "streams" not in state
    else:
        assert {shape["name"] for shape in state["streams"]} == set(" ".join(LISTS_OF[who]).split())


@pytest.mark.shows("register.without-archived-channels")
def test_archived_channels_are_left_out_for_clients_that_do_not_take_them(world: World) -> None:
    state = world.state("grace", ["subscription", "stream"])
    assert "attic" not in {
        shape["name"] for key in state if key not in VERSION_FIELDS for shape in state[key]
    }


def test_a_member_of_the_adding_group_may_know_of_a_private_channel(world: World) -> None:
    may_add = {"can_add_subscribers_group": GroupSetting.of(members=[world.id("eve"), world.id("gil")])}
    fields = {"name": "crypt", "date_created": NOW, "invite_only": True, "permissions": may_add}
    world.storage.write(lambda tx: tx.channels.add(fields))
    assert "crypt" in {shape["name"] for shape in world.state("eve")["never_subscribed"]}
    assert "crypt" not in {shape["name"] for shape in world.state("gil")["never_subscribed"]}


LIMITED = {"can_access_all_users_group": GroupSetting.of(SystemGroup.MEMBERS)}


def lists(world: World) -> list[dict[str, Any]]:
    """The channels of an owner, a member and a guest who knows few, for clients of two kinds."""
    return [
        world.state(who, ["stream", "subscription"], notification_settings_null=with_null)
        for who in ("ada", "grace", "gil")
        for with_null in (True, False)
    ]


def named_in(states: list[dict[str, Any]]) -> set[int]:
    """The people whom settings of channels name."""
    shapes = [shape for state in states for key in ("streams", "subscriptions") for shape in state[key]]
    settings = [value for shape in shapes for value in shape.values() if isinstance(value, dict)]
    return {user_id for setting in settings for user_id in setting["direct_members"]}


def test_what_is_remembered_of_channels_is_what_the_store_has(
    storage: Storage, monkeypatch: pytest.MonkeyPatch
) -> None:
    world = World(storage, permissions=LIMITED)
    chance = Random(7)
    for number in range(16):
        people = [world.id(name) for name in chance.sample(["ada", "mary", "grace", "eve", "ida"], 2)]
        change: Any = chance.choice(
            [
                {"name": f"number {number}"},
                {"subscriber_count": number},
                {"permissions": {"can_send_message_group": GroupSetting.of(members=people)}},
                {"permissions": {"can_send_message_group": GroupSetting.of(SystemGroup.MODERATORS)}},
                {"is_archived": chance.random() < 0.3},
            ]
        )
        someone, is_active = world.id(chance.choice(["mary", "eve"])), chance.random() < 0.5

        def write(tx: Transaction) -> None:
            tx.channels.update(world.channels[chance.choice(["lunch", "square", "lab"])].id, **change)  # noqa: B023
            tx.users.update(someone, is_active=is_active)  # noqa: B023

        world.storage.write(write)
        remembered = lists(world)
        with monkeypatch.context() as patch:
            patch.setattr(channels, "DESCRIBED", Made(0))
            assert remembered == lists(world)
        accounts = world.storage.read(lambda snapshot: snapshot.users.all())
        assert named_in(remembered).isdisjoint(user.id for user in accounts if not user.is_active)


def test_a_channel_that_has_not_changed_is_remembered_and_no_caller_changes_it(
    storage: Storage, monkeypatch: pytest.MonkeyPatch
) -> None:
    world = World(storage, permissions=LIMITED)
    made: list[Channel] = []

    def make(channel: Channel, **options: Any) -> dict[str, Any]:
        made.append(channel)
        return stored_fields(channel, **options)

    monkeypatch.setattr(channels, "stored_fields", make)
    monkeypatch.setattr(channels, "DESCRIBED", Made(2**20))
    setting = GroupSetting.of(members=[world.id("ada")])
    lunch = world.channels["lunch"].id
    world.storage.write(lambda tx: tx.channels.update(lunch, permissions={"can_send_message_group": setting}))
    expected = lists(world)
    made.clear()
    for shape in world.fetch("ada", ["stream"])["streams"]:
        if isinstance(shape.can_send_message_group, dict):
            shape.can_send_message_group["direct_members"].clear()
    assert (lists(world), made) == (expected, [])
    world.storage.write(lambda tx: tx.channels.update(lunch, subscriber_count=7))
    lists(world)
    assert [channel.id for channel in made] == [lunch]


@pytest.mark.shows("channel.subscribers")
def test_subscribers_are_listed_on_request_and_without_deactivated_people(world: World) -> None:
    lunch = sorted([world.id("ada"), world.id("grace"), world.id("gil")])
    (channel,) = world.state("ada", include_subscribers=True)["subscriptions"]
    assert channel["subscribers"] == lunch
    lab = next(
        c for c in world.state("ada", include_subscribers=True)["never_subscribed"] if c["name"] == "lab"
    )
    assert lab["subscribers"] == [world.id("grace")]
    assert "subscribers" not in world.state("ada")["subscriptions"][0]


def test_a_partial_list_of_a_large_channel_has_only_oneself(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("chatcore.events.payloads.channels.LARGE_CHANNEL", 3)
    channels = world.state("grace", ["subscription"], include_subscribers="partial")
    lab, lunch = channels["subscriptions"]
    assert lab["subscribers"] == [world.id("grace")]
    assert "partial_subscribers" not in lab
    assert lunch["partial_subscribers"] == [world.id("grace")]
    assert "subscribers" not in lunch


def test_a_limited_guest_does_not_learn_that_a_channel_is_large(
    storage: Storage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("chatcore.events.payloads.channels.LARGE_CHANNEL", 2)
    world = World(storage, permissions=LIMITED)
    square = world.channels["square"].id
    world.storage.write(lambda tx: subscribe(tx, square, world.id("grace"), world.id("eve")))
    squares = {}
    for who in ("ada", "gil"):
        state = world.state(who, ["subscription"], include_subscribers="partial")
        (squares[who],) = (shape for shape in state["never_subscribed"] if shape["name"] == "square")
    assert (squares["ada"]["subscriber_count"], squares["ada"]["partial_subscribers"]) == (2, [])
    assert (squares["gil"]["subscriber_count"], squares["gil"]["subscribers"]) == (0, [])
    assert "partial_subscribers" not in squares["gil"]


@pytest.mark.shows("register.null-notifications")
def test_null_notification_settings_are_filled_in_for_older_clients(world: World) -> None:
    world.storage.write(
        lambda tx: tx.users.update(world.id("ada"), settings={"enable_stream_push_notifications": True})
    )
    newer = world.state("ada", notification_settings_null=True)["subscriptions"][0]
    older = world.state("ada")["subscriptions"][0]
    assert newer["push_notifications"] is None
    assert older["push_notifications"] is True
    assert older["email_notifications"] is False
    assert "wildcard_mentions_notify" in newer
    assert "wildcard_mentions_notify" not in older
