"""Subscribers of channels, their personal settings, and two changes in one request."""

from typing import Any

import pytest

from chatcore.application.channels import subscribers
from chatcore.domain.errors import BadRequest
from chatcore.domain.groups.permissions import GroupSetting
from chatcore.domain.groups.system import SystemGroup
from chatcore.domain.limits import Limits
from chatcore.domain.roles import Role
from tests.security.attacking import nothing_changes
from tests.worlds.organization import MakeWorld, Someone, World

# -- subscribers ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("who", "channel", "sees"),
    [
        ("ada", "lunch", True),
        ("cem", "lunch", True),  # public
        ("gus", "lunch", True),
        ("cem", "secret", False),
        ("gus", "secret", False),
        ("adi", "secret", True),  # without reading it
        ("robo", "lunch", True),
        ("robo", "secret", False),
        ("ada", "attic", True),
    ],
)
def test_users_who_see_the_subscribers(world: World, who: str, channel: str, sees: bool) -> None:
    ada, channel_id = world["ada"], world.id(channel)
    members, status = f"/streams/{channel_id}/members", f"/users/{ada.id}/subscriptions/{channel_id}"
    if sees:
        assert ada.id in world[who].get(members)["subscribers"]
        assert world[who].get(status)["is_subscribed"] is True
    else:
        for path in (members, status):
            there = world[who].refused("GET", path)
            assert there == world[who].refused("GET", path.replace(str(channel_id), "99999"))


def test_the_rights_of_now_count(world: World, ada: Someone) -> None:
    before, secret = world["adi"].actor, world.id("secret")
    assert ada.id in subscribers.subscribers(world.svc, before, secret)
    world.change_user("adi", role=Role.MEMBER)
    with pytest.raises(BadRequest):
        subscribers.subscribers(world.svc, before, secret)
    with pytest.raises(BadRequest):
        subscribers.is_subscriber(world.svc, before, ada.id, secret)


def test_users_who_are_no_subscribers(world: World, ada: Someone, bea: Someone, cem: Someone) -> None:
    lunch = world.id("lunch")
    world.change_user("bea", is_active=False)
    for other in (bea, cem):
        assert ada.get(f"/users/{other.id}/subscriptions/{lunch}")["is_subscribed"] is False
    assert ada.get(f"/streams/{lunch}/members")["subscribers"] == [ada.id, world["gus"].id]
    ada.refused("GET", f"/users/99999/subscriptions/{lunch}")


def test_a_limited_guest_sees_visible_subscribers(
    world: World, gus: Someone, ada: Someone, cem: Someone
) -> None:
    members = GroupSetting.of(SystemGroup.MEMBERS)
    world.change_organization(permissions={"can_access_all_users_group": members})
    cem.joins("plaza")
    plaza = world.id("plaza")  # open to the web: gus sees it without being in it
    assert gus.get(f"/streams/{plaza}/members")["subscribers"] == [ada.id]
    assert gus.get(f"/users/{ada.id}/subscriptions/{plaza}")["is_subscribed"]
    gus.refused("GET", f"/users/{cem.id}/subscriptions/{plaza}")


# -- setting values ---------------------------------------------------------------------------------


def sets(world: World, who: Someone, channel: str, **properties: Any) -> None:
    data = [
        {"stream_id": world.id(channel), "property": name, "value": value}
        for name, value in properties.items()
    ]
    who.post("/users/me/subscriptions/properties", subscription_data=data)


@pytest.mark.every_case_on_postgresql
@pytest.mark.parametrize(
    ("name", "value", "announced"),
    [
        ("color", "#ABC", {"color": "#aabbcc"}),
        ("pin_to_top", True, {"pin_to_top": True}),
        ("is_muted", True, {"in_home_view": False, "is_muted": True}),
        ("in_home_view", False, {"in_home_view": False, "is_muted": True}),
        ("desktop_notifications", False, {"desktop_notifications": False}),
        ("audible_notifications", True, {"audible_notifications": True}),
        ("push_notifications", True, {"push_notifications": True}),
        ("email_notifications", False, {"email_notifications": False}),
        ("wildcard_mentions_notify", False, {"wildcard_mentions_notify": False}),
    ],
)
def test_each_property_is_set_and_announced(
    world: World, bea: Someone, ada: Someone, name: str, value: object, announced: dict[str, object]
) -> None:
    line, of_others = bea.opens_queue("subscription"), ada.opens_queue("subscription")
    sets(world, bea, "lunch", **{name: value})
    sets(world, bea, "lunch", **{name: value})  # nothing changes
    events = line.events()
    assert {event["property"]: event["value"] for event in events} == announced
    assert {(event["op"], event["stream_id"]) for event in events} == {("update", world.id("lunch"))}
    assert len(events) == len(announced)
    assert of_others.events() == []
    (mine,) = [one for one in bea.get("/users/me/subscriptions")["subscriptions"] if one["name"] == "lunch"]
    assert announced == {name: mine[name] for name in announced}


def test_one_property_alone_is_set_at_the_subscription(world: World, bea: Someone) -> None:
    path, line = f"/users/me/subscriptions/{world.id('lunch')}", bea.opens_queue("subscription")
    bea.patch(path, property="color", value="#abc")
    bea.patch(path, property="pin_to_top", value=True)
    assert [(event["property"], event["value"]) for event in line.events()] == [
        ("color", "#aabbcc"), ("pin_to_top", True),
    ]  # fmt: skip
    for name, value in (("color", "true"), ("pin_to_top", "yes"), ("name", "supper")):
        bea.refused("PATCH", path, property=name, value=value)
    bea.refused("PATCH", path.replace(str(world.id("lunch")), "99999"), property="color", value="#abc")
    assert line.events() == []


@pytest.mark.parametrize(
    "wrong",
    [
        {"property": "name", "value": "supper"},
        {"property": "color", "value": "red"},
        {"property": "color", "value": True},
        {"property": "is_muted", "value": "true"},
        {"stream_id": "plaza"},  # not subscribed
        {"stream_id": "secret"},  # left
        {"stream_id": 99999},
        {"value": 7},
        {"value": None},
    ],
    ids=str,
)
def test_one_wrong_property_refuses_all(world: World, bea: Someone, wrong: dict[str, Any]) -> None:
    bea.leaves("secret")
    right = {"stream_id": world.id("lunch"), "property": "pin_to_top", "value": True}
    one = {**right, **wrong}
    if one["stream_id"] in world.channels:
        one["stream_id"] = world.id(one["stream_id"])
    response = bea.request("POST", "/users/me/subscriptions/properties", subscription_data=[right, one])
    assert response.status_code == 400
    (mine,) = [one for one in bea.registers().state["subscriptions"] if one["name"] == "lunch"]
    assert not mine["pin_to_top"]


def test_the_last_of_repeated_values_for_a_property_counts(world: World, bea: Someone) -> None:
    line, lunch = bea.opens_queue("subscription"), world.id("lunch")
    sent = [("pin_to_top", number % 2 == 0) for number in range(501)]
    sent += [("is_muted", True), ("in_home_view", True)] * 100  # two names of one property
    data = [{"stream_id": lunch, "property": name, "value": value} for name, value in sent]
    bea.post("/users/me/subscriptions/properties", subscription_data=data)
    assert [(event["property"], event["value"]) for event in line.events()] == [("pin_to_top", True)]


def test_a_request_sets_only_so_many_properties(make_world: MakeWorld) -> None:
    world = make_world(limits=Limits(max_subscription_settings_per_request=2))
    bea = world["bea"]
    one = {"stream_id": world.id("lunch"), "property": "pin_to_top", "value": True}
    bea.refused("POST", "/users/me/subscriptions/properties", subscription_data=[one] * 3)
    bea.post("/users/me/subscriptions/properties", subscription_data=[one] * 2)


# -- two in one -------------------------------------------------------------------------------------


def test_one_request_subscribes_and_unsubscribes(world: World, bea: Someone) -> None:
    line = bea.opens_queue("subscription")
    answer = bea.patch(
        "/users/me/subscriptions", add=[{"name": "plaza"}, {"name": "lunch"}], delete=["secret", "lunch"]
    )
    mine = str(bea.id)
    assert (answer["subscribed"], answer["already_subscribed"]) == ({mine: ["plaza"]}, {mine: ["lunch"]})
    assert (answer["removed"], answer["not_removed"]) == (["secret", "lunch"], [])
    assert [event["op"] for event in line.events()] == ["add", "remove", "remove"]


@pytest.mark.parametrize(
    ("who", "changes"),
    [
        ("bea", {}),
        ("bea", {"add": [], "delete": []}),
        ("bea", {"add": [{"name": "plaza"}], "delete": ["nowhere"]}),
        ("bea", {"add": [{"name": "vault"}], "delete": ["lunch"]}),
        ("gus", {"add": [{"name": "plaza"}], "delete": ["lunch"]}),
    ],
)
def test_a_request_is_done_as_a_whole_or_refused(world: World, who: str, changes: dict[str, Any]) -> None:
    with nothing_changes(world):
        world[who].refused("PATCH", "/users/me/subscriptions", **changes)


def test_a_guest_may_leave(world: World, gus: Someone) -> None:
    assert gus.patch("/users/me/subscriptions", delete=["lunch"])["removed"] == ["lunch"]
