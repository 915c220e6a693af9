"""Drafts over HTTP, on both stores."""

import json
from hashlib import sha256
from typing import Any

import pytest

from chatcore.domain.groups.permissions import GroupSetting
from chatcore.domain.groups.system import SystemGroup
from chatcore.domain.limits import Limits
from chatcore.domain.roles import Role
from chatcore.http.pipeline.encoding import MANY
from chatcore.storage import slices
from tests.worlds.organization import NOW, MakeWorld, Someone, World


def draft(content: str = "soup?", **fields: Any) -> dict[str, Any]:
    return {"type": "", "to": [], "topic": "", "content": content, **fields}


def drafts_of(someone: Someone) -> list[dict[str, Any]]:
    answer = someone.get("/drafts")
    assert answer["count"] == len(answer["drafts"])
    drafts: list[dict[str, Any]] = answer["drafts"]
    return drafts


@pytest.mark.shows(
    "draft.fields", "draft.id-in-answers", "draft.types", "draft.to-people", "draft.to-nobody",
    "draft.topic-ignored", "draft.timestamp", "edit-draft.changes", "named.drafts",
)  # fmt: skip
def test_drafts_are_created_listed_edited_and_deleted(world: World, ada: Someone, bea: Someone) -> None:
    lunch = world.id("lunch")
    wanted = [
        draft("one", timestamp=NOW - 5),
        draft("two", type="stream", to=[lunch], topic="today"),
        draft("three", type="private", to=[bea.id, ada.id], topic="ignored"),
    ]
    first, second, third = ada.post("/drafts", drafts=wanted)["ids"]
    assert drafts_of(ada) == [
        {"id": first, **wanted[0]},
        {"id": second, **wanted[1], "timestamp": NOW},
        {"id": third, **wanted[2], "topic": "", "timestamp": NOW},
    ]
    world.clock.advance(10)
    ada.patch(f"/drafts/{first}", draft=draft("one, again", type="stream", to=[lunch], topic="x" * 99))
    assert drafts_of(ada)[-1] == {
        "id": first,
        "type": "stream",
        "to": [lunch],
        "topic": "x" * 57 + "...",
        "content": "one, again",
        "timestamp": NOW + 10,
    }
    ada.patch(f"/drafts/{first}", draft=draft("one, at last", timestamp=7))
    assert drafts_of(ada)[0] == {"id": first, **draft("one, at last", timestamp=7)}
    ada.delete(f"/drafts/{second}")
    assert [one["id"] for one in drafts_of(ada)] == [first, third]


def test_a_change_of_a_text_that_nobody_has_seen_is_refused(ada: Someone) -> None:
    (draft_id,) = ada.post("/drafts", drafts=[draft("first ü")])["ids"]
    seen = sha256("first ü".encode()).hexdigest()
    ada.patch(f"/drafts/{draft_id}", draft=draft("second"), prev_content_sha256=seen)
    for method, fields in (("PATCH", {"draft": draft("third")}), ("DELETE", {})):
        refusal = ada.refused(
            method, f"/drafts/{draft_id}", **fields, prev_content_sha256=seen, code="EXPECTATION_MISMATCH"
        )
        assert refusal["field_name"] == "prev_content_sha256"
    assert [one["content"] for one in drafts_of(ada)] == ["second"]
    ada.delete(f"/drafts/{draft_id}", prev_content_sha256=sha256(b"second").hexdigest())
    assert drafts_of(ada) == []


@pytest.mark.shows("edit-draft.told", "event.drafts", "cause.draft-edited")
def test_each_change_is_sent_to_the_authors_clients_only(ada: Someone, bea: Someone) -> None:
    mine, others = ada.opens_queue("drafts"), bea.opens_queue("drafts")
    first, second = ada.post("/drafts", drafts=[draft("one"), draft("two")])["ids"]
    ada.patch(f"/drafts/{first}", draft=draft("one, again"))
    ada.delete(f"/drafts/{second}")
    events = [{name: value for name, value in event.items() if name != "id"} for event in mine.events()]
    assert events == [
        {
            "type": "drafts",
            "op": "add",
            "drafts": [
                {"id": first, **draft("one"), "timestamp": NOW},
                {"id": second, **draft("two"), "timestamp": NOW},
            ],
        },
        {"type": "drafts", "op": "update", "draft": {"id": first, **draft("one, again"), "timestamp": NOW}},
        {"type": "drafts", "op": "remove", "draft_id": second},
    ]
    assert others.events() == []


def test_an_empty_list_of_drafts_stores_and_announces_nothing(ada: Someone) -> None:
    mine = ada.opens_queue("drafts")
    assert ada.post("/drafts")["ids"] == ada.post("/drafts", drafts=[])["ids"] == []
    assert mine.events() == []


@pytest.mark.shows(
    "draft.id-not-sent", "draft.types", "draft.to-channel", "draft.to-people", "draft.topic-null",
    "draft.content-null",
)  # fmt: skip
@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"type": "stream"}, "BAD_REQUEST"),
        ({"type": "stream", "to": [1, 2]}, "BAD_REQUEST"),
        ({"type": "stream", "to": [10**9]}, "BAD_REQUEST"),
        ({"type": "stream", "to": [-1]}, "BAD_REQUEST"),
        ({"type": "private", "to": [10**9]}, "BAD_REQUEST"),
        ({"content": ""}, "BAD_REQUEST"),
        ({"content": " \n"}, "BAD_REQUEST"),
        ({"timestamp": -1}, "BAD_REQUEST"),
        ({"content": "a\0b"}, "BAD_REQUEST"),
        ({"topic": "a\0b"}, "BAD_REQUEST"),
        ({"type": "channel"}, "BAD_REQUEST"),
        ({"type": "direct"}, "BAD_REQUEST"),
        ({"to": 7}, "BAD_REQUEST"),
        ({"to": ["ada@example.org"]}, "BAD_REQUEST"),
        ({"id": 7}, "BAD_REQUEST"),
        ({"color": "red"}, "BAD_REQUEST"),
        ({"timestamp": 1.5}, "BAD_REQUEST"),
    ],
)
def test_a_draft_outside_the_rules_is_refused_with_all_beside_it(
    ada: Someone, fields: dict[str, Any], code: str
) -> None:
    mine = ada.opens_queue("drafts")
    ada.refused("POST", "/drafts", code=code, drafts=[draft(), draft(**fields)])
    assert (drafts_of(ada), mine.events()) == ([], [])
    (draft_id,) = ada.post("/drafts", drafts=[draft()])["ids"]
    mine.events()
    ada.refused("PATCH", f"/drafts/{draft_id}", code=code, draft=draft(**fields))
    assert drafts_of(ada) == [{"id": draft_id, **draft(), "timestamp": NOW}]
    assert mine.events() == []


@pytest.mark.shows("draft.fields", "edit-draft.required")
@pytest.mark.parametrize("missing", ["type", "to", "topic", "content"])
def test_every_field_but_the_time_is_required(ada: Someone, missing: str) -> None:
    incomplete = draft()
    del incomplete[missing]
    ada.refused("POST", "/drafts", code="BAD_REQUEST", drafts=[incomplete])
    ada.refused("PATCH", "/drafts/1", code="REQUEST_VARIABLE_MISSING")


@pytest.mark.shows("edit-draft.unknown", "code.bad-request")
def test_sec_14_a_draft_of_another_is_as_if_absent(world: World, ada: Someone, bea: Someone) -> None:
    (draft_id,) = ada.post("/drafts", drafts=[draft()])["ids"]
    announced = ada.opens_queue("drafts")
    for someone, number in ((bea, draft_id), (world["olga"], draft_id), (bea, 10**9)):
        changed = someone.refused("PATCH", f"/drafts/{number}", status=404, draft=draft("mine"))
        removed = someone.refused("DELETE", f"/drafts/{number}", status=404)
        assert changed == removed == {"result": "error", "msg": "Draft does not exist", "code": "BAD_REQUEST"}
    assert drafts_of(bea) == []
    assert drafts_of(ada) == [{"id": draft_id, **draft(), "timestamp": NOW}]
    assert announced.events() == []
    world.nobody.refused("GET", "/drafts", status=401, code="UNAUTHORIZED")


@pytest.mark.parametrize(
    ("name", "channel", "is_seen"),
    [
        ("ada", "secret", True),
        ("cem", "lunch", True),
        ("cem", "secret", False),
        ("cem", "vault", False),
        ("gus", "lunch", True),
        ("gus", "attic", False),
        ("olga", "secret", True),
        ("robo", "secret", False),
    ],
)
def test_sec_14_a_channel_that_one_cannot_see_is_as_if_absent(
    world: World, name: str, channel: str, is_seen: bool
) -> None:
    someone = world[name]
    wanted = draft(type="stream", to=[world.id(channel)], topic="today")
    if is_seen:
        someone.post("/drafts", drafts=[wanted])
        return
    unseen = someone.refused("POST", "/drafts", drafts=[wanted])
    absent = someone.refused("POST", "/drafts", drafts=[{**wanted, "to": [10**9]}])
    assert unseen == absent
    assert drafts_of(someone) == []


def test_sec_14_users_invisible_to_a_limited_guest_are_as_if_absent(world: World, gus: Someone) -> None:
    members = GroupSetting.of(SystemGroup.MEMBERS)
    world.change_organization(permissions={"can_access_all_users_group": members})
    gus.post("/drafts", drafts=[draft(type="private", to=[world["ada"].id])])
    unknown = gus.refused("POST", "/drafts", drafts=[draft(type="private", to=[world["cem"].id])])
    assert unknown["msg"] == f"Invalid user ID {world['cem'].id}"
    absent = gus.refused("POST", "/drafts", drafts=[draft(type="private", to=[10**9])])
    assert absent["msg"] == f"Invalid user ID {10**9}"


def test_sec_79_there_are_only_so_many_drafts(make_world: MakeWorld) -> None:
    ada = make_world(limits=Limits(max_drafts_per_user=3, max_drafts_in_register=2))["ada"]
    ada.post("/drafts", drafts=[draft("a"), draft("b")])
    ada.refused("POST", "/drafts", drafts=[draft("c"), draft("d")])
    (draft_id,) = ada.post("/drafts", drafts=[draft("c")])["ids"]
    ada.refused("POST", "/drafts", drafts=[draft("d")])
    ada.patch(f"/drafts/{draft_id}", draft=draft("e"))
    assert [one["content"] for one in drafts_of(ada)] == ["a", "b", "e"]
    state = ada.registers(fetch_event_types=["drafts"]).state
    assert [one["content"] for one in state["drafts"]] == ["e", "b"]


def test_drafts_have_so_much_room_together(make_world: MakeWorld) -> None:
    """Bytes and recipients count; what is shortened is never refused, what is refused leaves nothing."""
    ada = make_world(limits=Limits(max_drafts_size=100))["ada"]
    (first,) = ada.post("/drafts", drafts=[draft("é" * 20)])["ids"]
    assert "too large" in ada.refused("POST", "/drafts", drafts=[draft("é" * 30)])["msg"]
    everybody = [user.id for user in ada.world.users.values() if user.email != "system@example.org"]
    ada.refused("POST", "/drafts", drafts=[draft("all of you", type="private", to=everybody)])
    ada.refused("PATCH", f"/drafts/{first}", draft=draft("é" * 60))
    assert [one["content"] for one in drafts_of(ada)] == ["é" * 20]
    ada.patch(f"/drafts/{first}", draft=draft("é" * 10))
    ada.post("/drafts", drafts=[draft("é" * 20)])


def test_clients_that_keep_drafts_themselves_have_none_here(world: World, ada: Someone) -> None:
    (draft_id,) = ada.post("/drafts", drafts=[draft()])["ids"]
    world.choose("ada", enable_drafts_synchronization=False)
    ada.refused("GET", "/drafts")
    ada.refused("POST", "/drafts", drafts=[draft()])
    ada.refused("PATCH", f"/drafts/{draft_id}", draft=draft())
    ada.refused("DELETE", f"/drafts/{draft_id}")
    assert ada.registers(fetch_event_types=["drafts"]).state["drafts"] == []


@pytest.mark.shows("event.drafts")
def test_the_state_and_the_events_are_the_state_afterwards(world: World, ada: Someone) -> None:
    ada.post("/drafts", drafts=[draft("old", timestamp=NOW - 9)])
    line = ada.registers(event_types=["drafts"], fetch_event_types=["drafts"])
    state = {one["id"]: one for one in line.state["drafts"]}
    for number in range(12):
        world.clock.advance(1)
        ada.post("/drafts", drafts=[draft(f"{number}a"), draft(f"{number}b", timestamp=NOW - number)])
        known = [one["id"] for one in drafts_of(ada)]
        ada.patch(f"/drafts/{known[number % len(known)]}", draft=draft(f"edited {number}"))
        if number % 2:
            ada.delete(f"/drafts/{known[(number * 7) % len(known)]}")
    for event in line.events():
        if event["op"] == "add":
            state.update({one["id"]: one for one in event["drafts"]})
        elif event["op"] == "update":
            state[event["draft"]["id"]] = event["draft"]
        else:
            del state[event["draft_id"]]
    newest_first = sorted(state.values(), key=lambda one: (-one["timestamp"], -one["id"]))
    assert newest_first == ada.registers(fetch_event_types=["drafts"]).state["drafts"]


def test_others_run_while_many_drafts_are_listed(ada: Someone, monkeypatch: pytest.MonkeyPatch) -> None:
    """They are read, described and encoded in slices, by `GET /drafts` and by `register`."""
    many = 2 * slices.LOOK_EVERY * (MANY // slices.LOOK_EVERY)
    ada.post("/drafts", drafts=[draft(str(number)) for number in range(many)])
    pauses: list[None] = []
    monkeypatch.setattr(slices, "give_way", lambda: pauses.append(None))
    monkeypatch.setattr(slices, "SLICE", -1)
    assert len(drafts_of(ada)) == many
    assert len(pauses) >= 3 * many // slices.LOOK_EVERY
    pauses.clear()
    ada.post("/register", event_types=["drafts"])
    assert len(pauses) >= 2 * many // slices.LOOK_EVERY


def test_without_an_account_there_are_no_drafts(world: World) -> None:
    world.open_to_the_web()
    assert world.nobody.post("/register", fetch_event_types=["drafts"])["drafts"] == []


def test_a_guest_and_a_bot_have_drafts_too(world: World) -> None:
    world.add_user("new", role=Role.GUEST)
    for name in ("gus", "robo", "new"):
        world[name].post("/drafts", drafts=json.dumps([draft(name)]))
        assert [one["content"] for one in drafts_of(world[name])] == [name]
