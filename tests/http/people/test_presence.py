"""Presence: reporting it, reading it and being notified of it."""

from typing import Any

import pytest

from chatcore.domain.groups.permissions import GroupSetting
from chatcore.domain.groups.system import SystemGroup
from tests.http.events.test_queues import ALL_CAPABILITIES
from tests.worlds.organization import DAY, HOST, NOW, Someone, World

NOTHING = {"result": "success", "msg": ""}


def calls(who: Someone, status: str = "active", **parameters: Any) -> dict[str, Any]:
    return who.post("/users/me/presence", status=status, **parameters)


def refusal(who: Someone, **parameters: Any) -> str:
    """The code of a refusal."""
    response = who.request("POST", "/users/me/presence", **parameters)
    assert 400 <= response.status_code < 500
    code: str = response.get_json()["code"]
    return code


def slim(who: Someone, **parameters: Any) -> dict[str, Any]:
    """Presences in the newer form, without reporting one's own."""
    state = who.post("/register", fetch_event_types=["presence"], slim_presence=True, **parameters)
    presences: dict[str, Any] = state["presences"]
    return presences


def older(status: str, at: int) -> dict[str, Any]:
    announced = {"client": "website", "status": status, "timestamp": at}
    return {"aggregated": announced, "website": {**announced, "pushable": False}}


# -- saying and seeing ------------------------------------------------------------------------------


@pytest.mark.shows("register.slim-presence")
def test_everybody_sees_who_is_there(world: World, ada: Someone, bea: Someone) -> None:
    assert calls(ada, ping_only=True, new_user_input=True) == NOTHING
    seen = calls(bea, "idle", slim_presence=True)
    everybody = {
        str(ada.id): {"active_timestamp": NOW, "idle_timestamp": NOW},
        str(bea.id): {"idle_timestamp": NOW},
    }
    assert (seen["presences"], seen["server_timestamp"]) == (everybody, NOW)
    assert slim(bea) == everybody
    by_address = {ada.email: older("active", NOW), bea.email: older("idle", NOW)}
    assert calls(bea, "idle")["presences"] == by_address
    assert bea.get("/realm/presence") == {**NOTHING, "presences": by_address, "server_timestamp": NOW}
    state = bea.post("/register", fetch_event_types=["presence"])
    assert (state["presences"], state["server_timestamp"]) == (by_address, NOW)
    assert state["presence_last_update_id"] == seen["presence_last_update_id"]


def test_only_what_is_new(world: World, ada: Someone, bea: Someone, cem: Someone) -> None:
    calls(ada)
    first = calls(bea, last_update_id=-1)
    assert set(first["presences"]) == {str(ada.id), str(bea.id)}
    world.clock.advance(10)
    calls(cem)
    second = calls(bea, last_update_id=first["presence_last_update_id"])
    assert set(second["presences"]) == {str(cem.id)}
    third = calls(bea, last_update_id=second["presence_last_update_id"])
    assert third["presences"] == {}
    assert third["presence_last_update_id"] == second["presence_last_update_id"]


@pytest.mark.shows("register.presence-history", "limit.presence-history", "change.presence-history")
def test_old_presences_are_left_out(world: World, ada: Someone, bea: Someone) -> None:
    calls(ada)
    world.clock.advance(2 * DAY)
    assert set(slim(bea)) == {str(ada.id)}
    assert slim(bea, presence_history_limit_days=1) == {}
    assert set(calls(bea, last_update_id=-1, history_limit_days=1)["presences"]) == {str(bea.id)}
    world.clock.advance(12 * DAY + 1)
    assert set(slim(bea)) == {str(bea.id)}
    assert set(slim(bea, presence_history_limit_days=15)) == {str(ada.id), str(bea.id)}
    assert set(slim(bea, presence_history_limit_days=10**15)) == {str(ada.id), str(bea.id)}


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("status", "offline"),
        ("status", ""),
        ("last_update_id", -2),
        ("last_update_id", "x"),
        ("last_update_id", 10**19),
        ("history_limit_days", -1),
        ("ping_only", "yes"),
    ],
)
def test_refused_requests(ada: Someone, name: str, value: object) -> None:
    parameters = {"status": "active", name: value}
    is_word = name in ("status", "ping_only")
    assert refusal(ada, **parameters) == ("BAD_REQUEST" if is_word else "REQUEST_VARIABLE_INVALID")
    assert slim(ada) == {}


def test_a_status_is_needed(ada: Someone) -> None:
    ada.refused("POST", "/users/me/presence", code="REQUEST_VARIABLE_MISSING")


def test_a_negative_history_is_refused(ada: Someone) -> None:
    ada.refused("POST", "/register", code="REQUEST_VARIABLE_INVALID", presence_history_limit_days=-1)


def test_bots_have_no_presence(world: World, ada: Someone, robo: Someone) -> None:
    assert refusal(robo, status="active") == "BAD_REQUEST"
    ada.refused("GET", f"/users/{robo.id}/presence")
    calls(ada)
    assert set(robo.get("/realm/presence")["presences"]) == {ada.email}


def test_deactivated_users_have_no_presence(world: World, ada: Someone, bea: Someone) -> None:
    calls(bea)
    world.change_user("bea", is_active=False)
    assert ada.get("/realm/presence")["presences"] == {}
    assert slim(ada) == {}
    ada.refused("GET", f"/users/{bea.id}/presence")


def test_nobody_sees_nothing(world: World, ada: Someone) -> None:
    calls(ada)
    world.open_to_the_web()
    state = world.nobody.post("/register", fetch_event_types=["presence"], client_gravatar=False)
    assert (state["presences"], state["presence_last_update_id"]) == ({}, -1)
    for method, path in (
        ("POST", "/users/me/presence"),
        ("GET", "/realm/presence"),
        ("GET", f"/users/{ada.id}/presence"),
    ):
        world.nobody.refused(method, path, status=401, code="UNAUTHORIZED")


# -- one person -------------------------------------------------------------------------------------


def test_the_presence_of_a_person_is_found_by_id_and_by_address(
    world: World, ada: Someone, bea: Someone
) -> None:
    calls(bea)
    paths = [f"/users/{name}/presence" for name in (bea.id, bea.email, f"user{bea.id}@{HOST}")]
    for seconds, status in ((0, "active"), (200, "active"), (1, "offline")):
        world.clock.advance(seconds)
        there = {"status": "active", "timestamp": NOW}
        for path in paths:
            assert ada.get(path)["presence"] == {"aggregated": {**there, "status": status}, "website": there}


def test_users_without_a_presence_are_not_found(world: World, ada: Someone, bea: Someone) -> None:
    calls(bea)
    world.change_user("bea", email_visibility=4)
    wrong = [
        ada.refused("GET", f"/users/{name}/presence")["msg"] for name in (10**9, bea.email, "x@y.z", "me")
    ]
    assert set(wrong) == {"No such user"}
    ada.refused("GET", f"/users/{ada.id}/presence")  # was never there
    assert set(ada.get("/realm/presence")["presences"]) == {f"user{bea.id}@{HOST}"}


# -- writing ----------------------------------------------------------------------------------------


def test_calls_are_written_down_once_a_minute(world: World, ada: Someone) -> None:
    written = []
    for _ in range(24):
        before = calls(ada, last_update_id=-1)["presence_last_update_id"]
        world.clock.advance(5)
        if calls(ada, "idle", last_update_id=-1)["presence_last_update_id"] != before:
            written.append(world.clock.now - NOW)
    assert written == [60, 120]


def test_a_call_without_a_change_starts_no_unit_of_work(
    world: World, ada: Someone, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls(ada)
    world.clock.advance(30)
    monkeypatch.setattr(world.svc.storage, "write", lambda work: pytest.fail("it writes"))
    calls(ada)
    calls(ada, "idle")


# -- events -----------------------------------------------------------------------------------------


@pytest.mark.shows("level.presence-events")
def test_others_are_notified_of_active_users(world: World, ada: Someone, bea: Someone) -> None:
    lines = [
        bea.opens_queue("presence"),
        bea.opens_queue("presence", slim_presence=True),
        bea.opens_queue("presence", client_capabilities=ALL_CAPABILITIES),
    ]

    def received() -> list[list[dict[str, Any]]]:
        return [line.events() for line in lines]

    calls(ada)
    (old,), (thin,), (simple,) = received()
    presence = {"website": older("active", NOW)["website"]}
    announced = {"type": "presence", "user_id": ada.id, "server_timestamp": NOW, "presence": presence}
    assert old == {**announced, "email": ada.email, "id": old["id"]}
    assert thin == {**announced, "id": thin["id"]}
    modern = {str(ada.id): {"active_timestamp": NOW, "idle_timestamp": NOW}}
    assert simple == {"type": "presence", "presences": modern, "id": simple["id"]}
    for status in ("idle", "active"):
        world.clock.advance(100)
        calls(ada, status)
    assert received() == [[], [], []]
    world.clock.advance(201)
    calls(ada, "idle")
    assert [len(events) for events in received()] == [1, 1, 1]


def test_in_a_large_organization_there_are_no_events(world: World, ada: Someone, bea: Someone) -> None:
    line = bea.opens_queue("presence")
    world.add_people(100, to="lunch")
    calls(ada)
    assert line.events() == []
    assert set(slim(bea)) == {str(ada.id)}


# -- hidden users -----------------------------------------------------------------------------------


def test_users_who_hide_their_presence_are_not_visible(world: World, ada: Someone, bea: Someone) -> None:
    calls(ada)
    line = bea.opens_queue("presence", client_capabilities=ALL_CAPABILITIES)
    before = calls(bea, last_update_id=-1)["presence_last_update_id"]
    line.events()
    ada.patch("/settings", presence_enabled=False)
    gone = {str(ada.id): {"active_timestamp": NOW - 201, "idle_timestamp": NOW - 201}}
    assert [event["presences"] for event in line.events()] == [gone]
    assert calls(bea, last_update_id=before)["presences"] == gone
    world.clock.advance(500)
    seen = calls(ada, last_update_id=-1)["presences"]
    assert seen[str(ada.id)] == gone[str(ada.id)]
    assert line.events() == []
    ada.patch("/settings", presence_enabled=True)
    calls(ada)
    assert [set(event["presences"]) for event in line.events()] == [{str(ada.id)}]


def test_away_hides_too(world: World, ada: Someone, bea: Someone) -> None:
    calls(ada)
    ada.post("/users/me/status", away=True)
    assert bea.get(f"/users/{ada.id}/presence")["presence"]["aggregated"]["status"] == "offline"


def test_an_organization_can_do_without(world: World, ada: Someone, bea: Someone) -> None:
    calls(ada)
    world.change_organization(presence_disabled=True)
    line = bea.opens_queue("presence")
    calls(bea)
    assert line.events() == []
    assert bea.get("/realm/presence")["presences"] == {}
    assert slim(bea) == {}
    bea.refused("GET", f"/users/{ada.id}/presence")


def test_limited_guests_see_visible_users(world: World, ada: Someone, cem: Someone, gus: Someone) -> None:
    limited = {"can_access_all_users_group": GroupSetting.of(SystemGroup.MEMBERS)}
    world.change_organization(permissions=limited)
    line = gus.opens_queue("presence", slim_presence=True)
    calls(ada)
    calls(cem)
    assert [event["user_id"] for event in line.events()] == [ada.id]
    assert set(slim(gus)) == {str(ada.id)}
    assert set(gus.get("/realm/presence")["presences"]) == {ada.email}
    assert set(calls(gus, last_update_id=-1)["presences"]) == {str(ada.id), str(gus.id)}
    gus.refused("GET", f"/users/{cem.id}/presence")
    gus.refused("GET", f"/users/{cem.email}/presence")


@pytest.mark.parametrize("kind", ["presence", "user_status"])
def test_a_limited_guest_with_a_waiting_poll_is_notified_of_visible_users(
    world: World, ada: Someone, gus: Someone, kind: str
) -> None:
    limited = {"can_access_all_users_group": GroupSetting.of(SystemGroup.MEMBERS)}
    world.change_organization(permissions=limited)
    poll = gus.opens_queue(kind).waits()
    if kind == "presence":
        calls(ada)
    else:
        ada.post("/users/me/status", status_text="out")
    assert [(event["type"], event["user_id"]) for event in poll.answer()] == [(kind, ada.id)]
