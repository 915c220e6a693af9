"""People choose when nothing notifies them."""

from typing import Any

import pytest

from tests.worlds.organization import World

HOUR = 3600


def shown(world: World, name: str = "bea") -> dict[str, Any]:
    answer = world[name].get("/users/me/do_not_disturb")
    return {key: answer[key] for key in ("daily", "until", "is_on")}


def test_at_first_everything_notifies(world: World) -> None:
    assert shown(world) == {"daily": "", "until": 0, "is_on": False}


def test_daily_times_and_a_pause_are_chosen_each_by_itself(world: World) -> None:
    end = int(world.clock()) + HOUR
    world["bea"].patch("/users/me/do_not_disturb", daily="22:00-07:00")
    world["bea"].patch("/users/me/do_not_disturb", until=end)
    assert shown(world) == {"daily": "22:00-07:00", "until": end, "is_on": True}
    assert shown(world, "ada") == {"daily": "", "until": 0, "is_on": False}
    world["bea"].patch("/users/me/do_not_disturb", until=0)
    assert shown(world)["daily"] == "22:00-07:00"
    world["bea"].patch("/users/me/do_not_disturb", daily="")
    assert shown(world) == {"daily": "", "until": 0, "is_on": False}


def test_a_pause_is_over_at_its_time(world: World) -> None:
    world["bea"].patch("/users/me/do_not_disturb", until=int(world.clock()) + HOUR)
    world.clock.advance(HOUR - 1)
    assert shown(world)["is_on"]
    world.clock.advance(1)
    assert not shown(world)["is_on"]


def test_other_settings_stay_and_keep_the_times(world: World) -> None:
    world["bea"].patch("/settings", web_font_size_px=18)
    world["bea"].patch("/users/me/do_not_disturb", daily="22:00-07:00")
    world["bea"].patch("/settings", web_line_height_percent=150)
    settings = world["bea"].post("/register", fetch_event_types=["user_settings"])["user_settings"]
    assert (settings["web_font_size_px"], settings["web_line_height_percent"]) == (18, 150)
    assert shown(world)["daily"] == "22:00-07:00"
    assert "do_not_disturb_daily" not in settings


@pytest.mark.parametrize(
    "given",
    [
        {"daily": "22:00"},
        {"daily": "22:00-22:00"},
        {"daily": "25:00-07:00"},
        {"until": -1},
        {"until": 1},
        {"until": 2**60},
    ],
)
def test_other_times_are_refused(world: World, given: dict[str, Any]) -> None:
    answer = world["bea"].request("PATCH", "/users/me/do_not_disturb", **given)
    assert (answer.status_code, answer.json["code"]) == (400, "BAD_REQUEST")
    assert answer.json["var_name"] == next(iter(given))
    assert shown(world) == {"daily": "", "until": 0, "is_on": False}


def test_bots_have_none(world: World) -> None:
    robo = world["robo"]
    assert robo.request("PATCH", "/users/me/do_not_disturb", daily="22:00-07:00").status_code == 400
