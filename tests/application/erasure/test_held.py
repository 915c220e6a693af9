"""Erasing people where something is held: what a legal hold keeps stays as it was written."""

from pathlib import Path

import pytest

from tests.application.erasure.test_erasing import erased
from tests.worlds.files import fetches, uploads
from tests.worlds.organization import MakeWorld, World


@pytest.fixture
def world(make_world: MakeWorld, tmp_path: Path) -> World:
    return make_world(data_dir=tmp_path / "data")


def hold(world: World, **on: int) -> int:
    hold_id: int = world["olga"].post("/legal_holds", reason="a case", **on)["legal_hold_id"]
    return hold_id


def test_who_is_held_is_not_erased(world: World) -> None:
    bea = world["bea"]
    hold(world, user_id=bea.id)
    world["olga"].refused("POST", f"/users/{bea.id}/erase", code="MUST_BE_KEPT")
    assert bea.get("/users/me")["full_name"] == "Bea"


@pytest.mark.parametrize("is_active", [True, False])
def test_whose_bot_is_held_is_not_erased(world: World, is_active: bool) -> None:
    ada, robo, olga = world["ada"], world["robo"], world["olga"]
    said = robo.says("beep")
    if not is_active:
        olga.delete(f"/bots/{robo.id}")
    hold_id = hold(world, user_id=robo.id)
    olga.refused("POST", f"/users/{ada.id}/erase", code="MUST_BE_KEPT", messages="delete")
    assert olga.message(said)["sender_full_name"] == world.users["robo"].full_name
    assert ada.get("/users/me")["is_active"]
    olga.delete(f"/legal_holds/{hold_id}")
    olga.post(f"/users/{ada.id}/erase", messages="delete")


def test_messages_of_a_channel_that_is_held_stay_under_the_new_name(world: World) -> None:
    bea = world["bea"]
    kept, deleted = bea.says("soup"), bea.says("stew", "plaza")
    hold(world, channel_id=world.id("lunch"))
    erased(world, bea, messages="delete")
    assert world["olga"].get(f"/messages/{kept}")["message"]["sender_full_name"] == f"Deleted person {bea.id}"
    world["olga"].refused("GET", f"/messages/{deleted}")


def test_a_file_in_a_channel_that_is_held_stays(world: World) -> None:
    bea = world["bea"]
    kept, gone = (uploads(bea, b"zebra", name)["url"] for name in ("kept.txt", "gone.txt"))
    bea.says(f"[soup]({kept})")
    bea.says(f"[stew]({gone})", "plaza")
    hold(world, channel_id=world.id("lunch"))
    erased(world, bea, messages="delete")
    assert [fetches(world["olga"], url).status_code for url in (kept, gone)] == [200, 404]


@pytest.mark.parametrize("on", ["sender", "channel"])
def test_what_is_held_keeps_the_name_of_whom_it_mentions(world: World, on: str) -> None:
    ada, bea, cem = world["ada"], world["bea"], world["cem"]
    held, other = ada.says("@**Bea** stole it"), cem.says("@**Bea** did not", "plaza")
    for who, message_id in ((ada, held), (cem, other)):
        before = who.message(message_id, apply_markdown=False)["content"]
        who.patch(f"/messages/{message_id}", content=f"{before}!")
    hold(world, **({"user_id": ada.id} if on == "sender" else {"channel_id": world.id("lunch")}))
    history = world["olga"].get(f"/messages/{held}/history")["message_history"]
    erased(world, bea)
    assert world["olga"].get(f"/messages/{held}/history")["message_history"] == history
    assert "@Bea</span> stole it!" in world["olga"].message(held)["content"]
    assert ada.message(held, apply_markdown=False)["content"] == "@**Bea** stole it!"
    renamed = cem.get(f"/messages/{other}/history")["message_history"]
    assert [f"Deleted person {bea.id}" in version["rendered_content"] for version in renamed] == [True, True]
