"""Channel folders over HTTP, on both stores."""

from typing import Any

import pytest

from chatcore.domain.limits import Limits
from tests.worlds.organization import NOW, MakeWorld, Someone, World

CREATE = "/channel_folders/create"


def makes(someone: Someone, name: str, **more: Any) -> int:
    made: int = someone.post(CREATE, name=name, **more)["channel_folder_id"]
    return made


def folders_of(someone: Someone, **parameters: Any) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = someone.get("/channel_folders", **parameters)["channel_folders"]
    return found


def names(someone: Someone, **parameters: Any) -> list[str]:
    return [one["name"] for one in folders_of(someone, **parameters)]


def events_of(line: Any) -> list[dict[str, Any]]:
    return [{key: value for key, value in event.items() if key != "id"} for event in line.events()]


@pytest.mark.shows("level.folders")
def test_administrators_create_folders_and_everybody_sees_them(
    world: World, olga: Someone, gus: Someone
) -> None:
    line = gus.opens_queue("channel_folder")
    teams = makes(olga, " Teams ", description="*all* of\nthem")
    folder = {
        "id": teams,
        "name": "Teams",
        "description": "*all* of them",
        "rendered_description": "<p><em>all</em> of them</p>",
        "date_created": NOW,
        "creator_id": olga.id,
        "is_archived": False,
        "order": 0,
    }
    assert folders_of(gus) == folders_of(olga) == folders_of(world["robo"]) == [folder]
    assert events_of(line) == [{"type": "channel_folder", "op": "add", "channel_folder": folder}]
    assert gus.registers(fetch_event_types=["channel_folders"]).state["channel_folders"] == [folder]
    world.nobody.refused("GET", "/channel_folders", status=401, code="UNAUTHORIZED")


def test_nobody_else_keeps_folders(world: World, olga: Someone) -> None:
    teams = makes(olga, "Teams")
    line = olga.opens_queue("channel_folder")
    for name in ("mona", "ada", "gus"):
        for method, path, parameters in (
            ("POST", CREATE, {"name": "Mine"}),
            ("PATCH", "/channel_folders", {"order": [teams]}),
            ("PATCH", f"/channel_folders/{teams}", {"name": "Mine"}),
        ):
            world[name].refused(method, path, code="UNAUTHORIZED_PRINCIPAL", **parameters)
    assert (names(olga), line.events()) == (["Teams"], [])


def test_a_folder_is_changed_with_an_event_of_what_has_changed(olga: Someone, bea: Someone) -> None:
    teams = makes(olga, "Teams", description="us")
    line = bea.opens_queue("channel_folder")
    path = f"/channel_folders/{teams}"
    olga.patch(path, name="Crews", description="us")
    olga.patch(path, description="*we*")
    olga.patch(path, is_archived=True)
    olga.patch(path, is_archived=True, name="Crews")
    olga.patch(path)
    changed = {"type": "channel_folder", "op": "update", "channel_folder_id": teams}
    assert events_of(line) == [
        {**changed, "data": {"name": "Crews"}},
        {**changed, "data": {"description": "*we*", "rendered_description": "<p><em>we</em></p>"}},
        {**changed, "data": {"is_archived": True}},
    ]
    assert folders_of(bea) == []
    assert names(bea, include_archived=True) == ["Crews"]
    assert [one["is_archived"] for one in bea.registers().state["channel_folders"]] == [True]


def test_names_of_folders_in_use_are_unique(olga: Someone) -> None:
    teams, old = makes(olga, "Teams"), makes(olga, "Old")
    olga.refused("POST", CREATE, name="TEAMS")
    olga.refused("PATCH", f"/channel_folders/{old}", name="teams")
    olga.patch(f"/channel_folders/{teams}", name="TEAMS")
    olga.patch(f"/channel_folders/{teams}", is_archived=True)
    olga.patch(f"/channel_folders/{old}", name="Teams")
    olga.refused("PATCH", f"/channel_folders/{teams}", is_archived=False)
    assert names(olga, include_archived=True) == ["TEAMS", "Teams"]


@pytest.mark.parametrize(
    ("method", "path", "parameters", "code"),
    [
        ("POST", CREATE, {}, "REQUEST_VARIABLE_MISSING"),
        ("POST", CREATE, {"name": " "}, "BAD_REQUEST"),
        ("POST", CREATE, {"name": "x" * 61}, "BAD_REQUEST"),
        ("POST", CREATE, {"name": "x", "description": "x" * 1025}, "BAD_REQUEST"),
        ("PATCH", "/channel_folders/{id}", {"name": ""}, "BAD_REQUEST"),
        ("PATCH", "/channel_folders/999999", {"name": "Other"}, "BAD_REQUEST"),
        ("PATCH", "/channel_folders", {"order": []}, "BAD_REQUEST"),
        ("PATCH", "/channel_folders", {"order": [999999]}, "BAD_REQUEST"),
    ],
)
def test_requests_outside_the_rules_change_nothing(
    olga: Someone, method: str, path: str, parameters: dict[str, Any], code: str
) -> None:
    teams = makes(olga, "Teams")
    line = olga.opens_queue("channel_folder")
    olga.refused(method, path.format(id=teams), code=code, **parameters)
    assert (names(olga), line.events()) == (["Teams"], [])


@pytest.mark.shows("level.folders")
def test_folders_have_an_order(olga: Someone, bea: Someone) -> None:
    first, second, third = (makes(olga, name) for name in "abc")
    olga.patch(f"/channel_folders/{second}", is_archived=True)
    line = bea.opens_queue("channel_folder")
    olga.refused("PATCH", "/channel_folders", order=[third, first])
    order = [third, second, first]
    olga.patch("/channel_folders", order=order)
    olga.patch("/channel_folders", order=order)
    assert events_of(line) == [{"type": "channel_folder", "op": "reorder", "order": order}]
    assert [(one["name"], one["order"]) for one in folders_of(bea, include_archived=True)] == [
        ("c", 0),
        ("b", 1),
        ("a", 2),
    ]


# -- channels in folders ----------------------------------------------------------------------------


def folder_of(world: World, channel: str) -> object:
    return world["olga"].get(f"/streams/{world.id(channel)}")["stream"]["folder_id"]


@pytest.mark.shows("level.folders")
def test_channels_are_put_into_folders(world: World, olga: Someone, ada: Someone, bea: Someone) -> None:
    teams = makes(olga, "Teams")
    line = bea.opens_queue("stream")
    path = f"/streams/{world.id('lunch')}"
    olga.patch(path, folder_id=teams)
    olga.patch(path, folder_id=teams)
    assert folder_of(world, "lunch") == teams
    (mine,) = (one for one in bea.registers().state["subscriptions"] if one["name"] == "lunch")
    assert mine["folder_id"] == teams
    olga.patch(path, description="no word of folders")
    olga.patch(path, folder_id="null")
    assert folder_of(world, "lunch") is None
    properties = [(one["property"], one["value"]) for one in line.events()]
    assert properties == [("folder_id", teams), ("description", "no word of folders"), ("folder_id", None)]


def test_new_channels_are_put_into_a_folder(world: World, olga: Someone, ada: Someone) -> None:
    teams = makes(olga, "Teams")
    ada.joins("garden", folder_id=teams)
    ada.post("/channels/create", name="cellar", subscribers=[ada.id], folder_id=teams)
    world.storage.read(world.know)
    assert folder_of(world, "garden") == folder_of(world, "cellar") == teams


def test_only_who_administers_a_channel_moves_it(world: World, olga: Someone, gus: Someone) -> None:
    teams = makes(olga, "Teams")
    for name in ("bea", "gus"):
        world[name].refused("PATCH", f"/streams/{world.id('lunch')}", folder_id=teams)
    assert folder_of(world, "lunch") is None


def test_no_channel_is_in_an_archived_folder(world: World, olga: Someone, ada: Someone) -> None:
    teams, old = makes(olga, "Teams"), makes(olga, "Old")
    olga.patch(f"/channel_folders/{old}", is_archived=True)
    path = f"/streams/{world.id('lunch')}"
    for unusable in (old, 999999, -1):
        olga.refused("PATCH", path, folder_id=unusable)
    for unusable in (old, 999999):
        ada.refused("POST", "/users/me/subscriptions", subscriptions=[{"name": "g"}], folder_id=unusable)
        ada.refused("POST", "/channels/create", name="g", subscribers=[], folder_id=unusable)
    olga.patch(path, folder_id=teams)
    olga.delete(path)
    olga.refused("PATCH", f"/channel_folders/{teams}", is_archived=True)
    olga.patch(path, folder_id="null")
    olga.patch(f"/channel_folders/{teams}", is_archived=True)
    assert folders_of(olga) == []


def test_there_are_only_so_many_folders(make_world: MakeWorld) -> None:
    olga = make_world(limits=Limits(max_channel_folders=2))["olga"]
    olga.patch(f"/channel_folders/{makes(olga, 'a')}", is_archived=True)
    makes(olga, "b")
    olga.refused("POST", CREATE, name="c")
    assert names(olga, include_archived=True) == ["a", "b"]
