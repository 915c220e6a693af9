"""Editing the text of messages over HTTP, on both stores."""

from hashlib import sha256

import pytest

from tests.worlds.files import files_world, uploads
from tests.worlds.organization import Someone, World

__all__ = ["files_world"]


@pytest.mark.shows("named.edit-message", "message.last-edit")
def test_the_sender_gives_a_message_another_text(world: World, ada: Someone, bea: Someone) -> None:
    sent = ada.says("soup")
    world.clock.advance(60)
    answer = ada.patch(f"/messages/{sent}", content="  better *soup*\n\n")
    assert answer["detached_uploads"] == []
    message = bea.message(sent)
    assert message["content"] == "<p>better <em>soup</em></p>"
    assert message["last_edit_timestamp"] == world.svc.now
    assert "last_moved_timestamp" not in message
    assert bea.message(sent, apply_markdown=False)["content"] == "  better *soup*"


@pytest.mark.shows(
    "message.edit-history", "edit.user", "edit.timestamp", "edit.prev-content", "edit.prev-rendered-content",
    "edit.only-what-changed",
)  # fmt: skip
def test_an_edited_message_has_its_history_newest_edit_first(world: World, ada: Someone) -> None:
    sent = ada.says("one")
    at = []
    for text in ("two", "three"):
        world.clock.advance(10)
        ada.patch(f"/messages/{sent}", content=text)
        at.append(world.svc.now)
    assert ada.message(sent)["edit_history"] == [
        {
            "user_id": ada.id,
            "timestamp": time,
            "prev_content": text,
            "prev_rendered_content": f"<p>{text}</p>",
        }
        for text, time in (("two", at[1]), ("one", at[0]))
    ]
    assert ada.reads("channel:lunch")[-1]["edit_history"] == ada.message(sent)["edit_history"]


def test_a_message_without_text_says_that_it_was_deleted(ada: Someone) -> None:
    sent = ada.says("soup")
    ada.patch(f"/messages/{sent}", content=" \n")
    assert ada.message(sent)["content"] == "<p>(deleted)</p>"


def test_the_text_that_a_message_has_already_changes_nothing(
    world: World, ada: Someone, bea: Someone
) -> None:
    sent = ada.says("soup", topic="starters")
    received = bea.opens_queue("update_message")
    assert ada.patch(f"/messages/{sent}", content="soup  \n")["detached_uploads"] == []
    assert received.events() == []
    assert ada.message(sent).keys().isdisjoint({"edit_history", "last_edit_timestamp"})
    bea.refused("PATCH", f"/messages/{sent}", content="soup")
    ada.patch(f"/messages/{sent}", content="soup", topic="desserts")  # a move, and nothing else
    (event,) = received.events()
    assert "orig_content" not in event
    (edit,) = ada.message(sent)["edit_history"]
    assert "prev_content" not in edit
    assert edit["prev_topic"] == "starters"


@pytest.mark.parametrize("name", ["olga", "adi", "mona", "bea", "robo"])
def test_only_the_sender_edits_a_text(world: World, ada: Someone, name: str) -> None:
    sent = ada.says("soup")
    world[name].refused("PATCH", f"/messages/{sent}", content="salad")
    assert ada.message(sent)["content"] == "<p>soup</p>"


def test_texts_are_edited_while_the_organization_lets_them(world: World, ada: Someone) -> None:
    sent = ada.says("soup")
    world.clock.advance(620)
    ada.patch(f"/messages/{sent}", content="in time, with the grace")
    world.clock.advance(1)
    ada.refused("PATCH", f"/messages/{sent}", content="too late")
    world.change_organization(message_content_edit_limit_seconds=None)
    ada.patch(f"/messages/{sent}", content="no limit")
    world.change_organization(allow_message_editing=False)
    ada.refused("PATCH", f"/messages/{sent}", content="not at all")


@pytest.mark.shows("level.expected-text")
def test_a_text_that_was_changed_meanwhile_stays(ada: Someone) -> None:
    sent = ada.says("soup")
    seen = sha256(b"soup").hexdigest()
    ada.patch(f"/messages/{sent}", content="salad", prev_content_sha256=seen)
    refusal = ada.refused(
        "PATCH", f"/messages/{sent}", code="EXPECTATION_MISMATCH", content="bread", prev_content_sha256=seen
    )
    assert refusal["field_name"] == "prev_content_sha256"
    assert ada.message(sent)["content"] == "<p>salad</p>"


@pytest.mark.parametrize(
    "change",
    [
        {},
        {"topic": "today"},
        {"propagate_mode": "change_all", "content": "salad"},
        {"topic": "a\nb"},
    ],
)
def test_changes_without_effect_or_sense_are_refused(ada: Someone, change: dict[str, str]) -> None:
    sent = ada.says("soup")
    ada.refused("PATCH", f"/messages/{sent}", **change)
    assert "edit_history" not in ada.message(sent)


def test_a_text_and_a_channel_are_not_changed_together(world: World, ada: Someone) -> None:
    ada.refused("PATCH", f"/messages/{ada.says('soup')}", content="salad", stream_id=world.id("plaza"))


def test_sec_8_nothing_is_edited_in_an_archived_channel(world: World, ada: Someone) -> None:
    sent = ada.says("soup")
    world.archive("lunch")
    ada.refused("PATCH", f"/messages/{sent}", content="salad")
    ada.refused("PATCH", f"/messages/{sent}", topic="later")
    ada.refused("DELETE", f"/messages/{sent}")


def test_a_direct_message_is_edited_and_not_moved(world: World, ada: Someone, bea: Someone) -> None:
    sent = ada.writes("soup", "bea")
    line = bea.opens_queue("update_message")
    ada.patch(f"/messages/{sent}", content="/me eats")
    (event,) = line.events()
    assert event["is_me_message"]
    assert "stream_id" not in event
    for change in ({"topic": "x"}, {"stream_id": world.id("lunch")}):
        ada.refused("PATCH", f"/messages/{sent}", **change)
    world["cem"].refused("PATCH", f"/messages/{sent}", content="mine")


# -- consequences -----------------------------------------------------------------------------------


def test_an_edit_is_sent_once_in_the_form_each_asked_for(
    world: World, ada: Someone, bea: Someone, gus: Someone, cem: Someone
) -> None:
    sent = ada.says("soup", topic="")
    lines = {who: who.opens_queue("update_message") for who in (ada, bea, gus, cem)}
    narrowed = bea.opens_queue("update_message", narrow=[["topic", "elsewhere"]])
    world.clock.advance(5)
    ada.patch(f"/messages/{sent}", content="**salad**")
    expected = {
        "type": "update_message",
        "user_id": ada.id,
        "edit_timestamp": world.svc.now,
        "rendering_only": False,
        "message_id": sent,
        "message_ids": [sent],
        "flags": [],
        "stream_id": world.id("lunch"),
        "stream_name": "lunch",
        "orig_content": "soup",
        "orig_rendered_content": "<p>soup</p>",
        "content": "**salad**",
        "rendered_content": "<p><strong>salad</strong></p>",
        "is_me_message": False,
    }
    for who in (ada, bea, gus):
        (event,) = lines[who].events()
        assert {**event, "id": 0} == {**expected, "id": 0}
    assert lines[cem].events() == [], "who is not in the channel and has nothing of it"
    assert len(narrowed.events()) == 1, "a narrow is about messages that arrive"


def test_an_edit_has_each_readers_own_flags(ada: Someone, bea: Someone, cem: Someone) -> None:
    sent = ada.says("soup")
    bea.flagged("read", sent)
    bea.flagged("starred", sent)
    cem.flagged("starred", sent)
    lines = [who.opens_queue("update_message") for who in (ada, bea, cem)]
    waiting = bea.opens_queue("update_message").waits()
    ada.patch(f"/messages/{sent}", content="@**Bea** @**Ada**")
    flags = [line.events()[0]["flags"] for line in lines]
    assert flags == [
        ["mentioned"],
        ["read", "starred", "mentioned"],
        ["read", "starred", "historical"],
    ]
    (event,) = waiting.answer()
    assert event["flags"] == flags[1]


@pytest.mark.shows("flags.edited")
def test_flags_follow_the_new_text(world: World, ada: Someone, bea: Someone, gus: Someone) -> None:
    bea.post("/users/me/alert_words", alert_words=["soup"])
    sent = ada.says("soup for @**Gus**")
    assert (bea.flags(sent), gus.flags(sent)) == ({"has_alert_word"}, {"mentioned"})
    ada.patch(f"/messages/{sent}", content="@**Bea** and @**topic**")
    assert bea.flags(sent) == {"mentioned"}
    assert gus.flags(sent) == set()
    assert ada.flags(sent) == {"topic_wildcard_mentioned", "wildcard_mentioned"}
    ada.patch(f"/messages/{sent}", content="@**all** soup")
    assert gus.flags(sent) == {"stream_wildcard_mentioned", "wildcard_mentioned"}
    assert bea.flags(sent) == {"has_alert_word", "stream_wildcard_mentioned", "wildcard_mentioned"}
    ada.patch(f"/messages/{sent}", content="nothing")
    assert bea.flags(sent) == gus.flags(sent) == ada.flags(sent) == set()


def test_an_edit_changes_what_is_read_for_nobody(ada: Someone, bea: Someone, gus: Someone) -> None:
    sent = ada.says("soup")
    bea.flagged("read", sent)
    ada.patch(f"/messages/{sent}", content="@**Bea** @**Gus**")
    assert bea.flags(sent) == {"read", "mentioned"}
    assert gus.flags(sent) == {"mentioned"}


def test_an_edit_brings_a_message_to_nobody(world: World, ada: Someone, cem: Someone, robo: Someone) -> None:
    sent = ada.says("soup")
    line = robo.opens_queue("message", "update_message")
    ada.patch(f"/messages/{sent}", content="@**Cem** @**Robo**")
    assert sent not in cem.finds("is:mentioned")
    assert line.events() == []


def test_an_edited_message_is_found_by_its_new_words(ada: Someone, bea: Someone) -> None:
    sent = ada.says("a bowl of soup", topic="menu")
    ada.patch(f"/messages/{sent}", content="a plate of [salad](https://example.com)")
    assert bea.finds("search:soup") == []
    assert bea.finds("search:salad menu") == [sent]
    assert bea.finds('search:"plate of"') == [sent]
    assert bea.finds("channel:lunch", "has:link") == [sent]


def test_files_that_are_not_linked_any_more_are_named(files_world: World) -> None:
    ada, bea = files_world["ada"], files_world["bea"]
    first, second = uploads(ada)["url"], uploads(ada)["url"]
    sent = ada.says(f"[one]({first})")
    (detached,) = ada.patch(f"/messages/{sent}", content=f"[two]({second})")["detached_uploads"]
    assert detached["path_id"] == first.removeprefix("/user_uploads/")
    assert detached["messages"] == []
    assert bea.finds("channel:lunch", "has:attachment") == [sent]
    ada.patch(f"/messages/{sent}", content="none")
    assert bea.finds("channel:lunch", "has:attachment") == []


def test_an_edit_is_no_participation(world: World, ada: Someone) -> None:
    world.choose("ada", automatically_follow_topics_policy=4)
    sent = ada.says("soup")
    world.choose("ada", automatically_follow_topics_policy=1)
    ada.patch(f"/messages/{sent}", content="salad")
    assert world.policy("ada", "lunch", "today") == 0
