"""Earlier versions of edited and moved messages, over HTTP, on both stores."""

import pytest

from chatcore.domain.limits import Limits
from tests.worlds.organization import MakeWorld, Someone, World

QUIET = {"send_notification_to_new_thread": False}


@pytest.fixture
def edited(world: World, ada: Someone) -> int:
    """A message that got another text, then another topic, then both."""
    sent = ada.says("one two")
    for change in ({"content": "one **three**"}, {"topic": "later"}, {"content": "four", "topic": ""}):
        world.clock.advance(10)
        ada.patch(f"/messages/{sent}", **QUIET, **change)
    return sent


def test_a_direct_message_has_no_topic(ada: Someone, bea: Someone) -> None:
    direct, said = ada.writes("one", "bea"), ada.says("one", topic="")
    ada.patch(f"/messages/{direct}", content="two")
    topics = {
        sent: {version["topic"] for version in bea.get(f"/messages/{sent}/history")["message_history"]}
        for sent in (direct, said)
    }
    assert topics == {direct: {""}, said: {"general chat"}}


def test_the_versions_come_oldest_first(world: World, ada: Someone, bea: Someone, edited: int) -> None:
    history = bea.get(f"/messages/{edited}/history")["message_history"]
    start = world.svc.now - 30
    three = "<p>one <strong>three</strong></p>"
    assert history == [
        {
            "content": "one two",
            "rendered_content": "<p>one two</p>",
            "topic": "today",
            "user_id": ada.id,
            "timestamp": start,
        },
        {
            "content": "one **three**",
            "rendered_content": three,
            "prev_content": "one two",
            "prev_rendered_content": "<p>one two</p>",
            "content_html_diff": history[1]["content_html_diff"],
            "topic": "today",
            "user_id": ada.id,
            "timestamp": start + 10,
        },
        {
            "content": "one **three**",
            "rendered_content": three,
            "topic": "later",
            "prev_topic": "today",
            "user_id": ada.id,
            "timestamp": start + 20,
        },
        {
            "content": "four",
            "rendered_content": "<p>four</p>",
            "prev_content": "one **three**",
            "prev_rendered_content": three,
            "content_html_diff": history[3]["content_html_diff"],
            "topic": "general chat",
            "prev_topic": "later",
            "user_id": ada.id,
            "timestamp": start + 30,
        },
    ]
    assert 'class="highlight_text_inserted">three' in history[1]["content_html_diff"]
    assert 'class="highlight_text_deleted">' in history[1]["content_html_diff"]


def test_the_empty_topic_is_given_as_it_is_to_who_asks(ada: Someone, edited: int) -> None:
    path = f"/messages/{edited}"
    assert ada.get(f"{path}/history", allow_empty_topic_name=True)["message_history"][3]["topic"] == ""
    assert ada.message(edited, allow_empty_topic_name=True)["edit_history"][0]["topic"] == ""
    assert ada.message(edited)["edit_history"][0]["topic"] == "general chat"


def test_an_unedited_message_has_one_version(ada: Someone) -> None:
    (version,) = ada.get(f"/messages/{ada.says('soup')}/history")["message_history"]
    assert version["content"] == "soup"


def test_the_first_and_the_last_of_very_many_edits_are_kept(make_world: MakeWorld) -> None:
    """A message and its history do not grow with the number of edits."""
    world = make_world(limits=Limits(max_edits_per_message=4))
    ada, bea = world["ada"], world["bea"]
    sent = ada.says("text 0")
    for number in range(1, 10):
        world.clock.advance(1)
        ada.patch(f"/messages/{sent}", content=f"text {number}")
        assert len(bea.message(sent)["edit_history"]) == min(number, 4)
    for topic in ("later", "today"):
        bea.patch(f"/messages/{sent}", topic=topic, **QUIET)
    history = bea.get(f"/messages/{sent}/history")["message_history"]
    assert [(one["content"], one.get("prev_content"), one["topic"]) for one in history] == [
        ("text 0", None, "today"),
        ("text 8", "text 0", "today"),
        ("text 9", "text 8", "today"),
        ("text 9", None, "later"),
        ("text 9", None, "today"),
    ]
    assert world.count("message_edit") == 4


def test_fewer_versions_of_very_long_texts_are_kept(make_world: MakeWorld) -> None:
    world = make_world(limits=Limits(max_edit_history_length=1000))
    ada = world["ada"]
    sent = ada.says("x" * 200)
    for letter in "abcdefgh":
        ada.patch(f"/messages/{sent}", content=letter * 200)
    edits = ada.message(sent)["edit_history"]
    assert [edit["prev_content"][0] for edit in edits] == ["g", "x"]


@pytest.mark.shows("message.edit-history-hidden")
def test_the_organization_may_show_moves_only(world: World, ada: Someone, edited: int) -> None:
    world.change_organization(message_edit_history_visibility_policy="moves")
    assert [sorted(edit) for edit in ada.message(edited)["edit_history"]] == [
        ["prev_topic", "timestamp", "topic", "user_id"]
    ] * 2
    history = ada.get(f"/messages/{edited}/history")["message_history"]
    assert [version["content"] for version in history] == ["four"] * 3
    assert "three" not in str(history)


@pytest.mark.shows("message.edit-history-hidden")
def test_the_organization_may_show_nothing(world: World, ada: Someone, edited: int) -> None:
    world.change_organization(message_edit_history_visibility_policy="none")
    message = ada.message(edited)
    assert "edit_history" not in message
    assert {"last_edit_timestamp", "last_moved_timestamp"} <= message.keys()
    ada.refused("GET", f"/messages/{edited}/history")
    assert ada.post("/register")["realm_allow_edit_history"] is False


def test_the_history_is_for_who_may_read_the_message(world: World, cem: Someone, ada: Someone) -> None:
    sent = ada.says("hush", "secret")
    cem.refused("GET", f"/messages/{sent}/history")
    world.nobody.refused("GET", f"/messages/{sent}/history", status=401, code="UNAUTHORIZED")
