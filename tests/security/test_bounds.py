"""Limits on single requests: none delays all other requests or stores an unlimited amount."""

import json

from chatcore.domain.limits import Limits
from tests.worlds.organization import MakeWorld, Someone, World

SUBSCRIPTIONS = "/users/me/subscriptions"


def wanting(*names: str) -> str:
    return json.dumps([{"name": name} for name in names])


def test_a_request_makes_only_so_many_channels(make_world: MakeWorld) -> None:
    ada = make_world(limits=Limits(max_new_channels_per_request=3))["ada"]
    ada.refused("POST", SUBSCRIPTIONS, subscriptions=wanting("a", "b", "c", "d"))
    assert ada.post(SUBSCRIPTIONS, subscriptions=wanting("a", "b", "c", "lunch"))["subscribed"]
    assert "d" not in [channel["name"] for channel in ada.get("/streams")["streams"]]


def test_a_request_makes_only_so_many_subscriptions(make_world: MakeWorld) -> None:
    world = make_world(limits=Limits(max_subscriptions_per_request=5))
    ada, both = world["ada"], json.dumps([world["bea"].id, world["cem"].id])
    ada.refused("POST", SUBSCRIPTIONS, subscriptions=wanting("a", "b", "c"), principals=both)
    assert ada.post(SUBSCRIPTIONS, subscriptions=wanting("a", "b"), principals=both)["subscribed"]
    ada.post(SUBSCRIPTIONS, subscriptions=wanting("c"))
    ada.refused("DELETE", SUBSCRIPTIONS, subscriptions=json.dumps(["a", "b", "c"]), principals=both)
    ada.refused("DELETE", SUBSCRIPTIONS, subscriptions=json.dumps(["a"] * 6))
    left = ada.delete(SUBSCRIPTIONS, subscriptions=json.dumps(["a", "b"]), principals=both)
    assert left["removed"] == ["a", "a", "b", "b"]


def test_a_local_id_is_short(world: World, ada: Someone) -> None:
    queue = ada.post("/register", event_types=["message"], fetch_event_types=[])["queue_id"]
    message = {"type": "channel", "to": "lunch", "topic": "t", "content": "soup", "queue_id": queue}
    ada.refused("POST", "/messages", local_id="x" * 101, **message)
    assert ada.post("/messages", local_id="x" * 100, **message)["id"]


def test_a_registration_names_a_bounded_number_of_event_types(ada: Someone) -> None:
    for types in (["x"] * 201, ["x" * 101]):
        ada.refused("POST", "/register", event_types=types)
        ada.refused("POST", "/register", fetch_event_types=types)
    ada.refused("POST", "/register", narrow=[["topic", "x" * 10_001]])
    assert ada.post("/register", event_types=["x" * 100] * 200, fetch_event_types=[])["queue_id"]
