"""Muting people over HTTP, and what becomes of their messages."""

import pytest

from chatcore.application.people.muted_users import mute_user
from chatcore.domain.groups.permissions import GroupSetting
from chatcore.domain.groups.system import SystemGroup
from tests.security.attacking import nothing_changes
from tests.worlds.organization import NOW, Someone, World


def test_earlier_and_later_messages_are_read(ada: Someone, bea: Someone, gus: Someone) -> None:
    before = [ada.says("@**Bea** soup"), ada.writes("soup", "bea"), ada.says("soup", "secret")]
    others = gus.says("salad")
    line = bea.registers(event_types=["muted_users", "update_message_flags", "message"])
    bea.post(f"/users/me/muted_users/{ada.id}")
    muted, *flags = line.events()
    assert muted["muted_users"] == [{"id": ada.id, "timestamp": NOW}]
    assert [(event["flag"], event["op"], event["messages"]) for event in flags] == [("read", "add", before)]
    later = [ada.says("@**Bea** soup"), ada.writes("soup", "bea", "gus")]
    assert [(e["message"]["id"], "read" in e["flags"]) for e in line.events()] == [(m, True) for m in later]
    assert bea.flags(later[0]) == {"read", "mentioned"}
    assert "read" not in gus.flags(later[1])
    state = bea.registers().state
    assert state["muted_users"] == [{"id": ada.id, "timestamp": NOW}]
    assert state["unread_msgs"]["count"] == 1
    assert "read" not in bea.flags(others)


def test_muting_marks_many_messages_in_batches(
    world: World, ada: Someone, bea: Someone, gus: Someone, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between which others write, and also what was read may change; what came later is left alone."""
    monkeypatch.setattr("chatcore.application.messages.marking.BATCH", 2)
    sent, after = [ada.says("soup") for _ in range(5)], []

    def others() -> None:
        after.append(gus.says("salad"))
        if len(after) == 1:
            bea.delete(f"/users/me/muted_users/{ada.id}")
            after.append(ada.says("more soup"))

    monkeypatch.setattr("chatcore.application.messages.marking.let_others", others)
    line = bea.opens_queue("update_message_flags")
    bea.post(f"/users/me/muted_users/{ada.id}")
    assert [event["messages"] for event in line.events()] == [sent[:2], sent[2:4], sent[4:]]
    assert bea.finds("is:unread") == after
    assert len(after) == 3


def test_muting_is_stored_before_messages_are_marked(
    world: World, ada: Someone, bea: Someone, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If the server is killed in between, the remaining messages stay unread."""
    monkeypatch.setattr("chatcore.application.messages.marking.BATCH", 2)
    sent = [ada.says("soup") for _ in range(3)]

    def dies() -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("chatcore.application.messages.marking.let_others", dies)
    with pytest.raises(KeyboardInterrupt):
        mute_user(world.svc, bea.actor, ada.id)
    ada.says("more soup")
    assert bea.finds("is:unread") == sent[2:]
    bea.refused("POST", f"/users/me/muted_users/{ada.id}")


def test_unmuting_leaves_what_is_read(world: World, ada: Someone, bea: Someone, cem: Someone) -> None:
    for other in (ada, cem):
        bea.post(f"/users/me/muted_users/{other.id}")
    sent = ada.says("soup")
    line, of_others = (who.opens_queue("muted_users", "update_message_flags") for who in (bea, ada))
    bea.delete(f"/users/me/muted_users/{ada.id}")
    assert [event["muted_users"] for event in line.events()] == [[{"id": cem.id, "timestamp": NOW}]]
    assert of_others.events() == []
    assert "read" in bea.flags(sent)
    assert "read" not in bea.flags(ada.says("more soup"))


def test_events_say_what_was_so_when_a_message_was_sent(ada: Someone, bea: Someone, gus: Someone) -> None:
    """Both in waiting polls and in polls after the muting has ended."""
    first, second = (who.opens_queue("message") for who in (bea, gus))
    late = bea.opens_queue("message")
    sent = [ada.says("@**Bea** soup")]
    bea.post(f"/users/me/muted_users/{ada.id}")
    for line in (first, second):
        line.events()
    polls = [first.waits(), second.waits()]
    sent.append(ada.says("@**Bea** soup"))
    announced = [[event["flags"] for event in poll.answer()] for poll in polls]
    assert announced == [[["read", "mentioned"]], [[]]]
    bea.delete(f"/users/me/muted_users/{ada.id}")
    sent.append(ada.says("@**Bea** soup"))
    with_read = ["mentioned"], ["read", "mentioned"], ["mentioned"]
    found = [(event["message"]["id"], event["flags"]) for event in late.events()]
    assert found == [*zip(sent, with_read, strict=True)]
    assert bea.finds("is:unread") == [sent[2]]


def test_a_bot_that_is_called_by_somebody_it_has_muted_has_read_it(bea: Someone, robo: Someone) -> None:
    line = robo.opens_queue("message")
    bea.says("@**Robo** hi", "lunch")
    robo.post(f"/users/me/muted_users/{bea.id}")
    bea.says("@**Robo** hi again", "lunch")
    assert [event["flags"] for event in line.events()] == [["mentioned"], ["read", "mentioned"]]
    assert robo.finds("is:unread") == []


def test_messages_of_a_muted_bot_are_read(ada: Someone, bea: Someone) -> None:
    """Including the organization's own bot, which sends the notices."""
    ada.patch(f"/messages/{ada.says('soup')}", topic="later")
    *_, notice = bea.reads()
    assert (notice["sender_full_name"], notice["flags"]) == ("Notification Bot", [])
    bea.post(f"/users/me/muted_users/{notice['sender_id']}")
    line = bea.opens_queue("message")
    ada.patch(f"/messages/{ada.says('salad', topic='salad')}", topic="salads")
    assert [event["flags"] for event in line.events()] == [[], ["read"]]


def test_messages_marked_as_unread_stay_so(ada: Someone, bea: Someone) -> None:
    """A message stays unread until it is read, also after its sender is unmuted, in each answer and event."""
    bea.post(f"/users/me/muted_users/{ada.id}")
    one, two, other = ada.says("soup"), ada.writes("soup", "bea"), ada.says("salad")
    line = bea.opens_queue("update_message_flags")
    assert bea.flagged("read", one, two, op="remove")["messages"] == [one, two]
    for change in (lambda: None, lambda: bea.delete(f"/users/me/muted_users/{ada.id}"), bea.registers):
        change()
        assert bea.finds("is:unread") == [one, two]
        assert [("read" in bea.flags(message)) for message in (one, two, other)] == [False, False, True]
        assert bea.page(anchor="first_unread")["anchor"] == one
        assert bea.registers().state["unread_msgs"]["count"] == 2
    assert bea.flagged("read", one, two, other)["messages"] == [one, two]
    assert bea.finds("is:unread") == []
    announced = [(event["op"], event["messages"]) for event in line.events()]
    assert announced == [("remove", [one, two]), ("add", [one, two])]


def test_muting_again_and_again_is_remembered_only_where_it_matters(
    world: World, ada: Someone, bea: Someone, gus: Someone, monkeypatch: pytest.MonkeyPatch
) -> None:
    def mutes_for_a_while(*writers: Someone) -> list[int]:
        bea.post(f"/users/me/muted_users/{ada.id}")
        sent = [writer.says("soup") for writer in writers]
        bea.delete(f"/users/me/muted_users/{ada.id}")
        return sent

    for writers, periods in (((), 0), ((gus,), 0), ((gus, ada), 1), ((), 1)):
        sent = mutes_for_a_while(*writers)
        assert world.count("muting_period") == periods
        assert ["read" in bea.flags(message) for message in sent] == [who is ada for who in writers]
    monkeypatch.setattr("storage_backends.sql.people.muted_users.MOST_SEARCHED", 1)  # longer ones stay
    assert "read" in bea.flags(mutes_for_a_while(gus, ada)[1])


def test_messages_passed_over_need_no_rows(world: World, ada: Someone, bea: Someone) -> None:
    """The one message that held the place is deleted, which the next `register` notices."""
    bea.post(f"/users/me/muted_users/{world['cem'].id}")
    first, *others = [ada.says("soup") for _ in range(4)]
    bea.post("/messages/flags", messages=others, op="add", flag="read")
    assert world.count("message_flag") == 3
    world["olga"].delete(f"/messages/{first}")
    bea.registers()
    assert world.count("message_flag") == 0


def test_deactivated_people_and_bots_can_be_muted(world: World, ada: Someone, robo: Someone) -> None:
    world.change_user("cem", is_active=False)
    for other in (world["cem"], robo):
        ada.post(f"/users/me/muted_users/{other.id}")
    ada.delete(f"/users/me/muted_users/{world['cem'].id}")


@pytest.mark.parametrize(
    ("method", "whom"),
    [
        ("POST", "bea"),
        ("DELETE", "bea"),
        ("POST", "ada"),
        ("DELETE", "cem"),
        ("POST", None),
        ("DELETE", None),
    ],
)
def test_refused_requests(world: World, ada: Someone, bea: Someone, method: str, whom: str | None) -> None:
    """Muting oneself or twice, unmuting a user who is not muted, and unknown users."""
    bea.post(f"/users/me/muted_users/{ada.id}")
    whose = 99999 if whom is None else world[whom].id
    with nothing_changes(world):
        bea.refused(method, f"/users/me/muted_users/{whose}")
        if whom == "ada":
            ada.refused("DELETE", f"/users/me/muted_users/{bea.id}")


def test_a_limited_guest_mutes_nobody_unknown(world: World, gus: Someone, cem: Someone) -> None:
    members = GroupSetting.of(SystemGroup.MEMBERS)
    world.change_organization(permissions={"can_access_all_users_group": members})
    with nothing_changes(world):
        gus.refused("POST", f"/users/me/muted_users/{cem.id}")
    bea = world["bea"]
    gus.post(f"/users/me/muted_users/{bea.id}")
    bea.delete("/users/me/subscriptions", subscriptions=["lunch"])  # the only place that they shared
    gus.refused("GET", f"/users/{bea.id}")
    gus.delete(f"/users/me/muted_users/{bea.id}")
    assert gus.registers().state["muted_users"] == []


def test_one_can_mute_only_so_many(
    world: World, ada: Someone, bea: Someone, cem: Someone, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("chatcore.application.people.muted_users.MAX_MUTED_USERS", 1)
    ada.post(f"/users/me/muted_users/{bea.id}")
    with nothing_changes(world):
        ada.refused("POST", f"/users/me/muted_users/{cem.id}")
