"""What the archive of a person has of messages that the person may not read any more: no place, and no word
that others have given them since.
"""

from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest

from chatcore.domain.limits import Limits
from tests.application.erasure.test_exporting import own_archive, rows, text_of
from tests.worlds.files import uploads
from tests.worlds.organization import MakeWorld, World

TOPIC = "zebrafink on monday"
CHANNEL = "zebraboard"
WORD = "zebra"
FOLLOWED = 3


@pytest.fixture
def world(make_world: MakeWorld, tmp_path: Path) -> World:
    return make_world(data_dir=tmp_path / "data")


def moved(world: World, message_id: int, **to: Any) -> None:
    world["olga"].patch(f"/messages/{message_id}", propagate_mode="change_all", **to)


def message(archive: ZipFile, message_id: int) -> dict[str, Any]:
    (row,) = [row for row in rows(archive, "message") if row["id"] == message_id]
    return row


def require_hidden(archive: ZipFile, message_id: int, content: str = "mine") -> None:
    row = message(archive, message_id)
    assert row["content"] == content
    place = ("recipient_id", "topic", "topic_key", "folded_topic", "topic_links", "last_moved_timestamp")
    assert [row[name] for name in place] == [None] * len(place)
    for name in archive.namelist():
        assert WORD not in archive.read(name).decode(errors="replace").lower(), name


def test_a_message_that_was_moved_away_has_no_place(world: World) -> None:
    ada = world["ada"]
    sent = ada.says("mine")
    ada.post("/user_topics", stream_id=world.id("lunch"), topic="today", visibility_policy=FOLLOWED)
    ada.post("/messages/flags", messages=[sent], op="add", flag="starred")
    ada.post(f"/messages/{sent}/reactions", emoji_name="tada")
    board = world.add_channel(CHANNEL, "olga", "cem", invite_only=True)
    moved(world, sent, stream_id=board, topic=TOPIC)
    archive = own_archive(ada)
    require_hidden(archive, sent)
    assert f'"recipient_id":{board}' not in text_of(archive).replace(" ", "")


def test_a_topic_that_is_renamed_after_the_person_has_left_is_not_named(world: World) -> None:
    ada = world["ada"]
    world.add_channel(CHANNEL, "olga", "ada", invite_only=True)
    sent = ada.says("mine", channel=CHANNEL)
    ada.post("/user_topics", stream_id=world.id(CHANNEL), topic="today", visibility_policy=FOLLOWED)
    ada.leaves(CHANNEL)
    moved(world, sent, topic=TOPIC)
    archive = own_archive(ada)
    require_hidden(archive, sent)
    assert all(row["channel_id"] != world.id(CHANNEL) for row in rows(archive, "topic_policy"))


def test_protected_history_is_read_by_those_who_have_received_it(world: World) -> None:
    ada = world["ada"]
    protected = {"invite_only": True, "history_public_to_subscribers": False}
    board = world.add_channel("board", "olga", "cem", **protected)
    before, after = ada.says("mine"), ada.says("mine", topic="later")
    moved(world, before, stream_id=board, topic=TOPIC)
    world["olga"].joins("board", principals=[ada.id])
    archive = own_archive(ada)
    require_hidden(archive, before)
    moved(world, after, stream_id=board, topic="known")
    row = message(own_archive(ada), after)
    assert (row["recipient_id"], row["topic"]) == (board, "known")


def test_messages_that_the_person_may_read_have_their_places(world: World) -> None:
    ada, gus = world["ada"], world["gus"]
    lunch, open_to_all = world.id("lunch"), world.add_channel("square", "gus")
    in_lunch, direct = ada.says("mine"), ada.writes("to bea", "bea")
    not_joined, of_guest = ada.says("mine", channel="square"), gus.says("of a guest", channel="square")
    archive = own_archive(ada)
    assert [message(archive, one)["recipient_id"] for one in (in_lunch, not_joined)] == [lunch, open_to_all]
    assert message(archive, in_lunch)["topic"] == "today"
    assert message(archive, direct)["recipient_id"] in {row["id"] for row in rows(archive, "conversation")}
    gus.leaves("square")
    assert message(own_archive(gus), of_guest)["recipient_id"] is None


def test_merged_edits_do_not_name_where_the_message_was_meanwhile(
    make_world: MakeWorld, tmp_path: Path
) -> None:
    world = make_world(data_dir=tmp_path / "data", limits=Limits(max_edits_per_message=2))
    ada = world["ada"]
    sent = ada.says("first")
    ada.patch(f"/messages/{sent}", content="mine")
    board = world.add_channel(CHANNEL, "olga", "cem", invite_only=True)
    moved(world, sent, stream_id=board, topic=TOPIC)
    moved(world, sent, stream_id=world.id("lunch"), topic="back")
    ada.patch(f"/messages/{sent}", content="again")
    archive = own_archive(ada)
    assert message(archive, sent)["topic"] == "back"
    assert "first" in {row["prev_content"] for row in rows(archive, "message_edit")}
    assert WORD not in text_of(archive)
    assert not any(name.endswith("channel_id") for row in rows(archive, "message_edit") for name in row)


def test_links_from_messages_that_the_person_may_not_read_are_left_out(world: World) -> None:
    ada, bea, cem = world["ada"], world["bea"], world["cem"]
    world.add_channel(CHANNEL, "bea", "cem", invite_only=True)
    link = uploads(ada, b"tomatoes")["url"]
    shown = ada.says(f"[file]({link})")
    quoted = bea.says(f"[file]({link})")
    cem.says(f"[file]({link})", channel=CHANNEL)
    bea.says(f"[file]({link})", channel=CHANNEL)
    assert {row["message_id"] for row in rows(own_archive(ada), "attachment_link")} == {shown, quoted}
