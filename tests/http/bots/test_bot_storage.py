"""Storage of bots over HTTP, on both stores."""

import json
from typing import Any

import pytest

from chatcore.domain.limits import Limits
from tests.worlds.organization import MakeWorld, Someone


def kept(who: Someone, *keys: str) -> dict[str, str]:
    storage: dict[str, str] = who.get("/bot_storage", **({"keys": list(keys)} if keys else {}))["storage"]
    return storage


def test_a_bot_keeps_texts_for_itself(robo: Someone, ada: Someone) -> None:
    assert kept(robo) == {}
    robo.put("/bot_storage", storage={"game": "x", "größe": "☕", "": ""})
    robo.put("/bot_storage", storage={"game": "xo"})
    assert kept(robo) == {"game": "xo", "größe": "☕", "": ""}
    assert kept(robo, "game", "größe", "game") == {"game": "xo", "größe": "☕"}
    assert robo.get("/bot_storage", keys=[])["storage"] == {}
    assert kept(ada) == {}
    ada.put("/bot_storage", storage={"game": "mine"})
    robo.delete("/bot_storage", keys=["game", ""])
    assert kept(robo) == {"größe": "☕"}
    robo.delete("/bot_storage")
    assert (kept(robo), kept(ada)) == ({}, {"game": "mine"})


def test_there_are_no_events(robo: Someone, ada: Someone) -> None:
    lines = [robo.registers(), ada.registers()]
    robo.put("/bot_storage", storage={"game": "x"})
    assert [line.events() for line in lines] == [[], []]


@pytest.mark.every_case_on_postgresql
@pytest.mark.parametrize(
    ("key", "code"),
    [
        ("no", "BAD_REQUEST"),
        ("x" * 5000, "BAD_REQUEST"),
        ("a\0", "BAD_REQUEST"),
        ("\ud800", "BAD_REQUEST"),
    ],
)
def test_keys_that_are_not_there(robo: Someone, key: str, code: str) -> None:
    robo.put("/bot_storage", storage={"game": "x"})
    for method in ("GET", "DELETE"):
        robo.refused(method, "/bot_storage", code=code, keys=json.dumps(["game", key]))
    assert kept(robo) == {"game": "x"}


@pytest.mark.every_case_on_postgresql
@pytest.mark.parametrize(
    ("storage", "code"),
    [
        ("no JSON", "BAD_REQUEST"),
        ([], "BAD_REQUEST"),
        ({"a": 1}, "BAD_REQUEST"),
        ({"a": None}, "BAD_REQUEST"),
        ({"a": "\0"}, "BAD_REQUEST"),
        ({"a": "\ud800"}, "BAD_REQUEST"),
        ('{"a": "1", "a": "2"}', "BAD_REQUEST"),
        ({"x" * 256: "1"}, "BAD_REQUEST"),
    ],
)
def test_entries_that_are_refused(robo: Someone, storage: Any, code: str) -> None:
    robo.refused("PUT", "/bot_storage", code=code, storage=storage)
    assert kept(robo) == {}


def test_the_storage_of_an_account_is_limited(make_world: MakeWorld) -> None:
    world = make_world(limits=Limits(max_bot_storage_keys=2, max_bot_storage_length=10))
    robo, ada = world["robo"], world["ada"]
    robo.put("/bot_storage", storage={"a": "1234", "b": "1234"})
    for more in ({"a": "12345"}, {"c": ""}, {"b": "", "c": "", "d": ""}):
        robo.refused("PUT", "/bot_storage", storage=more)
        assert kept(robo) == {"a": "1234", "b": "1234"}
    robo.refused("GET", "/bot_storage", keys=["a", "b", "c"])
    robo.put("/bot_storage", storage={"a": "", "b": "☕" * 8})
    ada.put("/bot_storage", storage={"a": "1234"})


def test_only_accounts_keep_something(make_world: MakeWorld) -> None:
    world = make_world()
    for method, given in (("GET", {}), ("PUT", {"storage": {"a": "1"}}), ("DELETE", {})):
        world.nobody.refused(method, "/bot_storage", status=401, code="UNAUTHORIZED", **given)
