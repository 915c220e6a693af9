"""Default channel groups over HTTP, on both stores."""

from typing import Any

import pytest

from tests.worlds.organization import Someone, World

PATH = "/default_stream_groups"


def makes(someone: Someone, name: str, *channels: str, description: str = "To be heard") -> int:
    given = {"group_name": name, "description": description, "stream_names": list(channels)}
    made: int = someone.post(f"{PATH}/create", **given)["group_id"]
    return made


def groups_of(someone: Someone) -> list[dict[str, Any]]:
    state = someone.registers(fetch_event_types=["default_stream_groups"]).state
    found: list[dict[str, Any]] = state["realm_default_stream_groups"]
    return found


def test_administrators_keep_groups_of_channels(
    world: World, olga: Someone, ada: Someone, gus: Someone
) -> None:
    line, guest = ada.opens_queue("default_stream_groups"), gus.opens_queue("default_stream_groups")
    music = makes(olga, " Music ", "plaza", "lunch")
    ids = sorted([world.id("plaza"), world.id("lunch")])
    group = {"id": music, "name": "Music", "description": "To be heard", "streams": ids}
    assert groups_of(ada) == [group]
    olga.patch(f"{PATH}/{music}", new_group_name="Noise", new_description="Loud")
    olga.patch(f"{PATH}/{music}/streams", op="remove", stream_names=["Lunch"])
    changed = {"id": music, "name": "Noise", "description": "Loud", "streams": [world.id("plaza")]}
    assert groups_of(ada) == [changed]
    olga.patch(f"{PATH}/{music}/streams", op="add", stream_names=["lunch"])
    olga.delete(f"{PATH}/{music}")
    events = line.events()
    assert [one["default_stream_groups"] for one in events[-1:]] == [[]]
    assert len({event["id"] for event in events}) == len(events) == 5
    assert (groups_of(gus), [one["default_stream_groups"] for one in guest.events()]) == ([], [])


def test_only_administrators_change_default_groups(world: World, olga: Someone) -> None:
    music = makes(olga, "Music", "plaza")
    before = groups_of(olga)
    for name in ("mona", "ada", "gus"):
        for method, path, given in (
            ("POST", f"{PATH}/create", {"group_name": "a", "description": "", "stream_names": []}),
            ("PATCH", f"{PATH}/{music}", {"new_group_name": "a"}),
            ("PATCH", f"{PATH}/{music}/streams", {"op": "remove", "stream_names": ["plaza"]}),
            ("DELETE", f"{PATH}/{music}", {}),
        ):
            world[name].refused(method, path, code="UNAUTHORIZED_PRINCIPAL", **given)
    assert groups_of(olga) == before


@pytest.mark.parametrize(
    ("method", "path", "given"),
    [
        ("POST", "create", {"group_name": "music", "description": "", "stream_names": []}),
        ("POST", "create", {"group_name": " ", "description": "", "stream_names": []}),
        ("POST", "create", {"group_name": "x" * 61, "description": "", "stream_names": []}),
        ("POST", "create", {"group_name": "a", "description": "x" * 1025, "stream_names": []}),
        ("POST", "create", {"group_name": "a", "description": "", "stream_names": ["nowhere"]}),
        ("POST", "create", {"group_name": "a", "description": "", "stream_names": ["secret"]}),
        ("POST", "create", {"group_name": "a", "description": "", "stream_names": ["attic"]}),
        ("PATCH", "{id}", {}),
        ("PATCH", "{id}", {"new_group_name": "food"}),
        ("PATCH", "999999", {"new_group_name": "a"}),
        ("PATCH", "{id}/streams", {"op": "add", "stream_names": ["plaza"]}),
        ("PATCH", "{id}/streams", {"op": "remove", "stream_names": ["lunch"]}),
        ("PATCH", "{id}/streams", {"op": "turn", "stream_names": ["lunch"]}),
        ("DELETE", "999999", {}),
    ],
)
def test_requests_outside_the_rules_change_nothing(
    olga: Someone, method: str, path: str, given: dict[str, Any]
) -> None:
    music = makes(olga, "Music", "plaza")
    makes(olga, "Food")
    before, line = groups_of(olga), olga.opens_queue("default_stream_groups")
    olga.refused(method, f"{PATH}/{path.format(id=music)}", **given)
    assert (groups_of(olga), line.events()) == (before, [])


def test_default_channels_are_in_no_group(world: World, olga: Someone) -> None:
    olga.post("/default_streams", stream_id=world.id("plaza"))
    given = {"group_name": "Music", "description": "", "stream_names": ["plaza"]}
    olga.refused("POST", f"{PATH}/create", **given)
    assert groups_of(olga) == []


@pytest.mark.parametrize("how", ["archived", "private"])
def test_a_channel_that_is_gone_for_new_people_leaves_its_groups(
    world: World, olga: Someone, ada: Someone, how: str
) -> None:
    makes(olga, "Music", "plaza", "lunch")
    line = ada.opens_queue("default_stream_groups")
    path = f"/streams/{world.id('lunch')}"
    if how == "archived":
        olga.delete(path)
    else:
        olga.patch(path, is_private=True)
    assert [group["streams"] for group in groups_of(ada)] == [[world.id("plaza")]]
    assert len(line.events()) == 1
