"""POST messages/flags and messages/flags/narrow: which flags, on what, and what follows."""

from collections.abc import Callable
from typing import Any

import pytest

from chatcore.application.messages import flags
from chatcore.domain.limits import Limits
from chatcore.domain.topics import VisibilityPolicy
from tests.worlds.organization import MakeWorld, Someone, World

READ_ONLY = (
    "mentioned",
    "stream_wildcard_mentioned",
    "topic_wildcard_mentioned",
    "wildcard_mentioned",
    "has_alert_word",
    "historical",
    "group_mentioned",
)


def refused(who: Someone, *message_ids: object, op: str = "add", flag: str = "starred") -> dict[str, Any]:
    return who.refused("POST", "/messages/flags", messages=list(message_ids), op=op, flag=flag)


def over(who: Someone, *narrow: str, op: str = "add", flag: str = "starred", **window: Any) -> dict[str, Any]:
    """Change a flag over a narrow: by default over all of it."""
    given = {"anchor": "oldest", "num_before": 0, "num_after": 100, **window}
    return who.post(
        "/messages/flags/narrow", narrow=[t.split(":", 1) for t in narrow], op=op, flag=flag, **given
    )


# -- which flags ------------------------------------------------------------------------------------


@pytest.mark.shows(
    "flag.read", "flag.starred", "flag.collapsed", "flags.add", "flags.remove", "flags.changeable",
)  # fmt: skip
@pytest.mark.parametrize("flag", ["read", "starred", "collapsed"])
def test_three_flags_can_be_set_and_cleared(ada: Someone, bea: Someone, flag: str) -> None:
    sent = [ada.says("soup"), ada.writes("hello", "bea")]
    assert bea.flagged(flag, *sent)["messages"] == sent
    assert [bea.flags(one) for one in sent] == [{flag}, {flag}]
    assert bea.flagged(flag, *sent, op="remove")["messages"] == sent
    assert [bea.flags(one) for one in sent] == [set(), set()]


@pytest.mark.shows(
    "flags.unchangeable", "flags.historical-unchangeable", "flags-by-id.flag",
    "flags-by-narrow.op-and-flag",
)  # fmt: skip
@pytest.mark.parametrize("flag", [*READ_ONLY, "loved", "", "Read", "active_mobile_push_notification"])
@pytest.mark.parametrize("op", ["add", "remove", "toggle"])
def test_no_other_flag_can_be_changed(ada: Someone, flag: str, op: str) -> None:
    sent = ada.says("soup")
    texts = {refused(ada, sent, op=op, flag=flag)["msg"]}
    answer = ada.refused(
        "POST", "/messages/flags/narrow",
        anchor="newest", num_before=1, num_after=0, narrow=[], op=op, flag=flag,
    )  # fmt: skip
    assert texts == {answer["msg"]}
    assert ("editable" in answer["msg"]) is (flag in READ_ONLY)
    assert answer["msg"].endswith("use one of 'read', 'starred', 'collapsed'")


def test_no_long_word_is_repeated_whole(ada: Someone) -> None:
    sent = ada.says("soup")
    for word, repeated in (("x" * 40, "x" * 40), ("x" * 41, "x" * 40 + "…")):
        for given in ({"flag": word, "op": "add"}, {"flag": "starred", "op": word}):
            assert f": '{repeated}'" in refused(ada, sent, **given)["msg"]


@pytest.mark.shows("flags-by-id.op")
@pytest.mark.parametrize("op", ["set", "", "ADD"])
def test_a_flag_is_added_or_removed(ada: Someone, op: str) -> None:
    assert "operation" in refused(ada, ada.says("soup"), op=op)["msg"]


@pytest.mark.shows("flags-by-id.messages", "flags-by-id.op", "flags-by-id.flag")
@pytest.mark.parametrize("missing", ["messages", "op", "flag"])
def test_every_parameter_is_needed(ada: Someone, missing: str) -> None:
    given = {"messages": [1], "op": "add", "flag": "read"}
    del given[missing]
    answer = ada.refused("POST", "/messages/flags", code="REQUEST_VARIABLE_MISSING", **given)
    assert answer["var_name"] == missing


@pytest.mark.shows("flags-by-id.messages")
@pytest.mark.parametrize("messages", ["1", '["1"]', "[true]", "{}", "[1.5]", "[null]"])
def test_messages_are_named_by_ids(ada: Someone, messages: str) -> None:
    answer = ada.refused(
        "POST", "/messages/flags",
        messages=messages, op="add", flag="read",
    )  # fmt: skip
    assert answer["var_name"] == "messages"


# -- on which messages ------------------------------------------------------------------------------


@pytest.mark.shows("flags.told", "flags-by-id.answer")
def test_only_what_really_changed_is_listed(ada: Someone, bea: Someone) -> None:
    first, second = ada.says("soup"), ada.says("stew")
    bea.flagged("starred", first)
    assert bea.flagged("starred", second, first, second)["messages"] == [second]
    assert bea.flagged("starred", first, second)["messages"] == []
    assert bea.flagged("collapsed", op="remove")["messages"] == []


def test_one_bad_id_refuses_all(ada: Someone, bea: Someone, cem: Someone) -> None:
    lunch, hidden = ada.says("soup"), ada.says("hush", "secret")
    line = cem.opens_queue("update_message_flags")
    for bad in (999_999, hidden, ada.writes("hush", "bea"), -1, 2**62):
        for op in ("add", "remove"):
            for flag in ("starred", "read", "collapsed"):
                refused(cem, lunch, bad, op=op, flag=flag)
    assert cem.flags(lunch) == {"read", "historical"}
    assert line.events() == []


def test_there_is_a_limit_of_ids(make_world: MakeWorld) -> None:
    ada = make_world(limits=Limits(max_ids_per_request=2))["ada"]
    sent = [ada.says("soup") for _ in range(3)]
    refused(ada, *sent)
    ada.flagged("starred", *sent[:2])


@pytest.mark.shows("flag.historical", "flags.historical")
def test_a_star_takes_a_message_into_ones_history(ada: Someone, cem: Someone) -> None:
    sent = ada.says("soup")
    for flag in ("starred", "collapsed"):
        assert cem.flagged(flag, sent)["messages"] == [sent]
    assert cem.flags(sent) == {"read", "historical", "starred", "collapsed"}
    assert cem.finds() == cem.finds("is:starred") == [sent]
    cem.flagged("starred", sent, op="remove")
    cem.flagged("collapsed", sent, op="remove")
    assert cem.flags(sent) == {"read", "historical"}
    assert cem.finds() == [sent]
    cem.joins("lunch")
    assert cem.flags(sent) == {"read", "historical"}


def test_reading_or_unstarring_what_was_never_received_changes_nothing(
    world: World, ada: Someone, cem: Someone
) -> None:
    sent = ada.says("soup")
    assert cem.flagged("read", sent)["messages"] == []
    assert cem.flagged("starred", sent, op="remove")["messages"] == []
    assert world.count("message_flag") == 0
    assert cem.finds() == []


def test_older_history_can_become_unread_after_joining(ada: Someone, cem: Someone) -> None:
    sent = ada.says("soup")
    cem.joins("lunch")
    assert cem.flagged("read", sent, op="remove")["messages"] == [sent]
    assert cem.flags(sent) == {"historical"}
    assert cem.finds("is:unread") == [sent]
    unread = cem.registers(fetch_event_types=["message", "update_message_flags"]).state["unread_msgs"]
    assert [topic["unread_message_ids"] for topic in unread["streams"]] == [[sent]]
    cem.flagged("read", sent)
    assert cem.flags(sent) == {"read", "historical"}


@pytest.mark.shows("flags-by-id.ignored")
def test_own_and_direct_messages_can_become_unread(ada: Someone) -> None:
    mine = [ada.says("soup", read_by_sender=True), ada.writes("hello", "bea", read_by_sender=True)]
    answer = ada.flagged("read", *mine, op="remove")
    assert answer["messages"] == mine
    assert answer["ignored_because_not_subscribed_channels"] == []
    assert ada.finds("is:unread") == mine


@pytest.mark.shows(
    "flags.unread-elsewhere", "flags.unread-elsewhere-told", "flags-by-id.ignored",
    "change.ignored-channels",
)  # fmt: skip
def test_nothing_becomes_unread_in_a_channel_that_was_left(world: World, ada: Someone, bea: Someone) -> None:
    world.add_channel("kitchen")
    lunch, kitchen, note = ada.says("soup"), ada.says("stew", "kitchen"), ada.writes("hello", "bea")
    bea.flagged("read", lunch, note)
    bea.leaves("lunch")
    answer = bea.flagged("read", kitchen, lunch, note, lunch, op="remove")
    assert answer["messages"] == [note]
    assert answer["ignored_because_not_subscribed_channels"] == sorted(
        [world.id("lunch"), world.id("kitchen")]
    )
    assert bea.finds("is:unread") == [note]


def test_a_muted_channel_is_no_obstacle(world: World, ada: Someone, bea: Someone) -> None:
    sent = ada.says("soup")
    world.mute("bea", "lunch")
    bea.flagged("read", sent)
    assert bea.flagged("read", sent, op="remove")["messages"] == [sent]


@pytest.mark.shows("flags.unread-elsewhere-told", "flags-by-id.ignored", "flags-by-narrow.ignored")
@pytest.mark.parametrize(("flag", "op"), [("read", "add"), ("starred", "remove")])
def test_ignored_channels_are_named_for_one_change_only(ada: Someone, flag: str, op: str) -> None:
    sent = ada.says("soup")
    assert "ignored_because_not_subscribed_channels" not in ada.flagged(flag, sent, op=op)
    assert "ignored_because_not_subscribed_channels" not in over(ada, flag=flag, op=op)


def test_leaving_a_channel_reads_what_is_unread_there(ada: Someone, bea: Someone) -> None:
    sent = [ada.says("soup"), ada.says("stew")]
    bea.flagged("read", sent[0])
    bea.flagged("starred", sent[1])
    bea.leaves("lunch")
    assert [bea.flags(one) for one in sent] == [{"read"}, {"read", "starred"}]
    bea.joins("lunch")
    assert bea.finds("is:unread") == []
    assert bea.finds("is:starred") == sent[1:]


# -- over a range -----------------------------------------------------------------------------------


@pytest.mark.shows(
    "conventions.success-envelope", "flags.told", "flags-by-narrow.include-anchor",
    "flags-by-narrow.processed", "flags-by-narrow.updated", "flags-by-narrow.ends",
    "flags-by-narrow.found", "change.flags-by-narrow",
)  # fmt: skip
def test_a_range_of_a_narrow_is_changed(ada: Someone, bea: Someone) -> None:
    sent = [ada.says(f"soup {number}") for number in range(4)]
    ada.says("other", topic="tomorrow")
    bea.flagged("starred", sent[1])
    assert over(bea, "topic:today", anchor=str(sent[1]), num_before=0, num_after=1) == {
        "result": "success",
        "msg": "",
        "processed_count": 2,
        "updated_count": 1,
        "first_processed_id": sent[1],
        "last_processed_id": sent[2],
        "found_oldest": False,
        "found_newest": False,
    }
    assert bea.finds("is:starred") == sent[1:3]


@pytest.mark.shows("flags-by-narrow.ends", "flags-by-narrow.found", "flags-by-narrow.ignored")
def test_an_empty_range_says_so(bea: Someone) -> None:
    answer = over(bea, "topic:nothing", op="remove", flag="read")
    assert (answer["processed_count"], answer["updated_count"]) == (0, 0)
    assert answer["first_processed_id"] is answer["last_processed_id"] is None
    assert (answer["found_oldest"], answer["found_newest"]) == (True, True)
    assert answer["ignored_because_not_subscribed_channels"] == []


@pytest.mark.shows("flags-by-narrow.include-anchor", "flags-by-narrow.unread-filter")
def test_a_client_goes_through_all_unread_in_steps(ada: Someone, bea: Someone) -> None:
    sent = [ada.says(f"soup {number}") for number in range(7)]
    line = bea.opens_queue("update_message_flags")
    anchor, steps, updated = "oldest", 0, 0
    while True:
        answer = over(bea, "is:unread", flag="read", anchor=anchor, num_after=3, include_anchor=steps == 0)
        steps, updated = steps + 1, updated + answer["updated_count"]
        if answer["found_newest"]:
            break
        anchor = str(answer["last_processed_id"])
    assert (steps, updated, bea.finds("is:unread")) == (3, 7, [])
    assert [one for event in line.events() for one in event["messages"]] == sent


@pytest.mark.shows("flags-by-narrow.narrow")
@pytest.mark.parametrize("narrow", ["[]", "null"])
def test_without_a_narrow_it_is_all_that_was_received(ada: Someone, bea: Someone, narrow: str) -> None:
    sent = [ada.says("soup"), ada.writes("hello", "bea"), ada.says("hush", "vault")]
    answer = bea.post(
        "/messages/flags/narrow",
        anchor="newest", num_before=10, num_after=0, narrow=narrow, op="add", flag="starred",
    )  # fmt: skip
    assert answer["processed_count"] == 2
    assert bea.finds("is:starred") == sent[:2]


@pytest.mark.shows(
    "flags-by-narrow.anchor", "flags-by-narrow.counts", "flags-by-narrow.narrow",
    "flags-by-narrow.op-and-flag",
)  # fmt: skip
@pytest.mark.parametrize("missing", ["anchor", "num_before", "num_after", "narrow", "op", "flag"])
def test_every_parameter_of_a_range_is_needed(ada: Someone, missing: str) -> None:
    given = {"anchor": "newest", "num_before": 1, "num_after": 0, "narrow": "[]", "op": "add", "flag": "read"}
    del given[missing]
    answer = ada.refused("POST", "/messages/flags/narrow", code="REQUEST_VARIABLE_MISSING", **given)
    assert answer["var_name"] == missing


@pytest.mark.shows("flags-by-narrow.anchor")
def test_ranges_are_checked_as_those_of_a_fetch(ada: Someone) -> None:
    good = {"anchor": "newest", "num_before": 1, "num_after": 0, "narrow": "[]", "op": "add", "flag": "read"}

    def refuse(code: str, **bad: object) -> None:
        ada.refused("POST", "/messages/flags/narrow", code=code, **{**good, **bad})

    refuse("BAD_REQUEST", anchor="soon")
    refuse("BAD_REQUEST", num_after=1, include_anchor=False)
    refuse("REQUEST_VARIABLE_INVALID", num_before=-1)
    refuse("BAD_NARROW", narrow=[["channel", "nowhere"]])
    refuse("BAD_NARROW", narrow=[["channel", "lunch"], ["is", "dm"]])


@pytest.mark.every_case_on_postgresql
@pytest.mark.shows("flags-by-narrow.counts-cut", "flags-by-narrow.processed", "limit.flag-range")
@pytest.mark.parametrize(
    ("asked", "done"), [((8, 8), (5, 5)), ((25, 1), (9, 1)), ((1, 30), (1, 9)), ((6, 4), (6, 4))]
)
def test_a_large_range_is_cut(make_world: MakeWorld, asked: tuple[int, int], done: tuple[int, int]) -> None:
    world = make_world(limits=Limits(max_messages_per_flag_range=10))
    ada = world["ada"]
    sent = [ada.says("soup", topic=f"t{number}") for number in range(41)]
    before, after = asked
    answer = over(ada, anchor=str(sent[20]), num_before=before, num_after=after)
    assert answer["first_processed_id"] == sent[20 - done[0]]
    assert answer["last_processed_id"] == sent[20 + done[1]]
    assert answer["processed_count"] == sum(done) + 1


def test_a_range_in_full_history_takes_messages_in(ada: Someone, cem: Someone) -> None:
    sent = [ada.says("soup"), ada.says("stew")]
    assert over(cem, "channel:lunch", flag="read")["updated_count"] == 0
    assert over(cem, "channel:lunch")["updated_count"] == 2
    assert cem.finds("is:starred") == sent


def test_a_guest_takes_nothing_in_from_a_channel_it_only_looks_into(
    world: World, ada: Someone, gus: Someone
) -> None:
    sent = ada.says("soup", "plaza")
    assert over(gus, "channel:plaza", flag="read")["processed_count"] == 1
    gus.refused(
        "POST", "/messages/flags/narrow", anchor="newest", num_before=5, num_after=0,
        narrow=[["channel", "plaza"]], op="add", flag="starred",
    )  # fmt: skip
    refused(gus, sent)
    assert world.count("message_flag") == 0


def test_a_range_can_follow_a_message(ada: Someone, bea: Someone) -> None:
    sent = [ada.says("soup"), ada.says("stew")]
    ada.says("other", topic="tomorrow")
    assert over(bea, f"with:{sent[0]}")["processed_count"] == 2
    assert bea.finds("is:starred") == sent


# -- many messages ----------------------------------------------------------------------------------


@pytest.fixture
def meanwhile(monkeypatch: pytest.MonkeyPatch) -> list[Callable[[], object]]:
    """Requests of others that come between the steps of a large request, each of two messages."""
    others: list[Callable[[], object]] = []
    monkeypatch.setattr(flags, "BATCH", 2)
    monkeypatch.setattr(flags, "let_others", lambda: others.pop(0)() if others else None)
    return others


def test_others_write_between_the_steps_of_a_large_range(
    ada: Someone, bea: Someone, meanwhile: list[Callable[[], object]]
) -> None:
    sent = [ada.says(f"soup {number}") for number in range(5)]
    line = bea.opens_queue("message", "update_message_flags")
    meanwhile += [lambda: ada.says("stew"), lambda: ada.says("salad")]
    answer = over(bea, "channel:lunch")
    assert not meanwhile
    assert (answer["processed_count"], answer["updated_count"]) == (5, 5)
    assert (answer["first_processed_id"], answer["last_processed_id"]) == (sent[0], sent[-1])
    assert bea.finds("is:starred") == sent
    assert [event.get("messages", "message") for event in line.events()] == [
        sent[:2], "message", sent[2:4], "message", sent[4:],
    ]  # fmt: skip


@pytest.mark.parametrize(("op", "flag"), [("add", "starred"), ("remove", "read")])
def test_others_write_between_the_steps_of_many_ids(
    ada: Someone, bea: Someone, meanwhile: list[Callable[[], object]], op: str, flag: str
) -> None:
    sent = [ada.says(f"soup {number}") for number in range(5)]
    over(bea, flag="read")
    line = bea.opens_queue("update_message_flags")
    meanwhile += [lambda: ada.says("stew"), lambda: ada.says("salad")]
    assert bea.flagged(flag, *reversed(sent), op=op)["messages"] == sent
    assert not meanwhile
    assert [event["messages"] for event in line.events()] == [sent[:2], sent[2:4], sent[4:]]
    assert set(sent) <= set(bea.finds("is:starred" if flag == "starred" else "is:unread"))


@pytest.mark.parametrize("by", ["ids", "narrow"])
def test_each_step_passes_over_messages_that_are_out_of_reach_by_now(
    world: World, ada: Someone, cem: Someone, meanwhile: list[Callable[[], object]], by: str
) -> None:
    """The reader has not received them, and adds them to the history."""
    sent = [ada.says(f"soup {number}", topic=f"t{number}") for number in range(6)]
    vault = world.id("vault")
    meanwhile += [
        lambda: (
            ada.delete(f"/messages/{sent[2]}"),
            ada.patch(f"/messages/{sent[4]}", stream_id=vault, propagate_mode="change_one"),
        )
    ]
    line = cem.opens_queue("update_message_flags")
    if by == "ids":
        assert cem.flagged("starred", *sent)["messages"] == [*sent[:2], sent[3], sent[5]]
    else:
        answer = over(cem, "channel:lunch")
        assert (answer["processed_count"], answer["updated_count"]) == (6, 4)
    assert [event["messages"] for event in line.events()] == [sent[:2], [sent[3]], [sent[5]]]
    assert cem.finds("is:starred") == [*sent[:2], sent[3], sent[5]]


def test_one_message_out_of_reach_refuses_many_ids_before_the_first_step(
    world: World, ada: Someone, bea: Someone, meanwhile: list[Callable[[], object]]
) -> None:
    sent = [ada.says(f"soup {number}") for number in range(5)]
    refused(bea, *sent, ada.says("hush", "vault"))
    refused(bea, *sent, sent[-1] + 1000)
    assert world.count("message_flag") == 0


# -- the event --------------------------------------------------------------------------------------


def test_ones_own_queues_receive_the_changes(ada: Someone, bea: Someone) -> None:
    mine, other, hers = (who.opens_queue("update_message_flags") for who in (bea, bea, ada))
    first, second = ada.says("soup"), ada.says("stew")
    bea.flagged("starred", first)
    bea.flagged("starred", first, second)
    bea.flagged("starred", first, second)
    for line in (mine, other):
        events = [{k: v for k, v in event.items() if k != "id"} for event in line.events()]
        assert events == [
            {
                "type": "update_message_flags",
                "op": "add",
                "operation": "add",
                "flag": "starred",
                "messages": [message_id],
                "all": False,
            }
            for message_id in (first, second)
        ]
    assert hers.events() == []


def test_unread_again_comes_with_what_a_client_needs_to_count(
    world: World, ada: Someone, bea: Someone
) -> None:
    sent = {
        "plain": ada.says("soup", topic="Plain"),
        "called": ada.says("@**Bea**", topic="noise"),
        "empty": ada.says("soup", topic=""),
        "two": ada.writes("hello", "bea"),
        "three": ada.writes("@**Bea**", "bea", "cem"),
        "own": bea.writes("to me", "bea", read_by_sender=True),
    }
    over(bea, flag="read")
    world.set_policy("bea", "lunch", "noise", VisibilityPolicy.MUTED)
    line = bea.opens_queue("update_message_flags")
    bea.flagged("read", *sent.values(), op="remove")
    (event,) = line.events()
    lunch = {"type": "stream", "stream_id": world.id("lunch"), "unmuted_stream_msg": True}
    assert event["message_details"] == {
        str(sent["plain"]): {**lunch, "topic": "Plain"},
        str(sent["called"]): {**lunch, "topic": "noise", "unmuted_stream_msg": False, "mentioned": True},
        str(sent["empty"]): {**lunch, "topic": "general chat"},
        str(sent["two"]): {"type": "private", "user_ids": [ada.id]},
        str(sent["three"]): {
            "type": "private",
            "user_ids": sorted([ada.id, world["cem"].id]),
            "mentioned": True,
        },
        str(sent["own"]): {"type": "private", "user_ids": []},
    }


@pytest.mark.shows("visibility.unmuted")
@pytest.mark.parametrize(
    ("policy", "is_counted"), [(VisibilityPolicy.INHERIT, False), (VisibilityPolicy.UNMUTED, True)]
)
def test_a_muted_channel_counts_by_its_topics(
    world: World, ada: Someone, bea: Someone, policy: VisibilityPolicy, is_counted: bool
) -> None:
    sent = ada.says("soup")
    bea.flagged("read", sent)
    world.mute("bea", "lunch")
    world.set_policy("bea", "lunch", "today", policy)
    line = bea.opens_queue("update_message_flags")
    bea.flagged("read", sent, op="remove")
    assert line.events()[0]["message_details"][str(sent)]["unmuted_stream_msg"] is is_counted


def test_changes_back_and_forth_are_sent_in_order(ada: Someone, bea: Someone) -> None:
    sent = ada.says("soup")
    line = bea.opens_queue("update_message_flags")
    for op in ("add", "remove", "add"):
        bea.flagged("read", sent, op=op)
    events = line.events()
    assert [event["op"] for event in events] == ["add", "remove", "add"]
    assert ["message_details" in event for event in events] == [False, True, False]


def test_the_rows_in_the_store_stay_few(world: World, ada: Someone, bea: Someone) -> None:
    sent = [ada.says("soup") for _ in range(10)]
    bea.flagged("read", *sent[5:])
    bea.flagged("read", *sent[:5])
    assert world.count("message_flag") == 0
    assert bea.finds("is:unread") == []


@pytest.mark.parametrize("others", [["bea"], ["bea", "cem"]])
def test_a_direct_message_to_everybody_is_an_unread_mention(
    world: World, ada: Someone, bea: Someone, others: list[str]
) -> None:
    ids = [world[name].id for name in others]
    sent = ada.post("/messages", type="direct", to=ids, content="@**all**")["id"]
    assert bea.flags(sent) == {"stream_wildcard_mentioned", "wildcard_mentioned"}
    state = bea.post("/register", event_types=["message", "update_message_flags"])
    assert state["unread_msgs"]["mentions"] == [sent]
