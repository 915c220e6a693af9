"""Flags: how the store's sparse rows and watermarks come to what a reader sees."""

import random

import pytest

from chatcore.application.messages import flags
from chatcore.domain.errors import BadRequest
from storage_backends.sql.messages import watermarks
from tests.worlds.organization import Someone, World, at_once

READ, STARRED = "read", "starred"


def change(who: Someone, op: str, flag: str, *message_ids: int) -> list[int]:
    changed = flags.update_flags(who.world.svc, who.actor, message_ids, op=op, flag=flag)
    return list(changed.message_ids)


def unread(who: Someone) -> list[int]:
    """The unread messages of a registration; a narrow has to agree."""
    state = who.registers(fetch_event_types=["message", "update_message_flags"]).state["unread_msgs"]
    listed = [
        message_id
        for kind in ("streams", "pms", "huddles")
        for one in state[kind]
        for message_id in one["unread_message_ids"]
    ]
    assert sorted(listed) == who.finds("is:unread", num_before=1000)
    assert state["count"] == len(listed)
    return sorted(listed)


@pytest.mark.shows("flag.read", "flags.unread-at-first")
@pytest.mark.parametrize("rows_are", ["kept", "exchanged"])
def test_unread_follows_whatever_is_read_and_unread_again(
    world: World, ada: Someone, bea: Someone, rows_are: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if rows_are == "exchanged":
        monkeypatch.setattr(watermarks, "COUNT_EVERY", 1)
        monkeypatch.setattr(watermarks, "FEW_ROWS", 0)
    rng = random.Random(5)
    sent = [
        ada.writes("hello", "bea") if number % 7 == 3 else ada.says("soup", rng.choice(["lunch", "secret"]))
        for number in range(40)
    ]
    expected = set(sent)
    for _ in range(25):
        some = rng.sample(sent, rng.randrange(1, 15))
        op = rng.choice(["add", "add", "remove"])
        was_changed = change(bea, op, READ, *some)
        now = expected - set(some) if op == "add" else expected | set(some)
        assert set(was_changed) == expected ^ now
        expected = now
        assert set(unread(bea)) == expected
    change(bea, "add", READ, *sent)
    assert world.count("message_flag") == 0, "watermarks say it all"


def test_one_unread_message_among_many_read_ones_leaves_few_rows(
    world: World, ada: Someone, bea: Someone, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watermarks, "COUNT_EVERY", 8)
    monkeypatch.setattr(watermarks, "FEW_ROWS", 4)
    first, *others = [ada.says("soup") for _ in range(60)]
    for message_id in others:
        change(bea, "add", READ, message_id)
    assert unread(bea) == [first]
    assert world.count("message_flag") < 4 + 8


def test_reading_in_one_channel_leaves_the_others(ada: Someone, bea: Someone) -> None:
    lunch, secret = ada.says("soup"), ada.says("hush", "secret")
    change(bea, "add", READ, lunch)
    assert unread(bea) == [secret]
    assert unread(ada) == [lunch, secret]


@pytest.mark.shows("flag.starred")
def test_a_star_stays_whatever_is_read(ada: Someone, bea: Someone) -> None:
    sent = [ada.says("soup") for _ in range(3)]
    change(bea, "add", STARRED, sent[1])
    change(bea, "add", READ, *sent)
    assert bea.flags(sent[1]) == {READ, STARRED}
    assert bea.registers().state["starred_messages"] == [sent[1]]
    change(bea, "remove", READ, sent[1])
    assert bea.flags(sent[1]) == {STARRED}
    change(bea, "remove", STARRED, sent[1])
    assert unread(bea) == [sent[1]]


def test_mentions_count_until_they_are_read(ada: Someone, bea: Someone) -> None:
    called, everybody = ada.says("@**Bea**"), ada.says("@**all**", topic="all")
    bea.joins("plaza")
    bea.world.mute("bea", "plaza")
    ada.says("@**all**", "plaza")
    state = bea.registers().state["unread_msgs"]
    assert state["mentions"] == [called, everybody]
    change(bea, "add", READ, called)
    assert bea.registers().state["unread_msgs"]["mentions"] == [everybody]


def test_messages_from_before_joining_are_read(ada: Someone, cem: Someone) -> None:
    before = ada.says("soup")
    cem.joins("lunch")
    after = ada.says("stew")
    assert unread(cem) == [after]
    cem.leaves("lunch")
    assert unread(cem) == []
    cem.joins("lunch")
    assert unread(cem) == []
    assert [cem.flags(one) for one in (before, after)] == [{READ, "historical"}, {READ}]


def test_ones_own_messages_are_unread_unless_said_otherwise(ada: Someone) -> None:
    sent = [ada.says("soup", read_by_sender=read) for read in (False, True, False)]
    assert unread(ada) == [sent[0], sent[2]]


def test_two_clients_of_one_person_do_not_undo_each_other(world: World, ada: Someone) -> None:
    sent = [ada.says("soup") for _ in range(8)]
    at_once(*[lambda one=one: change(world["bea"], "add", STARRED, one) for one in sent])  # type: ignore[misc]
    at_once(*[lambda one=one: change(world["bea"], "add", READ, one) for one in sent])  # type: ignore[misc]
    assert world["bea"].finds("is:starred") == sent
    assert unread(world["bea"]) == []


@pytest.mark.parametrize(("op", "flag"), [("add", "mentioned"), ("toggle", READ), ("add", "loved")])
def test_programs_are_refused_as_clients_are(ada: Someone, op: str, flag: str) -> None:
    with pytest.raises(BadRequest):
        change(ada, op, flag, ada.says("soup"))
    assert change(ada, "add", READ) == []
