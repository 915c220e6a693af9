"""Navigation views over HTTP, on both stores."""

from typing import Any
from urllib.parse import quote

import pytest

from chatcore.domain.limits import Limits
from tests.worlds.organization import MakeWorld, Someone, World

ALERTS = "narrow/is/alerted"


def path_of(fragment: str) -> str:
    return f"/navigation_views/{quote(fragment, safe='')}"


def views_of(someone: Someone) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = someone.get("/navigation_views")["navigation_views"]
    return found


@pytest.mark.shows("level.views")
def test_views_are_added_changed_and_removed_for_their_owner(
    world: World, ada: Someone, bea: Someone
) -> None:
    mine, others = ada.opens_queue("navigation_view"), bea.opens_queue("navigation_view")
    ada.post("/navigation_views", fragment="inbox", is_pinned=True)
    ada.post("/navigation_views", fragment=ALERTS, is_pinned=False, name=" Alerts ")
    inbox = {"fragment": "inbox", "is_pinned": True}
    alerts = {"fragment": ALERTS, "is_pinned": False, "name": "Alerts"}
    assert views_of(ada) == [inbox, alerts]
    assert ada.registers(fetch_event_types=["navigation_views"]).state["navigation_views"] == [inbox, alerts]
    ada.patch(path_of(ALERTS), is_pinned=True, name="Alerts")
    ada.patch(path_of(ALERTS), is_pinned=True)
    ada.patch(path_of("inbox"), is_pinned=False)
    ada.delete(path_of(ALERTS))
    assert views_of(ada) == [{**inbox, "is_pinned": False}]
    events = [{key: value for key, value in event.items() if key != "id"} for event in mine.events()]
    assert events == [
        {"type": "navigation_view", "op": "add", "navigation_view": inbox},
        {"type": "navigation_view", "op": "add", "navigation_view": alerts},
        {"type": "navigation_view", "op": "update", "fragment": ALERTS, "data": {"is_pinned": True}},
        {"type": "navigation_view", "op": "update", "fragment": "inbox", "data": {"is_pinned": False}},
        {"type": "navigation_view", "op": "remove", "fragment": ALERTS},
    ]
    assert (views_of(bea), others.events()) == ([], [])


@pytest.mark.parametrize(
    ("given", "code"),
    [
        ({"fragment": "inbox"}, "REQUEST_VARIABLE_MISSING"),
        ({"is_pinned": True}, "REQUEST_VARIABLE_MISSING"),
        ({"fragment": "inbox", "is_pinned": True, "name": "Mine"}, "BAD_REQUEST"),
        ({"fragment": "narrow/is/dm", "is_pinned": True}, "BAD_REQUEST"),
        ({"fragment": "narrow/is/dm", "is_pinned": True, "name": " "}, "BAD_REQUEST"),
        ({"fragment": "narrow/is/dm", "is_pinned": True, "name": "x" * 101}, "BAD_REQUEST"),
        ({"fragment": "", "is_pinned": True, "name": "x"}, "BAD_REQUEST"),
        ({"fragment": "x" * 1001, "is_pinned": True, "name": "x"}, "BAD_REQUEST"),
        ({"fragment": "a\0", "is_pinned": True, "name": "x"}, "BAD_REQUEST"),
        ({"fragment": ALERTS, "is_pinned": True, "name": "x"}, "BAD_REQUEST"),
    ],
)
def test_views_outside_the_rules_are_refused(ada: Someone, given: dict[str, Any], code: str) -> None:
    ada.post("/navigation_views", fragment=ALERTS, is_pinned=True, name="Alerts")
    line = ada.opens_queue("navigation_view")
    ada.refused("POST", "/navigation_views", code=code, **given)
    assert (len(views_of(ada)), line.events()) == (1, [])


def test_changes_outside_the_rules_are_refused(ada: Someone) -> None:
    ada.post("/navigation_views", fragment="inbox", is_pinned=True)
    ada.post("/navigation_views", fragment=ALERTS, is_pinned=True, name="Alerts")
    line = ada.opens_queue("navigation_view")
    ada.refused("PATCH", path_of("inbox"), name="Mine")
    ada.refused("PATCH", path_of(ALERTS), name=" ")
    ada.refused("PATCH", path_of(ALERTS))
    assert line.events() == []


def test_sec_14_a_view_of_another_is_as_if_absent(ada: Someone, bea: Someone) -> None:
    ada.post("/navigation_views", fragment=ALERTS, is_pinned=True, name="Alerts")
    for fragment in (ALERTS, "inbox"):
        changed = bea.refused("PATCH", path_of(fragment), status=404, is_pinned=False)
        removed = bea.refused("DELETE", path_of(fragment), status=404)
        assert changed["msg"] == removed["msg"] == "Navigation view does not exist."
    assert len(views_of(ada)) == 1


def test_there_are_only_so_many_views(make_world: MakeWorld) -> None:
    ada = make_world(limits=Limits(max_navigation_views_per_user=2))["ada"]
    for fragment in ("inbox", "recent"):
        ada.post("/navigation_views", fragment=fragment, is_pinned=True)
    ada.refused("POST", "/navigation_views", fragment="feed", is_pinned=True)
    assert len(views_of(ada)) == 2


def test_a_guest_and_a_bot_have_views_too(world: World) -> None:
    for name in ("gus", "robo"):
        world[name].post("/navigation_views", fragment="inbox", is_pinned=True)
        assert len(views_of(world[name])) == 1
