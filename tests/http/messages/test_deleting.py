"""Deleting messages over HTTP, on both stores."""

import pytest

from chatcore.domain.groups.permissions import GroupSetting
from chatcore.domain.groups.system import SystemGroup
from tests.worlds.files import can_read, files_world, uploads
from tests.worlds.organization import Someone, World

__all__ = ["files_world"]

NOBODY = GroupSetting.of(SystemGroup.NOBODY)
IN_BULK = {"notification_settings_null": True, "bulk_message_deletion": True}


@pytest.mark.shows("named.edit-message")
def test_a_deleted_message_is_gone_for_everybody(world: World, ada: Someone, bea: Someone) -> None:
    sent, other = ada.says("soup"), ada.says("salad")
    bea.flagged("starred", sent)
    world.react("bea", sent)
    ada.delete(f"/messages/{sent}")
    for who in (ada, bea):
        who.refused("GET", f"/messages/{sent}")
        assert who.finds("channel:lunch") == [other]
        assert who.finds("search:soup") == []
    assert bea.finds("is:starred") == []
    state = bea.post("/register")
    assert state["starred_messages"] == []
    assert [one["unread_message_ids"] for one in state["unread_msgs"]["streams"]] == [[other]]
    assert [world.count(table) for table in ("message_edit", "reaction", "message_search")] == [0, 0, 1]


@pytest.mark.shows("event.delete-message", "register.without-bulk-deletion")
def test_a_deletion_is_sent_once_in_the_form_of_each_queue(
    world: World, ada: Someone, bea: Someone, gus: Someone, cem: Someone
) -> None:
    sent = ada.says("soup")
    bulk = bea.opens_queue("delete_message", client_capabilities=IN_BULK)
    single = gus.opens_queue("delete_message")
    deleter = world["olga"].opens_queue("delete_message")
    outside = cem.opens_queue("delete_message")
    world["olga"].delete(f"/messages/{sent}")
    fields = {"type": "delete_message", "id": 0, "message_type": "stream", "topic": "today"}
    fields["stream_id"] = world.id("lunch")
    assert [{**event, "id": 0} for event in bulk.events()] == [{**fields, "message_ids": [sent]}]
    for line in (single, deleter):
        assert [{**event, "id": 0} for event in line.events()] == [{**fields, "message_id": sent}]
    assert outside.events() == []


@pytest.mark.shows("event.delete-message", "register.without-bulk-deletion")
def test_several_deletions_are_announced_together_or_one_by_one(
    world: World, ada: Someone, bea: Someone, gus: Someone
) -> None:
    sent = [ada.says(text, topic="menu") for text in ("soup", "salad", "stew")]
    bulk = bea.opens_queue("delete_message", client_capabilities=IN_BULK)
    single = gus.opens_queue("delete_message")
    world["olga"].post(f"/streams/{world.id('lunch')}/delete_topic", topic_name="menu")
    (together,) = bulk.events()
    assert sorted(together["message_ids"]) == sent
    alone = single.events()
    assert sorted(event["message_id"] for event in alone) == sent
    assert all("message_ids" not in event and event["topic"] == "menu" for event in alone)


def test_a_direct_message_is_deleted_for_its_people(ada: Someone, bea: Someone, cem: Someone) -> None:
    sent = ada.writes("soup", "bea")
    lines = [who.opens_queue("delete_message") for who in (ada, bea, cem)]
    cem.refused("DELETE", f"/messages/{sent}")
    ada.delete(f"/messages/{sent}")
    events = [line.events() for line in lines]
    assert [len(found) for found in events] == [1, 1, 0]
    (event,) = events[1]
    assert (event["message_type"], event["message_id"]) == ("private", sent)
    assert "stream_id" not in event
    assert bea.finds("is:dm") == []


@pytest.mark.parametrize(
    ("who", "may"),
    [("olga", True), ("adi", True), ("mona", False), ("ada", True), ("bea", False), ("gus", False)],
)
def test_administrators_delete_anything_and_people_their_own(
    world: World, ada: Someone, who: str, may: bool
) -> None:
    sent = ada.says("soup")
    if may:
        world[who].delete(f"/messages/{sent}")
    else:
        world[who].refused("DELETE", f"/messages/{sent}")
    assert bool(ada.finds("channel:lunch")) is not may


def test_ones_own_is_deleted_in_time(world: World, ada: Someone) -> None:
    sent, late = ada.says("soup"), ada.says("salad")
    world.clock.advance(600)
    ada.delete(f"/messages/{sent}")
    world.clock.advance(1)
    ada.refused("DELETE", f"/messages/{late}")
    world.change_organization(message_content_delete_limit_seconds=None)
    ada.delete(f"/messages/{late}")


def test_messages_of_ones_bot_are_ones_own(ada: Someone, bea: Someone, robo: Someone) -> None:
    sent = robo.says("beep")
    bea.refused("DELETE", f"/messages/{sent}")
    ada.delete(f"/messages/{sent}")


@pytest.mark.shows("level.channel-deletes")
def test_channels_let_people_delete_as_well(world: World, ada: Someone, bea: Someone) -> None:
    sent = [ada.says("soup"), ada.says("salad")]
    world.change_organization(permissions={"can_delete_own_message_group": NOBODY})
    ada.refused("DELETE", f"/messages/{sent[0]}")
    bea_alone = GroupSetting.of(members=[world.users["bea"].id])
    world.permit("lunch", can_delete_own_message_group=GroupSetting.of(SystemGroup.MEMBERS))
    ada.delete(f"/messages/{sent[0]}")
    bea.refused("DELETE", f"/messages/{sent[1]}")
    world.permit("lunch", can_delete_any_message_group=bea_alone)
    bea.delete(f"/messages/{sent[1]}")


def test_the_first_message_of_a_channel_is_another_then(world: World, ada: Someone, bea: Someone) -> None:
    first, second = ada.says("soup"), ada.says("salad")
    line = bea.opens_queue("stream")
    ada.delete(f"/messages/{first}")
    ada.delete(f"/messages/{second}")
    announced = [(event["property"], event["value"]) for event in line.events()]
    assert announced == [("first_message_id", second), ("first_message_id", None)]


def test_files_of_a_deleted_message_are_not_shared_any_more(files_world: World) -> None:
    ada, bea = files_world["ada"], files_world["bea"]
    url = uploads(ada)["url"]
    sent = ada.says(url)
    line = ada.opens_queue("attachment")
    assert can_read(bea, url)
    ada.delete(f"/messages/{sent}")
    assert not can_read(bea, url)
    (event,) = line.events()
    assert (event["op"], event["attachment"]["messages"]) == ("update", [])


def test_missing_messages_are_not_deleted(ada: Someone) -> None:
    ada.refused("DELETE", "/messages/999999")
