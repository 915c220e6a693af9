"""Editing, moving and deleting give nobody more access than sending and reading do."""

from typing import Any

import pytest

from chatcore.domain.groups.permissions import GroupSetting
from chatcore.domain.groups.system import SystemGroup
from tests.security.attacking import nothing_changes, refusal
from tests.security.test_history import roads, unseen
from tests.worlds.files import can_read, files_world, uploads
from tests.worlds.organization import Someone, World, at_once

__all__ = ["files_world"]

QUIET = {"send_notification_to_new_thread": False}
ABOUT_MESSAGES = ("message", "update_message", "delete_message")
NOBODY = GroupSetting.of(SystemGroup.NOBODY)


def absent(who: Someone, message_id: int, **parameters: Any) -> None:
    """Every way to change or look back at a message is answered as for one that never was."""
    for method, path, given in (
        ("PATCH", "/messages/{}", {"content": "mine"}),
        ("PATCH", "/messages/{}", {"topic": "mine", "propagate_mode": "change_all"}),
        ("PATCH", "/messages/{}", {"stream_id": who.world.id("lunch"), **QUIET}),
        ("DELETE", "/messages/{}", {}),
        ("GET", "/messages/{}/history", {}),
    ):
        with nothing_changes(who.world):
            refused = refusal(who, method, path.format(message_id), **given, **parameters)
            assert refused == refusal(who, method, path.format(999_999), **given, **parameters)


@pytest.mark.every_case_on_postgresql
@pytest.mark.parametrize("name", ["olga", "adi", "mona", "cem", "gus", "robo"])
@pytest.mark.parametrize("channel", ["secret", "vault"])
def test_sec_1_nobody_changes_what_they_cannot_read(
    world: World, ada: Someone, channel: str, name: str
) -> None:
    absent(world[name], ada.says("hush", channel))


def test_sec_15_direct_messages_are_changed_by_their_people(world: World, ada: Someone) -> None:
    absent(world["olga"], ada.writes("hush", "bea"))


@pytest.mark.parametrize("channel", ["secret", "vault"])
def test_sec_2_removed_users_change_nothing_and_receive_no_events(
    world: World, ada: Someone, cem: Someone, channel: str
) -> None:
    ada.joins(channel, principals=[cem.id])
    own, other = cem.says("mine", channel), ada.says("@**Cem**", channel)
    cem.flagged("starred", own, other)
    line = cem.opens_queue(*ABOUT_MESSAGES)
    ada.patch(f"/messages/{other}", content="before")
    world["adi"].leaves(channel, principals=[cem.id])
    absent(cem, own)
    ada.patch(f"/messages/{other}", content="after @**Cem**")
    ada.patch(f"/messages/{own}", topic="later", **QUIET)
    ada.delete(f"/messages/{other}")
    assert line.events() == [], "nor what was said before, and not fetched in time"


def test_sec_3_edits_of_messages_from_before_joining_are_not_sent(
    world: World, ada: Someone, cem: Someone
) -> None:
    early = ada.says("quince", "vault", "plans")
    ada.joins("vault", principals=[cem.id])
    late = [ada.says(text, "vault", "plans") for text in ("apple", "pear")]
    line = cem.opens_queue(*ABOUT_MESSAGES)
    ada.patch(f"/messages/{early}", content="quince jam")
    absent(cem, early)
    assert line.events() == []
    ada.patch(f"/messages/{early}", content="jelly", topic="jams", propagate_mode="change_all", **QUIET)
    (event,) = line.events()
    assert (event["message_id"], event["message_ids"]) == (late[0], late)
    assert "quince" not in str(event)
    assert "jelly" not in str(event)
    ada.delete(f"/messages/{early}")
    assert line.events() == []
    ada.delete(f"/messages/{late[0]}")
    assert [event["message_id"] for event in line.events()] == [late[0]]


def test_sec_3_unreadable_messages_are_not_moved_to_another_channel(
    world: World, ada: Someone, cem: Someone
) -> None:
    early = ada.says("quince", "vault", "plans")
    ada.joins("vault", principals=[cem.id])
    late = ada.says("apple", "vault", "plans")
    cem.patch(f"/messages/{late}", stream_id=world.id("plaza"), propagate_mode="change_all", **QUIET)
    assert cem.finds("channel:plaza") == [late]
    assert ada.finds("channel:vault") == [early]


@pytest.mark.parametrize("channel", ["secret", "vault"])
def test_sec_4_messages_moved_out_of_reach_are_gone(
    world: World, ada: Someone, cem: Someone, gus: Someone, channel: str
) -> None:
    cem.joins("lunch")
    sent = ada.says("the quince ripens, @**all**", "lunch", "plans")
    for who in (cem, gus):
        who.flagged("starred", sent)
    lines = [who.opens_queue(*ABOUT_MESSAGES, "update_message_flags") for who in (cem, gus)]
    ada.patch(f"/messages/{sent}", stream_id=world.id(channel), **QUIET)
    ada.patch(f"/messages/{sent}", content="the quince is ripe, @**Cem**")
    for who, line in zip((cem, gus), lines, strict=True):
        *flags, gone = line.events()
        assert [(one["type"], one["op"], one["flag"], one["messages"]) for one in flags] == [
            ("update_message_flags", "add", "read", [sent]),
            ("update_message_flags", "remove", "starred", [sent]),
        ]
        assert (gone["type"], gone["message_id"]) == ("delete_message", sent)
        roads(who, channel, sent, "quince")
        unseen(who, channel, sent)
        absent(who, sent)
    ada.delete(f"/messages/{sent}")
    assert [line.events() for line in lines] == [[], []]


@pytest.mark.parametrize("channel", ["secret", "vault"])
def test_sec_5_a_hidden_channel_is_no_place_to_move_to(
    world: World, ada: Someone, cem: Someone, channel: str
) -> None:
    sent = cem.says("soup", "plaza")
    ada.says("hush", channel)
    for change in ({}, {"topic": "x"}, {"topic": "x", "propagate_mode": "change_later"}, {"topic": "plaza"}):
        with nothing_changes(world):
            refused = refusal(cem, "PATCH", f"/messages/{sent}", stream_id=world.id(channel), **change)
            assert refused == refusal(cem, "PATCH", f"/messages/{sent}", stream_id=999_999, **change)


def test_sec_5_seeing_a_channel_is_not_posting_in_it(world: World, ada: Someone) -> None:
    sent = world["adi"].says("soup", "plaza")
    for who in ("adi", "olga"):
        with nothing_changes(world):
            refusal(world[who], "PATCH", f"/messages/{sent}", stream_id=world.id("secret"))


@pytest.mark.parametrize("mode", ["", "change_some", "CHANGE_ALL", "1", '["change_all"]'])
def test_sec_5_there_are_three_ways_to_propagate(ada: Someone, mode: str) -> None:
    sent = ada.says("soup")
    with nothing_changes(ada.world):
        refusal(ada, "PATCH", f"/messages/{sent}", topic="x", propagate_mode=mode)


def test_sec_6_messages_moved_into_a_protected_history_are_for_those_present(
    world: World, ada: Someone, bea: Someone, cem: Someone
) -> None:
    """Only subscribers at the time of the move read the message: neither later ones nor former ones."""
    ada.joins("vault", principals=[cem.id])
    sent = ada.says("the quince ripens", "secret", "plans")
    world["adi"].leaves("vault", principals=[cem.id])
    ada.patch(f"/messages/{sent}", stream_id=world.id("vault"), **QUIET)
    ada.joins("vault", principals=[bea.id, cem.id])
    for who in (bea, cem):
        assert who.finds("channel:vault") == []
        assert who.finds("search:quince") == []
        absent(who, sent)
    assert ada.finds("channel:vault") == [sent]
    assert ada.finds() == [sent]


def test_sec_7_the_history_does_not_reveal_unreadable_channels(
    world: World, ada: Someone, bea: Someone, cem: Someone
) -> None:
    sent = ada.says("the quince", "secret", "hush")
    ada.patch(f"/messages/{sent}", content="a fruit")
    ada.patch(f"/messages/{sent}", stream_id=world.id("plaza"), topic="fruits", **QUIET)
    ada.patch(f"/messages/{sent}", content="an apple")
    secret = world.id("secret")
    history = cem.message(sent)["edit_history"]
    assert [sorted(edit) for edit in history] == [
        ["prev_content", "prev_rendered_content", "timestamp", "user_id"],
        ["stream", "timestamp", "topic", "user_id"],
    ]
    versions = cem.get(f"/messages/{sent}/history")["message_history"]
    for announced in (history, versions, cem.reads("channel:plaza")):
        assert "hush" not in str(announced)
        assert "quince" not in str(announced)
        assert str(secret) not in [str(edit.get("prev_stream")) for edit in history + versions]
    inside = bea.message(sent)["edit_history"]
    assert [edit.get("prev_stream") for edit in inside] == [None, secret, None]
    assert inside[1]["prev_topic"] == "hush"
    assert inside[2]["prev_content"] == "the quince"


def test_sec_7_a_move_does_not_reveal_to_newcomers_where_a_message_was(
    world: World, ada: Someone, cem: Someone
) -> None:
    sent = ada.says("an apple", "secret", "hush")
    cem.joins("plaza")
    line = cem.opens_queue(*ABOUT_MESSAGES)
    ada.patch(f"/messages/{sent}", stream_id=world.id("plaza"), topic="fruits")
    moved, notice = line.events()
    assert moved["stream_id"] == world.id("plaza")
    for event in (moved, notice):
        assert "hush" not in str(event)
        assert "secret" not in str(event)


def test_sec_27_an_edit_needs_what_sending_needs(world: World, ada: Someone, bea: Someone) -> None:
    sent = ada.says("soup")
    direct = ada.writes("soup", "bea")
    world.permit("lunch", can_send_message_group=NOBODY)
    world.change_organization(permissions={"direct_message_permission_group": NOBODY})
    for message_id in (sent, direct):
        with nothing_changes(world):
            refusal(ada, "PATCH", f"/messages/{message_id}", content="salad")


def test_sec_27_an_edit_adds_no_wildcard_without_the_right(world: World, ada: Someone) -> None:
    world.add_people(20, to="lunch")
    sent = ada.says("soup")
    with nothing_changes(world):
        refused = refusal(ada, "PATCH", f"/messages/{sent}", content="@**all**")
    assert refused["code"] == "STREAM_WILDCARD_MENTION_NOT_ALLOWED"
    with nothing_changes(world):
        refusal(ada, "PATCH", f"/messages/{sent}", content="@*role:members*")
    ada.patch(f"/messages/{sent}", content="@_**all** and `@**all**`")


@pytest.mark.parametrize("change", [{"content": "x"}, {"content": "x", "topic": "y"}])
def test_sec_27_the_limit_of_time_holds_for_every_form_of_an_edit(
    world: World, ada: Someone, change: dict[str, str]
) -> None:
    sent = ada.says("soup")
    world.clock.advance(621)
    with nothing_changes(world):
        refusal(ada, "PATCH", f"/messages/{sent}", **change)
    ada.patch(f"/messages/{sent}", topic="a move is another thing", **QUIET)


def test_sec_60_a_file_follows_its_message(files_world: World) -> None:
    ada, bea, cem, gus = (files_world[name] for name in ("ada", "bea", "cem", "gus"))
    url = uploads(ada)["url"]
    sent = ada.says(url)
    assert all(can_read(who, url) for who in (bea, cem, gus))
    ada.patch(f"/messages/{sent}", stream_id=files_world.id("secret"), **QUIET)
    assert [can_read(who, url) for who in (bea, cem, gus)] == [True, False, False]
    ada.patch(f"/messages/{sent}", content="no file")
    assert [can_read(who, url) for who in (ada, bea)] == [True, False]
    ada.patch(f"/messages/{sent}", content=url)
    assert can_read(bea, url)
    ada.delete(f"/messages/{sent}")
    assert [can_read(who, url) for who in (ada, bea)] == [True, False]


def test_sec_61_an_edit_gives_no_file_that_its_author_cannot_read(files_world: World) -> None:
    ada, cem = files_world["ada"], files_world["cem"]
    url = uploads(ada)["url"]
    ada.says(url, "secret")
    sent = cem.says("soup", "plaza")
    cem.patch(f"/messages/{sent}", content=url)
    assert not can_read(cem, url)


@pytest.mark.every_case_on_postgresql
@pytest.mark.parametrize("round_", range(3))
def test_sec_83_changes_at_once_come_out_as_if_one_after_the_other(
    world: World, ada: Someone, bea: Someone, round_: int
) -> None:
    sent = [ada.says("soup") for _ in range(3)]
    watched = bea.opens_queue("update_message", "delete_message")
    olga = world["olga"]
    answers = at_once(
        lambda: ada.request("PATCH", f"/messages/{sent[0]}", content="salad").status_code,
        lambda: (
            ada.request(
                "PATCH", f"/messages/{sent[0]}", topic="later", propagate_mode="change_all", **QUIET
            ).status_code
        ),
        lambda: (
            bea.request(
                "PATCH", f"/messages/{sent[2]}", stream_id=world.id("secret"), propagate_mode="change_all"
            ).status_code
        ),
        lambda: olga.request("DELETE", f"/messages/{sent[1]}").status_code,
        lambda: bea.request("POST", "/messages/flags", messages=sent, op="add", flag="starred").status_code,
    )
    assert set(answers) <= {200, 400}
    messages = {message["id"]: message for message in bea.reads(message_ids=sent)}
    starred = set(bea.post("/register")["starred_messages"])
    assert starred <= messages.keys()
    edits = sum(len(message.get("edit_history", ())) for message in messages.values())
    assert (edits > 0) == any(event["type"] == "update_message" for event in watched.events())
    if answers[3] == 200:
        assert sent[1] not in messages


@pytest.mark.parametrize("topic", ["b** @**all", "`b` @**all**", "b @**topic** `", "b>c** @**everyone"])
def test_no_topic_mentions_everybody_where_messages_are_moved(
    world: World, ada: Someone, bea: Someone, topic: str
) -> None:
    sent = ada.says("soup", topic=topic)
    ada.patch(f"/messages/{sent}", topic="later")
    notice = bea.reads("channel:lunch")[-1]
    assert "moved here from <code>" in notice["content"]
    assert not {"mentioned", "wildcard_mentioned"} & set(notice["flags"])
    assert "wildcard" not in notice["content"]
