"""Browsers subscribe to pushes."""

from typing import Any

import pytest

from chatcore.domain.push import subscriptions
from chatcore.domain.push.subscriptions import MAX_SUBSCRIPTIONS
from chatcore.runtime import web_push
from tests.worlds.clients.push import Browser, PushService
from tests.worlds.organization import MakeWorld, World

SERVICE = PushService(port=443)


def given(name: str, **changed: str) -> dict[str, str]:
    return {**Browser(SERVICE, name).subscription, "endpoint": f"https://push.example.net/{name}", **changed}


def listed(world: World, name: str) -> list[dict[str, Any]]:
    return list(world[name].get("/web_push")["subscriptions"])


def test_a_subscription_is_listed_and_ends(world: World) -> None:
    state = world["bea"].get("/web_push")
    assert (state["shows_content"], state["subscriptions"]) == (True, [])
    assert len(web_push.from_base64url(state["public_key"])) == 65
    subscription_id = world["bea"].post("/web_push/subscriptions", **given("a"))["subscription_id"]
    (one,) = listed(world, "bea")
    assert one == {
        "id": subscription_id,
        "device": one["device"],
        "created_at": int(world.clock()),
        "endpoint_host": "push.example.net",
    }
    assert listed(world, "ada") == []
    assert world["ada"].request("DELETE", f"/web_push/subscriptions/{subscription_id}").status_code == 404
    world["bea"].delete(f"/web_push/subscriptions/{subscription_id}")
    assert listed(world, "bea") == []


def test_an_endpoint_belongs_to_who_came_last(world: World) -> None:
    for name in ("bea", "bea", "cem"):
        world[name].post("/web_push/subscriptions", **given("a"))
    assert (len(listed(world, "bea")), len(listed(world, "cem"))) == (0, 1)


def test_the_oldest_of_too_many_goes(world: World) -> None:
    first, *others = (
        world["bea"].post("/web_push/subscriptions", **given(str(number)))["subscription_id"]
        for number in range(MAX_SUBSCRIPTIONS + 1)
    )
    assert [one["id"] for one in listed(world, "bea")] == others
    assert first not in others


@pytest.mark.parametrize(
    "changed",
    [
        {"endpoint": "http://push.example.net/a"},
        {"endpoint": "https://me:secret@push.example.net/a"},
        {"endpoint": "push"},
        {"endpoint": "https://push.example.net/" + "a" * subscriptions.MAX_ENDPOINT},
        {"endpoint": "https://push.example.net/ä"},
        {"p256dh": "AAAA"},
        {"auth": "AAAA"},
    ],
)
def test_what_is_no_subscription_is_refused(world: World, changed: dict[str, str]) -> None:
    response = world["bea"].request("POST", "/web_push/subscriptions", **given("a", **changed))
    assert (response.status_code, response.json["code"]) == (400, "BAD_REQUEST")


def test_nobody_subscribes_without_an_account(world: World) -> None:
    assert world.nobody.request("POST", "/web_push/subscriptions", **given("a")).status_code == 401


def test_a_server_without_pushes_says_so(
    make_world: MakeWorld, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    off = make_world(web_push="off")
    monkeypatch.setattr(web_push, "find_spec", lambda name: None)
    for one in (off, world):
        assert one["bea"].get("/web_push")["public_key"] is None
        response = one["bea"].request("POST", "/web_push/subscriptions", **given("a"))
        assert (response.status_code, response.json["code"]) == (400, "WEB_PUSH_DISABLED")
