"""Legal holds over HTTP, and what they keep from being lost by hand."""

from typing import Any

import pytest

from chatcore.application.files.upkeep import delete_files, delete_unused, drop_unused
from chatcore.domain.limits import Limits
from chatcore.domain.retention.holds import MustBeKept
from tests.worlds.files import attachments, can_read, files_world, uploads
from tests.worlds.organization import DAY, MakeWorld, Someone, World, is_

__all__ = ["files_world"]

KEPT = "MUST_BE_KEPT"
PREFIX = "/user_uploads/"


def holds(world: World, **on: Any) -> int:
    answer = world["olga"].post("/legal_holds", reason="case 7", **on)
    return int(answer["legal_hold_id"])


def test_owners_set_list_and_lift_holds(world: World) -> None:
    olga = world["olga"]
    first = holds(world, user_id=world["ada"].id)
    second = holds(world, channel_id=world.id("secret"))
    common = {"reason": "case 7", "timestamp": world.svc.now, "acting_user_id": olga.id}
    assert olga.get("/legal_holds")["legal_holds"] == [
        {"id": first, "user_id": world["ada"].id, "channel_id": None, **common},
        {"id": second, "user_id": None, "channel_id": world.id("secret"), **common},
    ]
    olga.delete(f"/legal_holds/{first}")
    assert [hold["id"] for hold in olga.get("/legal_holds")["legal_holds"]] == [second]


@pytest.mark.parametrize("name", ["adi", "mona", "ada", "gus", "robo"])
def test_nobody_else_does(world: World, name: str) -> None:
    hold_id = holds(world, user_id=world["ada"].id)
    someone = world[name]
    someone.refused("GET", "/legal_holds", code="UNAUTHORIZED_PRINCIPAL")
    someone.refused(
        "POST", "/legal_holds", code="UNAUTHORIZED_PRINCIPAL", reason="x", user_id=world["bea"].id
    )
    someone.refused("DELETE", f"/legal_holds/{hold_id}", code="UNAUTHORIZED_PRINCIPAL")
    assert len(world["olga"].get("/legal_holds")["legal_holds"]) == 1


def test_only_owners_see_holds_in_the_audit_log(world: World) -> None:
    hold_id = holds(world, user_id=world["ada"].id)
    world["olga"].delete(f"/legal_holds/{hold_id}")
    lifted, was_set = world["olga"].get("/audit")["entries"]
    assert (lifted["kind"], was_set["kind"]) == ("hold_lifted", "hold_set")
    assert was_set["after"] == lifted["before"] == {"user_id": world["ada"].id, "reason": "case 7"}
    assert was_set["target_id"] == hold_id
    assert world["adi"].get("/audit")["entries"] == []
    assert world["adi"].get("/audit", kind="hold_set")["entries"] == []
    assert world["adi"].get("/audit", target_type="hold")["entries"] == []


@pytest.mark.parametrize(
    "given",
    [
        {},
        {"user_id": 1, "channel_id": 1},
        {"user_id": 999},
        {"channel_id": 999},
        {"user_id": "ada", "reason": ""},
        {"user_id": "ada", "reason": "x" * 201},
        {"user_id": "ada", "reason": "a\nb"},
    ],
)
def test_bad_holds_are_refused(world: World, given: dict[str, Any]) -> None:
    if given.get("user_id") == "ada":
        given = {**given, "user_id": world["ada"].id}
    world["olga"].refused("POST", "/legal_holds", **{"reason": "x", **given})
    assert world["olga"].get("/legal_holds")["legal_holds"] == []


def test_nothing_is_held_twice_or_lifted_twice(world: World) -> None:
    hold_id = holds(world, channel_id=world.id("lunch"))
    world["olga"].refused("POST", "/legal_holds", reason="x", channel_id=world.id("lunch"))
    world["olga"].delete(f"/legal_holds/{hold_id}")
    world["olga"].refused("DELETE", f"/legal_holds/{hold_id}")


def hold_each_way(world: World, way: str) -> None:
    if way == "channel":
        holds(world, channel_id=world.id("lunch"))
    else:
        holds(world, user_id=world["ada"].id)


@pytest.mark.parametrize("way", ["channel", "person"])
def test_what_is_held_is_deleted_by_nobody(world: World, way: str) -> None:
    ada, olga = world["ada"], world["olga"]
    message_id = ada.says("soup", topic="menu")
    hold_each_way(world, way)
    for someone in (ada, olga):
        someone.refused("DELETE", f"/messages/{message_id}", code=KEPT)
    path = f"/streams/{world.id('lunch')}/delete_topic"
    olga.refused("POST", path, topic_name="menu", code=KEPT)
    assert world["bea"].message(message_id)["content"] == "<p>soup</p>"


def test_a_topic_is_not_deleted_in_part(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("chatcore.application.messages.deleting_topics.BATCH", 1)
    world["ada"].says("soup", topic="menu")
    newer = world["bea"].says("salad", topic="menu")
    hold_each_way(world, "person")
    path = f"/streams/{world.id('lunch')}/delete_topic"
    world["olga"].refused("POST", path, topic_name="menu", code=KEPT)
    assert world["bea"].message(newer)


def test_direct_messages_to_somebody_held_are_held(world: World) -> None:
    bea = world["bea"]
    to_ada, to_cem = bea.writes("for you", "ada"), bea.writes("for you", "cem")
    hold_each_way(world, "person")
    bea.refused("DELETE", f"/messages/{to_ada}", code=KEPT)
    bea.delete(f"/messages/{to_cem}")


def test_others_delete_as_before(world: World) -> None:
    message_id = world["bea"].says("salad")
    hold_each_way(world, "person")
    world["bea"].delete(f"/messages/{message_id}")


@pytest.mark.parametrize("way", ["channel", "person"])
def test_edits_of_what_is_held_keep_each_version(make_world: MakeWorld, way: str) -> None:
    world = make_world(limits=Limits(max_edits_per_message=2))
    ada = world["ada"]
    message_id = ada.says("0")
    hold_each_way(world, way)
    for number in (1, 2):
        ada.patch(f"/messages/{message_id}", content=f"{number}")
    ada.refused("PATCH", f"/messages/{message_id}", content="3", code=KEPT)
    ada.refused("PATCH", f"/messages/{message_id}", topic="other", code=KEPT)
    history = ada.get(f"/messages/{message_id}/history")["message_history"]
    assert [version["content"] for version in history] == ["0", "1", "2"]


def test_messages_do_not_leave_a_channel_that_is_held(world: World) -> None:
    olga = world["olga"]
    olga.joins("lunch", "plaza")
    message_id = world["ada"].says("soup")
    hold_each_way(world, "channel")
    olga.refused("PATCH", f"/messages/{message_id}", stream_id=world.id("plaza"), code=KEPT)
    olga.patch(f"/messages/{message_id}", topic="other")
    elsewhere = world["ada"].says("soup", "plaza")
    olga.patch(f"/messages/{elsewhere}", stream_id=world.id("lunch"))


def test_a_topic_of_a_channel_that_is_held_is_resolved_and_unresolved(world: World) -> None:
    ada = world["ada"]
    message_id = ada.says("soup", topic="menu")
    hold_each_way(world, "channel")
    for topic in ("\u2714 menu", "menu"):
        ada.patch(f"/messages/{message_id}", topic=topic, propagate_mode="change_all")
    notices = [message["content"] for message in ada.reads(is_("topic", "menu"))]
    assert ["unresolved" in notice for notice in notices] == [False, False, True]


@pytest.mark.parametrize("way", ["channel", "person"])
def test_files_of_what_is_held_stay(files_world: World, way: str) -> None:
    world, ada = files_world, files_world["ada"]
    url = uploads(ada, b"soup")["url"]
    message_id = ada.says(f"[soup]({url})")
    hold_each_way(world, way)
    (file,) = attachments(ada)
    ada.refused("DELETE", f"/attachments/{file['id']}", code=KEPT)
    ada.patch(f"/messages/{message_id}", content="no file")
    ada.refused("DELETE", f"/attachments/{file['id']}", code=KEPT)
    unused = uploads(world["bea"], b"stew")["url"]
    for path_ids in ([url.removeprefix(PREFIX)], [unused.removeprefix(PREFIX), url.removeprefix(PREFIX)]):
        with pytest.raises(MustBeKept):
            delete_files(world.svc, path_ids)
    world.clock.advance(90 * DAY)
    delete_unused(world.svc, DAY)
    drop_unused(world.svc)
    assert can_read(world["bea"], url)
    assert not can_read(world["bea"], unused)


def test_files_that_nobody_holds_are_deleted(files_world: World) -> None:
    world, bea = files_world, files_world["bea"]
    hold_each_way(world, "person")
    uploads(bea, b"soup")
    (file,) = attachments(bea)
    bea.delete(f"/attachments/{file['id']}")
    assert attachments(bea) == []


def test_everything_can_be_deleted_after_the_hold(world: World, ada: Someone) -> None:
    message_id = ada.says("soup")
    hold_id = holds(world, user_id=ada.id)
    ada.refused("DELETE", f"/messages/{message_id}", code=KEPT)
    world["olga"].delete(f"/legal_holds/{hold_id}")
    ada.delete(f"/messages/{message_id}")
