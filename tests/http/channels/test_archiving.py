"""Archived channels, default channels, and topics that are deleted, on both stores."""

from typing import Any

import pytest

from chatcore.application.messages import deleting_topics
from chatcore.application.people.accounts import NewUser, create_user
from chatcore.domain.groups.permissions import GroupSetting
from tests.worlds.channels import MODERN, announced, edits, notices, path, stream
from tests.worlds.groups import MEMBERS, deactivates, just, makes
from tests.worlds.organization import Someone, World

# -- archiving --------------------------------------------------------------------------------------


def test_an_archived_channel_stays_and_nothing_in_it_changes(
    world: World, olga: Someone, ada: Someone, bea: Someone
) -> None:
    sent = ada.says("soup")
    bea.flagged("starred", sent)
    lines = [bea.opens_queue("stream", client_capabilities=MODERN), bea.opens_queue("stream", "subscription")]
    olga.delete(path(world, "lunch"))
    olga.refused("DELETE", path(world, "lunch"))
    assert [announced(line) for line in lines] == [[("is_archived", True)], [("stream", "delete")]]
    state = bea.registers(client_capabilities=MODERN, include_subscribers=True).state
    (found,) = [one for one in state["subscriptions"] if one["name"] == "lunch"]
    assert (found["is_archived"], found["subscribers"]) == (True, [ada.id, bea.id, world["gus"].id])
    assert state["unread_msgs"]["count"] == 0
    assert "lunch" not in str(bea.registers().state["subscriptions"])
    # Read as before, by those who could.
    assert sent in bea.finds("channel:lunch")
    assert bea.finds("search:soup") == [sent] == world["cem"].finds("channel:lunch", "search:soup")
    # Nothing is done to it.
    for method, where, given in (
        ("POST", "/messages", {"type": "channel", "to": "lunch", "topic": "today", "content": "x"}),
        ("PATCH", f"/messages/{sent}", {"content": "x"}),
        ("PATCH", f"/messages/{sent}", {"stream_id": world.id("plaza")}),
        ("DELETE", f"/messages/{sent}", {}),
        ("POST", f"/messages/{sent}/reactions", {"emoji_name": "tada"}),
        ("POST", f"{path(world, 'lunch')}/delete_topic", {"topic_name": "today"}),
    ):
        for who in (ada, olga):
            who.refused(method, where, **given)
    olga.refused("POST", "/default_streams", stream_id=world.id("lunch"))
    unread = bea.flagged("read", sent, op="remove")
    assert (unread["messages"], unread["ignored_because_not_subscribed_channels"]) == (
        [],
        [world.id("lunch")],
    )
    ada.refused("DELETE", path(world, "plaza"))


def test_nothing_is_unread_for_who_was_away_when_it_was_archived(
    world: World, olga: Someone, ada: Someone, bea: Someone
) -> None:
    sent = ada.says("soup")
    olga.delete(f"/users/{bea.id}")
    olga.delete(path(world, "lunch"))
    olga.post(f"/users/{bea.id}/reactivate")
    assert "read" in bea.flags(sent)
    assert bea.registers(client_capabilities=MODERN).state["unread_msgs"]["count"] == 0


@pytest.mark.shows("level.archived-updates", "level.unarchive")
def test_an_archived_channel_comes_back_with_its_people(
    world: World, olga: Someone, ada: Someone, bea: Someone, cem: Someone
) -> None:
    olga.delete(path(world, "lunch"))
    olga.leaves("lunch", principals=[bea.id])
    lines = [who.opens_queue("stream", "subscription") for who in (ada, cem)]
    modern = ada.opens_queue("stream", "subscription", client_capabilities=MODERN)
    ada.refused("PATCH", path(world, "lunch"), is_archived=False)
    edits(olga, "lunch", is_archived=False, new_name="brunch")
    renamed = ("name", "brunch")
    assert [announced(line) for line in lines] == [
        [("stream", "create"), ("subscription", "add"), renamed],
        [("stream", "create"), ("subscription", "peer_add"), renamed],
    ]
    assert announced(modern) == [("is_archived", False), renamed]
    ada.says("back", "brunch")
    assert notices(ada, "brunch")[1].endswith("unarchived this channel.")
    assert [one["unread_message_ids"] for one in ada.post("/register")["unread_msgs"]["streams"]]


@pytest.mark.shows("register.without-archived-channels", "event.archived-channels", "level.archived-updates")
def test_clients_that_do_not_know_of_archived_channels_receive_no_events_until_it_is_back(
    world: World, olga: Someone, ada: Someone, bea: Someone, gus: Someone
) -> None:
    """The channel is visible to them neither in the registration nor in later events."""
    lunch = world.id("lunch")
    bea.post("/user_topics", stream_id=lunch, topic="before", visibility_policy=1)
    olga.delete(path(world, "lunch"))
    capabilities = {"empty_topic_name": True, "archived_channels": True}
    knows = {who: who.registers(client_capabilities=capabilities) for who in (bea, gus)}
    others = {who: who.registers() for who in (bea, gus)}

    bea.post("/user_topics", stream_id=lunch, topic="after", visibility_policy=1)
    data = [
        {"stream_id": lunch, "property": name, "value": value}
        for name, value in (("color", "#123456"), ("pin_to_top", True), ("is_muted", True))
    ]
    bea.post("/users/me/subscriptions/properties", subscription_data=data)
    edits(olga, "lunch", description="closed", can_send_message_group={"new": just(bea)})
    edits(olga, "lunch", is_private=True, history_public_to_subscribers=True)
    gus.leaves("lunch")
    olga.joins("plaza", principals=[gus.id])  # who would be told of it with other channels
    ada.joins("lunch", principals=[gus.id, world["cem"].id])
    olga.patch(f"/users/{gus.id}", role=400)

    for who in (bea, gus):
        state = who.registers().state
        lists = ("streams", "subscriptions", "unsubscribed", "never_subscribed")
        assert lunch not in {one["stream_id"] for name in lists for one in state[name]}
        assert state["user_topics"] == state["muted_topics"] == []
        others_notified = others[who].events()
        assert [one for one in others_notified if names(one, lunch)] == []
        assert [one["muted_topics"] for one in others_notified if one.get("muted_topics")] == []
    received = knows[bea].events()
    assert [one["topic_name"] for one in received if one["type"] == "user_topic"] == ["after"]
    changed = [one["property"] for one in received if one["type"] == "subscription" and one["op"] == "update"]
    assert changed == ["color", "pin_to_top", "in_home_view", "is_muted"]
    muted = [one["muted_topics"] for one in received if one["type"] == "muted_topics"]
    assert {topic for _, topic, _ in muted[-1]} == {"before", "after"}

    edits(olga, "lunch", is_archived=False)
    others_notified, received = others[bea].events(), knows[bea].events()
    assert [one["streams"][0]["stream_id"] for one in others_notified if one.get("op") == "create"] == [lunch]
    (mine,) = (one["subscriptions"][0] for one in others_notified if one.get("op") == "add")
    assert (mine["color"], mine["pin_to_top"], mine["is_muted"]) == ("#123456", True, True)
    topics = [one["topic_name"] for one in others_notified if one["type"] == "user_topic"]
    assert sorted(topics) == ["after", "before"]
    muted = [one["muted_topics"] for one in others_notified if one["type"] == "muted_topics"]
    assert muted[-1] == bea.registers().state["muted_topics"] != []
    assert [one["type"] for one in received if one["type"] in ("user_topic", "subscription")] == []


def test_clients_that_do_not_know_of_archived_channels_forget_one_that_is_lost_before_they_poll(
    world: World, olga: Someone, cem: Someone
) -> None:
    queue = cem.registers()
    olga.delete(path(world, "lunch"))
    olga.patch(f"/users/{cem.id}", role=600)
    gone = [
        event["streams"]
        for event in queue.events()
        if (event["type"], event.get("op")) == ("stream", "delete")
    ]
    assert world.id("lunch") in {one["stream_id"] for streams in gone for one in streams}


def names(event: dict[str, Any], channel_id: int) -> bool:
    """Whether the event is about the channel, among others."""
    about = event.get("streams", event.get("subscriptions", ()))
    listed = {one["stream_id"] for one in about}.union(event.get("stream_ids", ()))
    return channel_id in listed or event.get("stream_id") == channel_id


def test_an_archived_channel_is_joined_and_left_as_before(
    world: World, olga: Someone, ada: Someone, bea: Someone, cem: Someone
) -> None:
    """The rules for its privacy model hold; archiving gives access to nobody."""
    for channel in ("lunch", "secret"):
        olga.delete(path(world, channel))
    mona = world["mona"]
    line = ada.opens_queue("subscription", client_capabilities=MODERN)
    assert cem.joins("lunch")["subscribed"] == {str(cem.id): ["lunch"]}
    assert ada.joins("lunch", principals=[mona.id])["subscribed"] == {str(mona.id): ["lunch"]}
    assert [(one["op"], one["user_ids"]) for one in line.events()] == [
        ("peer_add", [cem.id]), ("peer_add", [mona.id])
    ]  # fmt: skip
    for who in (bea, cem):
        assert who.leaves("lunch")["removed"] == ["lunch"]
        assert who.joins("lunch")["subscribed"] == {str(who.id): ["lunch"]}
    subscribers = ada.get(f"{path(world, 'lunch')}/members")["subscribers"]
    assert {bea.id, cem.id, mona.id} <= set(subscribers)
    refused = cem.refused("POST", "/users/me/subscriptions", subscriptions=[{"name": "secret"}])
    assert refused["msg"] == "Unable to access channel (secret)."
    bea.leaves("secret")
    bea.refused("POST", "/users/me/subscriptions", subscriptions=[{"name": "secret"}])
    ada.joins("secret", principals=[bea.id])
    edits(olga, "lunch", is_archived=False)
    assert mona.reads("channel:lunch", "topic:channel events")


def test_a_channel_comes_back_after_the_groups_that_it_names(world: World, olga: Someone) -> None:
    cooks = makes(olga, "cooks", olga)
    edits(olga, "lunch", can_send_message_group={"new": cooks})
    olga.delete(path(world, "lunch"))
    deactivates(olga, cooks)
    olga.refused("PATCH", path(world, "lunch"), is_archived=False)
    assert stream(olga, "lunch")["is_archived"] is True
    edits(olga, "lunch", is_archived=False, can_send_message_group={"new": MEMBERS})


# -- default channels -------------------------------------------------------------------------------


def test_newcomers_are_in_the_default_channels(world: World, olga: Someone, gus: Someone) -> None:
    lines = [who.opens_queue("default_streams") for who in (olga, gus)]
    for channel in ("lunch", "plaza"):
        olga.post("/default_streams", stream_id=world.id(channel))
    assert [len(line.events()) for line in lines] == [2, 0]
    defaults = sorted(world.id(channel) for channel in ("lunch", "plaza"))
    assert olga.post("/register")["realm_default_streams"] == defaults
    assert gus.post("/register")["realm_default_streams"] == []
    listed = olga.get("/streams", include_default=True)["streams"]
    assert sorted(one["stream_id"] for one in listed if one["is_default"]) == defaults
    peers = olga.opens_queue("subscription")
    dan = create_user(world.svc, NewUser(email="dan@example.org", full_name="Dan")).user_id
    create_user(world.svc, NewUser(email="echo@example.org", full_name="Echo", is_bot=True))
    assert [(one["op"], one["user_ids"]) for one in peers.events()] == [("peer_add", [dan])] * 2
    world.storage.read(world.know)
    found = world.storage.read(lambda snapshot: snapshot.subscriptions.of_user(dan))
    assert sorted(found) == defaults
    # An archived or private channel is not a default channel.
    olga.refused("PATCH", path(world, "plaza"), is_private=True)
    olga.delete(path(world, "lunch"))
    olga.delete("/default_streams", stream_id=world.id("plaza"))
    assert olga.post("/register")["realm_default_streams"] == []


def test_only_administrators_choose_default_channels(world: World, ada: Someone, olga: Someone) -> None:
    for method in ("POST", "DELETE"):
        ada.refused(method, "/default_streams", code="UNAUTHORIZED_PRINCIPAL", stream_id=world.id("lunch"))
        olga.refused(method, "/default_streams", stream_id=99_999)
    for channel in ("secret", "attic"):
        olga.refused("POST", "/default_streams", stream_id=world.id(channel))
    olga.post("/default_streams", stream_id=world.id("lunch"))
    olga.refused("POST", "/default_streams", stream_id=world.id("lunch"))
    olga.refused("PATCH", path(world, "lunch"), is_private=True)
    olga.joins("lunch")
    edits(olga, "lunch", is_private=True, is_default_stream=False)
    assert olga.post("/register")["realm_default_streams"] == []


# -- topics -----------------------------------------------------------------------------------------


def test_a_topic_is_deleted_with_what_people_have_set_for_it(
    world: World, olga: Someone, ada: Someone, bea: Someone, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(deleting_topics, "BATCH", 2)
    turns: list[None] = []
    monkeypatch.setattr(deleting_topics, "let_others", lambda: turns.append(None))
    kept = ada.says("salad", topic="other")
    sent = [ada.says("soup", topic=topic) for topic in ("Soup", "soup", "SOUP", "soup", "soup")]
    bea.post("/user_topics", stream_id=world.id("lunch"), topic="soup", visibility_policy=3)
    line = bea.opens_queue(
        "delete_message", "user_topic", client_capabilities={**MODERN, "bulk_message_deletion": True}
    )
    where = f"{path(world, 'lunch')}/delete_topic"
    ada.refused("POST", where, code="UNAUTHORIZED_PRINCIPAL", topic_name="soup")
    assert olga.post(where, topic_name="sOUP")["complete"] is True
    assert bea.finds("channel:lunch") == [kept]
    *deleted, policy = line.events()
    assert [one.get("message_ids") for one in deleted] == [sent[3:], sent[1:3], sent[:1]]
    assert len(turns) == 2  # of others, in between
    assert (policy["topic_name"].lower(), policy["visibility_policy"]) == ("soup", 0)
    assert world.policy("bea", "lunch", "soup") == 0
    assert olga.post(where, topic_name="soup")["complete"] is True


def test_a_topic_too_long_for_one_request_is_deleted_in_several(
    world: World, olga: Someone, ada: Someone, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The user who deletes it is notified although that user had received none of the messages."""
    monkeypatch.setattr(deleting_topics, "BATCH", 2)
    monkeypatch.setattr(
        deleting_topics, "let_others", lambda: world.clock.advance(deleting_topics.REQUEST_SECONDS)
    )
    sent = [ada.says("soup", topic="soup") for _ in range(3)]
    line = olga.opens_queue("delete_message", client_capabilities={"bulk_message_deletion": True})
    where = f"{path(world, 'lunch')}/delete_topic"
    for complete, left in ((False, sent[:1]), (True, [])):
        assert olga.post(where, topic_name="soup")["complete"] is complete
        assert ada.finds("channel:lunch", "topic:soup") == left
    assert [event["message_ids"] for event in line.events()] == [sent[1:], sent[:1]]


def test_unreadable_messages_of_a_topic_are_skipped(
    world: World, ada: Someone, cem: Someone, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(deleting_topics, "BATCH", 2)
    turns: list[None] = []
    monkeypatch.setattr(deleting_topics, "let_others", lambda: turns.append(world.clock.advance(10)))
    sent = [ada.says("hush", "vault") for _ in range(4)]
    ada.joins("vault", principals=[cem.id])
    world.permit("vault", can_delete_any_message_group=GroupSetting.of(members=[cem.actor.user_id]))
    ada.says("hush", "vault")
    assert cem.post(f"{path(world, 'vault')}/delete_topic", topic_name="today")["complete"] is True
    assert ada.finds("channel:vault") == sent
    assert len(turns) == 2  # of five messages by twos: each is looked at once


def test_only_readable_messages_of_a_topic_are_deleted(world: World, ada: Someone, cem: Someone) -> None:
    before = ada.says("hush", "vault")
    ada.joins("vault", principals=[cem.id])
    world.permit("vault", can_delete_any_message_group=GroupSetting.of(members=[world.users["cem"].id]))
    ada.says("hush", "vault")
    where = f"{path(world, 'vault')}/delete_topic"
    assert cem.post(where, topic_name="today")["complete"] is True
    assert ada.finds("channel:vault") == [before]
    hidden = world["adi"].refused("POST", where, topic_name="today")
    assert hidden == world["adi"].refused("POST", "/streams/99999/delete_topic", topic_name="today")
