"""Reminders over HTTP, on both stores."""

from typing import Any

import pytest

from chatcore.domain.groups.permissions import GroupSetting
from chatcore.domain.groups.system import SystemGroup
from chatcore.domain.limits import Limits
from chatcore.domain.topics import NO_TOPIC
from tests.worlds.organization import HOST, NOW, MakeWorld, Someone, World
from tests.worlds.waiting import passes, reminded, reminders_of, scheduled_of, schedules


def notices_to(someone: Someone) -> list[dict[str, Any]]:
    return someone.reads("is:dm", "sender:system@example.org", apply_markdown=False)


@pytest.mark.shows("level.reminders")
def test_a_reminder_is_requested_listed_and_deleted(world: World, ada: Someone) -> None:
    message_id = world["bea"].says("*soup*")
    late = reminded(ada, message_id, seconds=90)
    soon = reminded(ada, message_id, note=" bring a\n*spoon* ")
    reminder = {
        "reminder_id": late,
        "type": "private",
        "to": [ada.id],
        "content": f"You requested a reminder for #**lunch>today@{message_id}**.",
        "scheduled_delivery_timestamp": NOW + 90,
        "failed": False,
        "reminder_target_message_id": message_id,
    }
    first, second = reminders_of(ada)
    assert f"/near/{message_id}" in second.pop("rendered_content")
    assert second == reminder
    assert first["content"] == f"{reminder['content']} Note:\n\n> bring a\n> *spoon*"
    assert "<em>spoon</em>" in first["rendered_content"]
    assert first["scheduled_delivery_timestamp"] == NOW + 60
    ada.delete(f"/reminders/{soon}")
    assert [one["reminder_id"] for one in reminders_of(ada)] == [late]


def test_a_reminder_is_a_direct_message_at_its_time(world: World, ada: Someone, bea: Someone) -> None:
    mine, hers = ada.opens_queue("reminders", "message"), bea.opens_queue("message", "reminders")
    message_id = bea.says("soup, @**Ada**")
    reminder_id = reminded(ada, message_id, note="a spoon")
    (reminder,) = reminders_of(ada)
    (_, added), _ = mine.events(), hers.events()
    assert (added["type"], added["op"], added["reminders"]) == ("reminders", "add", [reminder])
    passes(world, 59)
    assert mine.events() == []
    passes(world, 1)
    sent, removed = mine.events()
    assert (removed["op"], removed["reminder_id"]) == ("remove", reminder_id)
    assert (sent["message"]["sender_full_name"], sent["flags"]) == ("Notification Bot", [])
    assert sent["message"]["type"] == "private"
    (notice,) = notices_to(ada)
    assert notice["content"] == (
        f"{reminder['content']}\n\n@_**Bea|{bea.id}** said:\n\n```quote\nsoup, @**Ada**\n```"
    )
    assert hers.events() == []
    assert reminders_of(ada) == []
    passes(world, 600)
    assert len(notices_to(ada)) == 1


def test_a_reminder_has_the_message_as_it_is_when_it_is_due(world: World, ada: Someone) -> None:
    message_id = ada.says("soup")
    reminded(ada, message_id)
    ada.patch(f"/messages/{message_id}", content="stew", topic="later")
    passes(world, 60)
    (notice,) = notices_to(ada)
    assert f"#**lunch>later@{message_id}**" in notice["content"]
    assert "stew" in notice["content"]
    assert "soup" not in notice["content"]


def test_a_reminder_of_a_direct_message_links_to_it(world: World, ada: Someone, bea: Someone) -> None:
    cem = world["cem"]
    group, to_self = bea.writes("soup", "ada", "cem"), ada.writes("stew", "ada")
    reminded(ada, group)
    reminded(ada, to_self)
    passes(world, 60)
    first, second = notices_to(ada)
    people = ",".join(map(str, sorted([bea.id, cem.id])))
    assert f"(https://{HOST}/#narrow/dm/{people}-dm/near/{group})" in first["content"]
    assert f"(https://{HOST}/#narrow/dm/{ada.id}-dm/near/{to_self})" in second["content"]


def test_a_message_without_a_topic_is_linked(world: World, ada: Someone) -> None:
    message_id = ada.says("soup", topic=NO_TOPIC)
    reminded(ada, message_id)
    assert f"/near/{message_id}" in reminders_of(ada)[0]["rendered_content"]


@pytest.mark.parametrize("lost", ["deleted", "left"])
def test_what_the_reader_may_not_read_any_more_is_not_shown(
    world: World, ada: Someone, bea: Someone, lost: str
) -> None:
    message_id = bea.says("the code is 1234", "secret")
    reminder_id = reminded(ada, message_id)
    if lost == "deleted":
        world["olga"].delete(f"/messages/{message_id}") if lost == "" else bea.delete(
            f"/messages/{message_id}"
        )
    else:
        ada.leaves("secret")
    line = ada.opens_queue("reminders", "message")
    passes(world, 60)
    removed, added, notice = line.events()
    (failed,) = reminders_of(ada)
    assert (failed["reminder_id"], failed["failed"]) == (reminder_id, True)
    assert (removed["reminder_id"], added["reminders"]) == (reminder_id, [failed])
    assert "Invalid message(s)" in notice["message"]["content"]
    assert "1234" not in str(reminders_of(ada)) + str(notices_to(ada))
    passes(world, 600)
    assert line.events() == []
    ada.delete(f"/reminders/{reminder_id}")


def test_nobody_is_reminded_of_what_they_cannot_read(world: World, gus: Someone, ada: Someone) -> None:
    message_id = ada.says("soup", "secret")
    due = NOW + 60
    answers = [
        gus.refused("POST", "/reminders", message_id=number, scheduled_delivery_timestamp=due)
        for number in (message_id, 10**9)
    ]
    assert len({answer["msg"] for answer in answers}) == 1
    assert reminders_of(gus) == []


def test_a_guest_is_reminded(world: World, gus: Someone, ada: Someone) -> None:
    reminded(gus, ada.says("soup"))
    passes(world, 60)
    assert "soup" in notices_to(gus)[0]["content"]


@pytest.mark.parametrize("name", ["bea", "olga", "gus", "robo"])
def test_a_reminder_of_another_is_as_if_absent(world: World, ada: Someone, name: str) -> None:
    reminder_id, other = reminded(ada, ada.says("soup")), world[name]
    answers = [other.refused("DELETE", f"/reminders/{number}", status=404) for number in (reminder_id, 10**6)]
    assert len({answer["msg"] for answer in answers}) == 1
    assert reminders_of(other) == []
    assert len(reminders_of(ada)) == 1


def test_reminders_and_scheduled_messages_are_kept_apart(ada: Someone) -> None:
    reminder_id, scheduled_id = reminded(ada, ada.says("soup")), schedules(ada)
    ada.refused("DELETE", f"/reminders/{scheduled_id}", status=404)
    ada.refused("DELETE", f"/scheduled_messages/{reminder_id}", status=404)
    ada.refused("PATCH", f"/scheduled_messages/{reminder_id}", status=404, content="stew")
    assert [one["reminder_id"] for one in reminders_of(ada)] == [reminder_id]
    assert [one["scheduled_message_id"] for one in scheduled_of(ada)] == [scheduled_id]


@pytest.mark.parametrize("due", [0, NOW, NOW - 1, -5, 2**62])
def test_a_reminder_is_for_the_future(ada: Someone, due: int) -> None:
    ada.refused("POST", "/reminders", message_id=ada.says("soup"), scheduled_delivery_timestamp=due)
    assert reminders_of(ada) == []


@pytest.mark.shows("level.reminders")
@pytest.mark.parametrize("note", ["x" * 1001, "a\0b"])
def test_an_invalid_note_is_refused(ada: Someone, note: str) -> None:
    given = {"message_id": ada.says("soup"), "scheduled_delivery_timestamp": NOW + 60}
    ada.refused("POST", "/reminders", note=note, **given)
    reminded(ada, given["message_id"], note="x" * 1000)
    state = ada.post("/register", fetch_event_types=["realm"])
    assert state["max_reminder_note_length"] == 1000


@pytest.mark.parametrize("name", ["message_id", "scheduled_delivery_timestamp"])
def test_a_missing_part_is_named(ada: Someone, name: str) -> None:
    given = {"message_id": ada.says("soup"), "scheduled_delivery_timestamp": NOW + 60}
    del given[name]
    refused = ada.refused("POST", "/reminders", code="REQUEST_VARIABLE_MISSING", **given)
    assert refused["var_name"] == name


def test_a_long_message_is_quoted_as_far_as_it_fits(make_world: MakeWorld) -> None:
    world = make_world(limits=Limits(max_message_length=300))
    ada = world["ada"]
    reminded(ada, ada.says("x" * 300))
    passes(world, 60)
    (notice,) = notices_to(ada)
    assert len(notice["content"]) == 300
    assert notice["content"].endswith("[message truncated]\n```")


def test_mentions_in_a_note_or_a_quotation_reach_nobody(world: World, ada: Someone) -> None:
    reminded(ada, ada.says("@**Bea** @**Ada**"), note="@**Bea** @**Ada**")
    line = world["bea"].opens_queue("message")
    passes(world, 60)
    assert line.events() == []
    (notice,) = ada.reads("is:dm")
    assert "mentioned" not in notice["flags"]


def test_a_limited_guest_does_not_learn_the_sender(world: World, gus: Someone) -> None:
    world["olga"].joins("lunch")
    message_id = world["olga"].says("soup")
    world["olga"].leaves("lunch")
    members = GroupSetting.of(SystemGroup.MEMBERS)
    world.change_organization(permissions={"can_access_all_users_group": members})
    reminded(gus, message_id)
    passes(world, 60)
    (notice,) = notices_to(gus)
    assert "Olga" not in notice["content"] + gus.reads("is:dm")[0]["content"]
    assert "soup" in notice["content"]
