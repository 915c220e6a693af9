"""The notice that a topic was resolved: unread or not, by a setting and by following the topic."""

import pytest

from chatcore.domain.people.settings import RESOLVED_NOTICES
from chatcore.domain.topics import VisibilityPolicy
from tests.worlds.organization import Line, Someone, World, is_

UNSET = None
WHO: dict[str, tuple[str | None, VisibilityPolicy]] = {
    f"{setting or 'unset'} {policy.name.lower()}": (setting, policy)
    for setting in (UNSET, "always", "except_followed", "never")
    for policy in (VisibilityPolicy.INHERIT, VisibilityPolicy.FOLLOWED, VisibilityPolicy.UNMUTED)
}
UNREAD = {"unset followed", "except_followed followed", "never inherit", "never followed", "never unmuted"}
"""The users for whom it is unread."""


@pytest.fixture
def people(world: World) -> dict[str, Someone]:
    """One of each, all in a channel with a topic."""
    found = {}
    for number, (name, (setting, _)) in enumerate(WHO.items()):
        settings = {} if setting is UNSET else {RESOLVED_NOTICES: setting}
        found[name] = world.add_user(f"reader{number}", settings=settings)
    world.add_channel("help", "ada", *(one.name or "" for one in found.values()))
    for name, someone in found.items():
        world.set_policy(someone.name or "", "help", "broken", WHO[name][1])
    return found


def resolves(who: Someone, message_id: int, topic: str = "✔ broken") -> int:
    """The id of the notice."""
    who.patch(f"/messages/{message_id}", topic=topic, propagate_mode="change_all")
    newest: int = who.page()["messages"][-1]["id"]
    assert newest > message_id
    return newest


def flags_of(line: Line) -> list[str]:
    (event,) = line.events()
    flags: list[str] = event["flags"]
    return flags


def test_users_for_whom_it_is_unread(world: World, ada: Someone, people: dict[str, Someone]) -> None:
    """Events of waiting and late polls and all answers agree; changes by other users have no effect."""
    sent = ada.says("it does not work", "help", "broken")
    for someone in people.values():
        someone.flagged("read", sent)
    late = {name: someone.opens_queue("message") for name, someone in people.items()}
    waiting = {name: people[name].opens_queue("message") for name in ("unset inherit", "never inherit")}
    polls = {name: line.waits() for name, line in waiting.items()}
    notice = resolves(ada, sent)
    flags_at_once = {name: poll.answer()[0]["flags"] for name, poll in polls.items()}
    assert flags_at_once == {"unset inherit": ["read"], "never inherit": []}
    world.choose(people["never inherit"].name or "")  # what was, stays
    for name, someone in people.items():
        unread = [notice] if name in UNREAD else []
        expected = [] if unread else ["read"]
        assert flags_of(late[name]) == expected, name
        assert someone.flags(notice) == set(expected), name
        assert someone.finds("is:unread") == unread, name
        state = someone.registers().state["unread_msgs"]
        assert [topic["unread_message_ids"] for topic in state["streams"]] == [unread] * len(unread), name
        assert state["count"] == len(unread), name
        assert (someone.page(anchor="first_unread")["anchor"] == notice) is (name in UNREAD), name
    assert world.count("message_flag") == len(UNREAD)
    world.change_organization(enable_read_receipts=True)
    receipts = ada.get(f"/messages/{notice}/read_receipts")["user_ids"]
    assert set(receipts) == {ada.id} | {people[name].id for name in people.keys() - UNREAD}


@pytest.mark.parametrize("setting", ["always", "except_followed", "never"])
def test_it_is_read_for_the_user_who_resolves_the_topic(world: World, ada: Someone, setting: str) -> None:
    world.choose("ada", **{RESOLVED_NOTICES: setting})
    world.set_policy("ada", "lunch", "today", VisibilityPolicy.FOLLOWED)
    line, sent = ada.opens_queue("message"), ada.says("soup", read_by_sender=True)
    line.events()
    assert ada.flags(resolves(ada, sent, "✔ today")) == {"read"}
    assert flags_of(line) == ["read"]


def test_the_setting_counts_over_http_also_when_it_is_no_longer_resolved(
    world: World, ada: Someone, bea: Someone, gus: Someone
) -> None:
    """The setting affects neither users outside the channel nor other notices."""
    world.set_policy("cem", "lunch", "today", VisibilityPolicy.FOLLOWED)
    world["cem"].joins("plaza")
    sent = ada.says("soup")
    bea.patch("/settings", **{RESOLVED_NOTICES: "never"})
    first = resolves(ada, sent, "✔ today")
    world.clock.advance(100)
    second = resolves(ada, sent, "today")
    assert [one.flags(notice) for one in (bea, gus) for notice in (first, second)] == [
        set(), set(), {"read"}, {"read"}
    ]  # fmt: skip
    assert world["cem"].flags(first) == {"read", "historical"}
    assert world["cem"].registers().state["unread_msgs"]["count"] == 0
    ada.patch(f"/messages/{sent}", topic="tomorrow")
    assert "read" not in gus.flags(gus.finds()[-1])


def test_it_is_read_if_the_bot_is_muted(world: World, ada: Someone, bea: Someone) -> None:
    world.choose("bea", **{RESOLVED_NOTICES: "never"})
    line = bea.opens_queue("message")
    sent = ada.says("soup")
    bea.post(f"/users/me/muted_users/{world.users['system'].id}")
    assert bea.flags(resolves(ada, sent, "✔ today")) == {"read"}
    assert [event["flags"] for event in line.events()] == [[], ["read"]]


def test_it_is_marked_as_unread_and_read_and_moved_as_others(
    world: World, ada: Someone, bea: Someone, gus: Someone
) -> None:
    """By users for whom it was read and for whom it was unread; neighbouring messages do not change."""
    world.choose("gus", **{RESOLVED_NOTICES: "never"})
    target = world.add_channel("archive", "ada", "bea", "gus")
    before = ada.says("soup")
    notice = resolves(ada, before, "✔ today")
    after = ada.says("salad")

    def unread(*expected: tuple[Someone, list[int]]) -> None:
        for who, messages in expected:
            assert who.finds("is:unread") == messages
            assert who.registers().state["unread_msgs"]["count"] == len(messages)

    unread((bea, [before, after]), (gus, [before, notice, after]))
    assert bea.flagged("read", notice)["messages"] == []
    assert bea.flagged("read", notice, op="remove")["messages"] == [notice]
    assert gus.flagged("read", notice)["messages"] == [notice]
    unread((bea, [before, notice, after]), (gus, [before, after]))
    bea.flagged("read", before, after)
    gus.flagged("read", notice, op="remove")
    unread((bea, [notice]), (gus, [before, notice, after]))
    ada.patch(f"/messages/{before}", stream_id=target, propagate_mode="change_all")
    assert ada.finds(is_("channel", target))[:2] == [before, notice]
    assert [who.flags(notice) for who in (ada, bea, gus)] == [{"read"}, set(), set()]
    bea.flagged("read", notice)
    gus.post("/mark_all_as_read")
    assert [who.flags(notice) for who in (bea, gus)] == [{"read"}] * 2


def test_it_stays_read_when_moved_to_another_channel(
    world: World, ada: Someone, bea: Someone, gus: Someone
) -> None:
    """Nobody has a row for it, and users who subscribe there later have not received it."""
    target = world.add_channel("archive", "ada", "bea")
    sent = ada.says("soup")
    notice = resolves(ada, sent, "✔ today")
    ada.patch(f"/messages/{sent}", stream_id=target, propagate_mode="change_all")
    gus.world["cem"].joins("archive")
    assert [who.flags(notice) for who in (bea, world["cem"])] == [{"read"}, {"read", "historical"}]
    assert world.count("message_flag") == 1  # the sent message is unread where another watermark counts


def test_an_alert_word_in_it_does_not_make_it_unread(world: World, ada: Someone, bea: Someone) -> None:
    bea.post("/users/me/alert_words", alert_words=["resolved"])
    line = bea.opens_queue("message")
    sent = ada.says("soup")
    assert bea.flags(resolves(ada, sent, "✔ today")) == {"read", "has_alert_word"}
    assert line.events()[1]["flags"] == ["read", "has_alert_word"]
