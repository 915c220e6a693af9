"""Subscribing: who may create channels and add users, the events, and that a request is done as a whole."""

from dataclasses import replace
from typing import Any

import pytest

from chatcore.application.channels import subscribing
from chatcore.application.channels.creation import Creation
from chatcore.application.channels.subscription_plans import Subscribe, WantedChannel
from chatcore.domain.errors import BadRequest
from chatcore.domain.groups.permissions import CHANNEL_PERMISSIONS, GroupSetting
from chatcore.domain.groups.system import SystemGroup
from chatcore.domain.ids import UserId
from chatcore.domain.limits import Limits
from tests.worlds.organization import MakeWorld, Someone, World

NOBODY = GroupSetting.of(SystemGroup.NOBODY)
MEMBERS = GroupSetting.of(SystemGroup.MEMBERS)
EVERYONE = GroupSetting.of(SystemGroup.EVERYONE)


def make(who: Someone, name: str = "garden", **creation: Any) -> None:
    cmd = Subscribe(channels=[WantedChannel(name)], creation=Creation(**creation))
    subscribing.subscribe(who.world.svc, who.actor, cmd)


def may_make(who: Someone, **creation: Any) -> bool:
    try:
        make(who, f"garden {who.world.count('channel')}", **creation)
    except BadRequest:
        return False
    return True


# -- permission to create channels ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("setting", "creation"),
    [
        ("can_create_public_channel_group", {}),
        ("can_create_private_channel_group", {"invite_only": True}),
    ],
)
def test_each_kind_of_channel_has_a_permission_of_its_own(
    world: World, ada: Someone, setting: str, creation: dict[str, bool]
) -> None:
    assert may_make(ada, **creation)
    world.change_organization(permissions={setting: GroupSetting.of(SystemGroup.ADMINISTRATORS)})
    assert not may_make(ada, **creation)
    assert may_make(ada, invite_only=not creation)
    assert may_make(world["adi"], **creation)


def test_web_public_channels_need_an_open_organization(world: World, olga: Someone) -> None:
    assert not may_make(olga, is_web_public=True)
    world.open_to_the_web()
    assert may_make(olga, is_web_public=True)
    assert not may_make(world["adi"], is_web_public=True)


def test_default_channels_and_retention_are_for_those_above(
    world: World, ada: Someone, olga: Someone
) -> None:
    adi = world["adi"]
    assert not may_make(ada, is_default_stream=True)
    assert may_make(adi, is_default_stream=True)
    assert not may_make(adi, is_default_stream=True, invite_only=True)
    assert not may_make(adi, message_retention_days=30)
    assert may_make(olga, message_retention_days=30)


def test_permission_to_delete_and_policies_for_topics_depend_on_roles(world: World, ada: Someone) -> None:
    mona = world["mona"]
    for name in ("can_delete_any_message_group", "can_delete_own_message_group"):
        assert not may_make(ada, permissions={name: MEMBERS})
        assert may_make(ada, permissions={name: NOBODY})
        assert may_make(mona, permissions={name: MEMBERS})
    assert may_make(ada, topics_policy="disable_empty_topic")
    world.change_organization(permissions={"can_set_topics_policy_group": NOBODY})
    assert not may_make(ada, topics_policy="disable_empty_topic")
    assert may_make(ada, topics_policy="inherit")


@pytest.mark.parametrize("days", [0, -2, "soon", "-1", 1.5])
def test_an_invalid_retention_is_refused(olga: Someone, days: object) -> None:
    olga.refused(
        "POST", "/users/me/subscriptions",
        subscriptions=[{"name": "garden"}], message_retention_days=days,
    )  # fmt: skip


@pytest.mark.shows("channel.retention")
@pytest.mark.parametrize(("given", "stored"), [(30, 30), ("unlimited", -1), ("realm_default", None)])
def test_a_retention_is_kept(olga: Someone, given: object, stored: int | None) -> None:
    olga.joins("garden", message_retention_days=given)
    (garden,) = [one for one in olga.get("/streams")["streams"] if one["name"] == "garden"]
    assert garden["message_retention_days"] == stored


@pytest.mark.shows("channel.permissions")
@pytest.mark.parametrize("name", sorted(CHANNEL_PERMISSIONS))
def test_a_permission_takes_a_group_or_people(world: World, olga: Someone, name: str) -> None:
    ada = world["ada"].id
    for number, (given, shown) in enumerate(
        [
            (3, 3),
            ({"direct_members": [], "direct_subgroups": [3]}, 3),
            ({"direct_members": [], "direct_subgroups": []}, 1),
            (
                {"direct_members": [ada], "direct_subgroups": [4, 3]},
                {"direct_members": [ada], "direct_subgroups": [3, 4]},
            ),
        ]
    ):
        olga.joins(f"garden {number}", **{name: given})
        (garden,) = [one for one in olga.get("/streams")["streams"] if one["name"] == f"garden {number}"]
        assert garden[name] == shown


@pytest.mark.parametrize(
    "value",
    [
        8,
        99,
        {"direct_members": [99_999], "direct_subgroups": []},
        {"direct_members": [], "direct_subgroups": [99]},
        {"direct_members": ["BEA"], "direct_subgroups": []},
    ],
)
def test_a_permission_takes_nothing_unknown(world: World, olga: Someone, value: Any) -> None:
    world.change_user("bea", is_active=False)
    if isinstance(value, dict) and value["direct_members"] == ["BEA"]:
        value = {**value, "direct_members": [world["bea"].id]}
    before = world.count("channel")
    olga.refused(
        "POST", "/users/me/subscriptions", subscriptions=[{"name": "garden"}], can_send_message_group=value
    )
    assert world.count("channel") == before


@pytest.mark.parametrize(
    ("name", "takes_everyone"),
    [
        ("can_administer_channel_group", False),
        ("can_add_subscribers_group", False),
        ("can_subscribe_group", False),
        ("can_send_message_group", True),
        ("can_remove_subscribers_group", True),
        ("can_resolve_topics_group", True),
    ],
)
def test_some_permissions_do_not_take_everyone(olga: Someone, name: str, takes_everyone: bool) -> None:
    assert may_make(olga, permissions={name: EVERYONE}) is takes_everyone


# -- permission to add others -----------------------------------------------------------------------


def add(who: Someone, channel: str, *names: str, **more: Any) -> subscribing.SubscribeResult:
    people = [UserId(who.world[name].id) for name in names]
    cmd = Subscribe(channels=[WantedChannel(channel)], principals=people, **more)
    return subscribing.subscribe(who.world.svc, who.actor, cmd)


def test_adding_others_is_a_permission_of_all_or_of_the_channel(world: World, ada: Someone) -> None:
    add(ada, "lunch", "cem")
    world.change_organization(permissions={"can_add_subscribers_group": NOBODY})
    for fatal in (True, False):
        with pytest.raises(BadRequest):
            add(ada, "lunch", "cem", authorization_errors_fatal=fatal)
    add(ada, "lunch", "ada")
    add(world["adi"], "lunch", "cem")
    add(ada, "own garden", "cem")
    with pytest.raises(BadRequest):
        add(world["bea"], "own garden", "gus")
    world.add_channel("club", permissions={"can_add_subscribers_group": MEMBERS})
    add(world["bea"], "club", "gus")


def test_adding_others_needs_content_access(world: World) -> None:
    with pytest.raises(BadRequest):
        add(world["adi"], "secret", "adi")
    with pytest.raises(BadRequest):
        add(world["adi"], "secret", "cem")
    by_group = {"can_add_subscribers_group": MEMBERS}
    world.add_channel("club", invite_only=True, permissions=by_group)
    add(world["cem"], "club", "cem", "gus")


def test_a_guest_is_added_but_brings_nobody(world: World, gus: Someone, ada: Someone) -> None:
    add(ada, "secret", "gus")
    assert "secret" in [one["name"] for one in gus.get("/users/me/subscriptions")["subscriptions"]]
    with pytest.raises(BadRequest):
        add(gus, "secret", "cem")


# -- events -----------------------------------------------------------------------------------------


def test_a_new_channel_begins_with_a_word_about_it(world: World, ada: Someone, cem: Someone) -> None:
    for name, creation in (("garden", {}), ("shed", {"invite_only": True})):
        cmd = Subscribe(
            channels=[WantedChannel(name, "where @**Bea** *grows* ````")], creation=Creation(**creation)
        )
        subscribing.subscribe(world.svc, ada.actor, cmd)
        (notice,) = ada.reads(f"channel:{name}")
        assert (notice["subject"], notice["sender_full_name"]) == ("channel events", "Notification Bot")
        assert f'data-user-id="{ada.id}"' in notice["content"]
        assert notice["flags"] == []
    assert world["bea"].finds("is:mentioned") == []


@pytest.mark.parametrize("is_private", [False, True])
def test_a_public_channel_can_be_announced(
    world: World, ada: Someone, bea: Someone, is_private: bool
) -> None:
    make(ada, "not announced")
    world["gus"].leaves("lunch")  # before a guest no public channel is named
    world.change_organization(new_stream_announcements_stream_id=world.id("lunch"))
    line = bea.opens_queue("message")
    make(ada, "garden", announce=True, invite_only=is_private)
    said = [event["message"]["content"] for event in line.events()]
    assert len(said) == (0 if is_private else 1)
    assert all("garden" in text and "created a new channel" in text for text in said)


def test_a_user_added_by_another_is_notified_once(world: World, ada: Someone, cem: Someone) -> None:
    cmd = Subscribe(
        channels=[WantedChannel("lunch"), WantedChannel("secret"), WantedChannel("brand new")],
        principals=[UserId(world[name].id) for name in ("ada", "cem", "robo", "gus")],
    )
    assert subscribing.subscribe(world.svc, ada.actor, cmd).new_subscription_messages_sent
    (announced,) = cem.reads("is:dm")
    assert announced["sender_full_name"] == "Notification Bot"
    assert [f'data-stream-id="{world.id(name)}"' in announced["content"] for name in ("lunch", "secret")] == [
        True
    ] * 2
    assert "brand new" not in announced["content"]
    assert cem.flags(announced["id"]) == set()
    (announced,) = world["gus"].reads("is:dm")
    assert "secret" in announced["content"]
    assert "lunch" not in announced["content"]
    for quiet in (ada, world["robo"]):
        assert quiet.reads("is:dm") == []


@pytest.mark.shows("level.subscription-messages")
def test_nobody_is_notified_if_it_is_not_wanted_or_for_too_many(make_world: MakeWorld) -> None:
    world = make_world(limits=replace(Limits(), max_bulk_new_subscription_messages=2))
    ada = world["ada"]
    answer = ada.joins("lunch", principals=[world["cem"].id], send_new_subscription_messages=False)
    assert "new_subscription_messages_sent" not in answer
    three = [world[name].id for name in ("bea", "cem", "mona")]
    assert ada.joins("vault", principals=three)["new_subscription_messages_sent"] is False
    assert ada.joins("plaza", principals=three[:2])["new_subscription_messages_sent"] is True
    assert len(world["cem"].reads("is:dm")) == 1
    assert world["mona"].reads("is:dm") == []


# -- all or nothing ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "parameters",
    [
        {"subscriptions": [{"name": "garden"}, {"name": "secret"}]},
        {"subscriptions": [{"name": "garden"}, {"name": "x" * 61}]},
        {"subscriptions": [{"name": "garden"}, {"name": "lunch"}], "principals": [99_999]},
        {"subscriptions": [{"name": "garden"}], "folder_id": 1},
        {"subscriptions": [{"name": "garden"}], "is_web_public": True},
    ],
)
def test_a_refused_request_changes_nothing(world: World, cem: Someone, parameters: dict[str, Any]) -> None:
    tables = ("channel", "recipient", "subscription", "subscription_period", "message", "event")
    before = [world.count(table) for table in tables]
    cem.refused("POST", "/users/me/subscriptions", **parameters)
    assert [world.count(table) for table in tables] == before


def test_there_is_a_limit_of_names_and_people(make_world: MakeWorld) -> None:
    world = make_world(limits=Limits(max_ids_per_request=2))
    ada = world["ada"]
    three = [{"name": f"garden {number}"} for number in range(3)]
    ada.refused("POST", "/users/me/subscriptions", subscriptions=three[:1], principals=[1, 2, 3])
    ada.refused("DELETE", "/users/me/subscriptions", subscriptions=["a", "b", "c"])
    ada.refused("DELETE", "/users/me/subscriptions", subscriptions=["lunch"], principals=[1, 2, 3])
