"""History and channels: every endpoint treats what a user may not see as if it did not exist."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.security.attacking import nothing_changes, refusal
from tests.worlds.organization import Someone, World, is_

EMPTY = {"messages": [], "found_anchor": False, "found_oldest": True, "found_newest": True}
OUTSIDERS = ("olga", "adi", "mona", "cem", "gus", "robo")
"""An owner, an administrator, a moderator, a member, a guest, and a bot whose owner is subscribed."""


def page(who: Someone, *narrow: Any, **more: Any) -> dict[str, Any]:
    answer = who.page(*narrow, **more)
    return {name: answer[name] for name in EMPTY}


def roads(who: Someone, channel: str, message_id: int, word: str) -> None:
    """Look for a message in every way; require that it is not found."""
    channel_id = who.world.id(channel)
    absent = refusal(who, "GET", "/messages/999999")
    with nothing_changes(who.world):
        assert refusal(who, "GET", f"/messages/{message_id}") == absent
        assert who.finds(message_ids=[message_id]) == []
        for narrow in (
            (f"channel:{channel}",),
            (is_("channel", channel_id),),
            (f"channel:{channel}", "topic:plans"),
            (f"channel:{channel}", f"search:{word}"),
            (f"channel:{channel}", f"id:{message_id}"),
            (f"channel:{channel}", "is:unread"),
        ):
            for anchor in ("newest", "oldest", "first_unread", str(message_id)):
                assert page(who, *narrow, anchor=anchor) == EMPTY
        for narrow in (
            (),
            (f"id:{message_id}",),
            ("topic:plans",),
            (f"search:{word}",),
            ("channels:public",),
            ("-channel:lunch",),
            ("is:starred",),
            ("is:mentioned",),
            ("-is:dm",),
            (f"near:{message_id}",),
        ):
            assert message_id not in who.finds(*narrow)
        assert refusal(
            who, "GET", "/messages", narrow=[["with", str(message_id)]], anchor="newest", num_before=1,
            num_after=0,
        )["desc"].replace(str(message_id), "N") == refusal(
            who, "GET", "/messages", narrow=[["with", "999999"]], anchor="newest", num_before=1, num_after=0
        )["desc"].replace("999999", "N")  # fmt: skip
        no_message = refusal(who, "POST", "/messages/flags", messages=[999_999], op="add", flag="read")
        for flag in ("read", "starred", "collapsed"):
            for op in ("add", "remove"):
                assert (
                    refusal(who, "POST", "/messages/flags", messages=[message_id], op=op, flag=flag)
                    == no_message
                )
                answer = who.post(
                    "/messages/flags/narrow", narrow=[["channel", channel]], anchor="oldest",
                    num_before=0, num_after=100, op=op, flag=flag,
                )  # fmt: skip
                assert (answer["processed_count"], answer["first_processed_id"]) == (0, None)
        no_channel = refusal(who, "GET", "/users/me/999999/topics")
        assert refusal(who, "GET", f"/users/me/{channel_id}/topics") == no_channel


def unseen(who: Someone, channel: str, message_id: int) -> None:
    """Require that neither the state of a registration nor a later event contains it."""
    state = who.post("/register", include_subscribers=True)
    assert all(one["stream_id"] != who.world.id(channel) for one in state["subscriptions"])
    assert str(message_id) not in str(state["unread_msgs"])
    assert message_id not in state["starred_messages"]


@pytest.mark.every_case_on_postgresql
@pytest.mark.parametrize("channel", ["secret", "vault"])
@pytest.mark.parametrize("name", OUTSIDERS)
def test_sec_1_a_private_channel_is_as_if_absent(world: World, ada: Someone, name: str, channel: str) -> None:
    sent = ada.says("the quince ripens", channel, "plans")
    roads(world[name], channel, sent, "quince")
    unseen(world[name], channel, sent)


def test_sec_1_a_channel_without_messages_looks_like_one_with_them(ada: Someone, cem: Someone) -> None:
    before = page(cem, "channel:secret")
    ada.says("hush", "secret")
    assert page(cem, "channel:secret") == before == EMPTY


@pytest.mark.parametrize("channel", ["secret", "vault"])
def test_sec_2_removed_users_see_nothing_from_that_moment(
    world: World, ada: Someone, cem: Someone, channel: str
) -> None:
    ada.joins(channel, principals=[cem.id])
    old, own = ada.says("the quince ripens", channel, "plans"), cem.says("my quince", channel, "plans")
    ada.says("@**Cem** quince", channel, "plans")
    cem.flagged("starred", old, own)
    line = cem.opens_queue("message", "update_message_flags", "stream", "subscription")
    world["adi"].leaves(channel, principals=[cem.id])
    new = ada.says("the quince is ripe", channel, "plans")
    for message_id in (old, own, new):
        roads(cem, channel, message_id, "quince")
    assert [(e["type"], e.get("op")) for e in line.events()] == [
        ("update_message_flags", "add"),
        ("subscription", "remove"),
        ("stream", "delete"),
    ]
    refusal(cem, "POST", "/messages", type="channel", to=channel, topic="plans", content="let me in")
    state = cem.post("/register")
    assert world.id(channel) not in [
        one["stream_id"]
        for name in ("subscriptions", "unsubscribed", "never_subscribed")
        for one in state[name]
    ]


def test_sec_2_an_event_that_was_not_fetched_yet_is_withheld(
    world: World, ada: Someone, bea: Someone
) -> None:
    line = bea.opens_queue("message")
    ada.says("hush", "secret")
    world["adi"].leaves("secret", principals=[bea.id])
    assert line.events() == []


def test_sec_3_protected_history_stays_closed_to_who_comes_later(
    world: World, ada: Someone, cem: Someone
) -> None:
    old = ada.says("the quince ripens", "vault", "old plans")
    line = cem.opens_queue("message")
    ada.joins("vault", principals=[cem.id])
    new = ada.says("quince jam", "vault", "new plans")
    assert line.messages()[-1] == new
    assert old not in [event["message"]["id"] for event in line.peek(last_event_id=line.last)]
    refusal(cem, "GET", f"/messages/{old}")
    for narrow in (
        ("channel:vault",),
        ("channel:vault", "search:quince"),
        ("search:quince",),
        (f"id:{old}",),
        ("channel:vault", f"id:{old}"),
        ("channel:vault", "topic:old plans"),
        ("channel:vault", f"near:{old}"),
        ("channel:vault", "-topic:nothing"),
        ("channels:public",),
    ):
        for anchor in ("newest", "oldest", str(old)):
            assert old not in cem.finds(*narrow, anchor=anchor, num_after=50)
    assert cem.finds(message_ids=[old, new]) == [new]
    with nothing_changes(world):
        for flag in ("starred", "read", "collapsed"):
            refusal(cem, "POST", "/messages/flags", messages=[old, new], op="add", flag=flag)
    topics = cem.get(f"/users/me/{world.id('vault')}/topics")["topics"]
    assert [topic["name"] for topic in topics] == ["new plans"]
    unread = cem.registers().state["unread_msgs"]
    assert str(old) not in str(unread)
    refusal(cem, "GET", "/messages", narrow=[["with", str(old)]], anchor="newest", num_before=1, num_after=0)


def test_sec_3_being_away_closes_what_was_sent_meanwhile(world: World, ada: Someone, cem: Someone) -> None:
    ada.joins("vault", principals=[cem.id])
    seen = ada.says("one", "vault")
    cem.leaves("vault")
    missed = ada.says("two", "vault")
    ada.joins("vault", principals=[cem.id])
    assert cem.finds("channel:vault") == [seen]
    refusal(cem, "GET", f"/messages/{missed}")


@pytest.mark.every_case_on_postgresql
@pytest.mark.parametrize("name", ["cem", "gus", "adi"])
def test_sec_8_an_archived_channel_gives_no_more_rights(world: World, ada: Someone, name: str) -> None:
    sent = ada.says("the quince ripens", "secret", "plans")
    world.archive("secret")
    who = world[name]
    roads(who, "secret", sent, "quince")
    for one in (who, ada):
        refusal(one, "POST", "/messages", type="channel", to="secret", topic="plans", content="more")
    refusal(who, "POST", "/users/me/subscriptions", subscriptions=[{"name": "secret"}])
    assert ada.finds("channel:secret") == [sent]


@pytest.mark.parametrize("channel", ["secret", "vault"])
def test_sec_10_nobody_gets_into_a_closed_channel_by_themselves(
    world: World, ada: Someone, channel: str
) -> None:
    with nothing_changes(world):
        for name in OUTSIDERS:
            who = world[name]
            wanted = [{"name": channel}]
            refusal(who, "POST", "/users/me/subscriptions", subscriptions=wanted)
            refusal(who, "POST", "/users/me/subscriptions", subscriptions=wanted, principals=[who.id])
            refusal(
                who, "POST", "/users/me/subscriptions", subscriptions=wanted, principals=[world["bea"].id + 1]
            )
            refusal(who, "POST", "/users/me/subscriptions", subscriptions=wanted, invite_only=False)
    line = world["cem"].opens_queue(
        "message",
        narrow=[["channel", channel]],
    )
    ada.says("hush", channel)
    assert line.events() == []


def test_sec_12_names_are_resolved_for_authors_who_can_see_them(
    world: World, ada: Someone, cem: Someone
) -> None:
    hidden = ada.says("hush", "secret", "plans")
    secret = world.id("secret")
    for text in (
        "#**secret**",
        "#**secret>plans**",
        f"#**secret>plans@{hidden}**",
        "#**SECRET**",
        "[x](#**secret**)",
    ):
        html = cem.message(cem.says(text))["content"]
        for revealing in (
            f'data-stream-id="{secret}"',
            f"narrow/channel/{secret}",
            "stream-topic",
            'class="stream"',
        ):
            assert revealing not in html
        assert (
            html.replace("secret", "absent").replace("SECRET", "ABSENT")
            == cem.message(cem.says(text.replace("secret", "absent").replace("SECRET", "ABSENT")))["content"]
        )
    assert f'data-stream-id="{secret}"' in ada.message(ada.says("#**secret**"))["content"]


def test_sec_12_a_visible_unreadable_channel_reveals_no_topic(world: World, ada: Someone) -> None:
    hidden, adi = ada.says("hush", "secret", "plans"), world["adi"]
    html = {
        topic: adi.message(adi.says(f"#**secret>{topic}**", "plaza"))["content"]
        for topic in ("plans", "peaks")
    }
    assert str(hidden) not in html["plans"].replace(str(world.id("secret")), "")
    assert html["plans"].replace("plans", "peaks") == html["peaks"]
    assert f"/with/{hidden}" in ada.message(ada.says("#**secret>plans**"))["content"]


def test_sec_12_a_protected_topic_shows_no_message_of_before(
    world: World, ada: Someone, cem: Someone
) -> None:
    old = ada.says("hush", "vault", "plans")
    ada.joins("vault", principals=[cem.id])
    assert str(old) not in cem.message(cem.says("#**vault>plans**"))["content"]


def test_sec_13_a_taken_name_reveals_nothing_else(world: World, cem: Someone) -> None:
    taken = refusal(cem, "POST", "/users/me/subscriptions", subscriptions=[{"name": "SECRET"}])
    assert {"secret", "private", "archived"} & set(
        taken["msg"].replace("SECRET", "").lower().split()
    ) == set()
    for method, path, parameter in (
        ("GET", "/get_stream_id", {"stream": "NAME"}),
        ("DELETE", "/users/me/subscriptions", {"subscriptions": '["NAME"]'}),
        ("POST", "/messages", {"type": "channel", "to": "NAME", "topic": "x", "content": "x"}),
    ):
        answers = []
        for name in ("secret", "absent"):
            given = {key: value.replace("NAME", name) for key, value in parameter.items()}
            answer = refusal(cem, method, path, **given)
            answers.append(str(answer).replace(name, "NAME"))
        assert answers[0] == answers[1]


def test_sec_14_flags_on_what_one_cannot_see_write_nothing(world: World, ada: Someone, cem: Someone) -> None:
    hidden = [ada.says("hush", "secret"), ada.says("hush", "vault"), ada.writes("hush", "bea")]
    visible = ada.says("soup")
    line = cem.opens_queue("update_message_flags")
    with nothing_changes(world):
        for message_id in hidden:
            for flag in ("starred", "read", "collapsed"):
                refusal(cem, "POST", "/messages/flags", messages=[visible, message_id], op="add", flag=flag)
                refusal(cem, "POST", "/messages/flags", messages=[message_id], op="remove", flag=flag)
    assert line.events() == []


DIRECT: list[Callable[[World], Any]] = [
    lambda w: is_("dm", [w["ada"].id, w["bea"].id]),
    lambda w: "dm:ada@example.org,bea@example.org",
    lambda w: is_("dm", [w["ada"].id]),
    lambda w: is_("dm-including", w["ada"].id),
    lambda w: is_("group-pm-with", w["ada"].id),
    lambda w: is_("sender", w["ada"].id),
    lambda w: "is:dm",
    lambda w: "search:quince",
]


@pytest.mark.every_case_on_postgresql
@pytest.mark.parametrize("name", OUTSIDERS)
def test_sec_15_direct_messages_are_for_the_people_in_them(world: World, ada: Someone, name: str) -> None:
    who = world[name]
    before = [page(who, term(world)) for term in DIRECT]
    conversations = world.count("conversation")
    sent = ada.writes("the quince ripens", "bea")
    refusal(who, "GET", f"/messages/{sent}")
    assert who.finds(message_ids=[sent]) == []
    assert [page(who, term(world)) for term in DIRECT] == before, "who talks with whom cannot be told"
    assert page(who, f"id:{sent}") == EMPTY
    refusal(who, "POST", "/messages/flags", messages=[sent], op="add", flag="starred")
    assert world.count("conversation") == conversations + 1


def test_sec_15_leaving_a_group_out_of_its_people_finds_another(
    world: World, ada: Someone, cem: Someone
) -> None:
    all_three = ada.writes("the three of us", "bea", "cem")
    two = ada.writes("the two of us", "bea")
    assert cem.finds(is_("dm", [ada.id, world["bea"].id])) == [all_three]
    assert two not in cem.finds("is:dm")
