"""The initial state: channels."""

from collections.abc import Mapping

import pytest

from chatcore.domain.groups.permissions import GroupSetting
from chatcore.storage import Storage
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
