"""Queues inside the server: their contents, their lifespan, and polls that end without an event."""

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import pytest

from chatcore.application.events import hub, queues, waiting_polls
from chatcore.application.events.batch import Batch
from chatcore.domain.errors import BadEventQueue, BadRequest, UserDeactivated
from chatcore.domain.ids import Position, QueueId, UserId
from chatcore.domain.limits import Limits
from chatcore.events.audience import Users
from chatcore.events.happened import AlertWordsChanged, MutedUsersChanged, SettingChanged
from chatcore.events.queue import Registration
from chatcore.runtime.admission import Turn
from chatcore.runtime.polls import Waiter
from tests.waiting import PATIENCE, until
from tests.worlds.organization import MakeWorld, Someone, World, at_once


def log_positions(world: World) -> list[int]:
    return [one.position for one in world.storage.read(lambda s: s.log.after(Position(0), 10_000))]


def happen(world: World, count: int, *names: str) -> list[int]:
    """Events for some people, in one commit."""

    def write(tx: Any) -> list[int]:
        to = Users(tuple(UserId(world[name].id) for name in names))
        return [tx.announce(SettingChanged(name="timezone", value=str(n)), to) for n in range(count)]

    return world.storage.write(write)


# -- stored data ------------------------------------------------------------------------------------


def test_the_log_forgets_what_no_queue_can_need(world: World, ada: Someone, bea: Someone) -> None:
    world.choose("ada", automatically_follow_topics_policy=4)
    slow, fast = ada.opens_queue("message"), bea.opens_queue("message")
    first, second = ada.says("soup"), ada.says("stew")
    fast.events()
    world.svc.hub.maintain()
    world.svc.hub.maintain()
    assert log_positions(world) == [first, second]
    slow.last = slow.peek()[0]["id"]
    slow.peek()
    world.svc.hub.maintain()
    world.svc.hub.maintain()
    assert log_positions(world) == [second]
    assert slow.messages() == [second]
    assert ada.finds() == [first, second]


def test_no_event_is_kept_for_a_queue_that_wants_none_of_them(world: World, ada: Someone) -> None:
    """The client acknowledges nothing for long, because it receives nothing that it could acknowledge."""
    line = ada.opens_queue("typing")
    happen(world, 20, "bea")
    assert line.peek() == []
    world.svc.hub.maintain()
    world.svc.hub.maintain()
    assert log_positions(world) == []
    ada.request("POST", "/typing", op="start", to=f"[{ada.id}]")
    assert [event["type"] for event in line.peek()] == ["typing"]


def test_without_queues_the_log_is_empty_after_a_while(world: World) -> None:
    world.happens()
    world.svc.hub.maintain()
    assert len(log_positions(world)) == 1, "who registers right now may need it"
    world.svc.hub.maintain()
    assert log_positions(world) == []


def test_an_idle_queue_is_dropped_with_what_it_held(world: World, ada: Someone, bea: Someone) -> None:
    left, kept = ada.opens_queue("message"), bea.opens_queue("message")
    ada.says("soup", queue_id=left.id, local_id="1")
    left.peek()
    world.clock.advance(599)
    kept.events()
    world.clock.advance(2)
    world.svc.hub.maintain()
    assert world.count("event_queue") == 1
    assert world.count("local_echo") == 0
    world.svc.hub.maintain()
    assert world.svc.hub.known_queues == {kept.id}  # nor is anything of it kept in memory
    left.refused()
    kept.peek()


def test_a_snapshot_older_than_the_end_of_a_queue_finds_it_idle(world: World, ada: Someone) -> None:
    left = QueueId(ada.opens_queue("message").id)
    queue = world.svc.storage.read(lambda snapshot: snapshot.queues.find(left))
    assert queue is not None
    world.clock.advance(601)
    world.svc.hub.maintain()
    assert world.count("event_queue") == 0
    assert world.svc.hub.idle(queue) == 601


def test_the_process_of_a_poll_is_forgotten_with_its_queue(world: World, ada: Someone, bea: Someone) -> None:
    gone, kept = ada.opens_queue("message"), bea.opens_queue("message")
    for line in (gone, kept):
        line.peek()
    ada.delete("/events", queue_id=gone.id)
    world.svc.hub.maintain()
    assert world.svc.hub.known_queues == {kept.id}


def test_queues_that_nobody_polls_fill_no_memory(
    world: World, ada: Someone, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without polls no hub follows the log, and its upkeep does not run."""
    monkeypatch.setattr("chatcore.application.events.queue_notes.MOST_WITHOUT_UPKEEP", 5)
    lines = []
    for _ in range(23):
        lines.append(ada.opens_queue("message"))
        assert len(world.svc.hub.known_queues) <= 5
    world.clock.advance(300)
    assert [line.peek() for line in lines] == [[]] * 23


def test_each_waiting_poll_receives_its_own_list(
    world: World, ada: Someone, bea: Someone, cem: Someone
) -> None:
    """Polls of several users are notified in one step, each with the list of its user."""
    muted = {ada: cem, bea: ada, cem: bea}
    for who, whom in muted.items():
        who.post("/users/me/alert_words", alert_words=[str(who.name)])
        who.post(f"/users/me/muted_users/{whom.id}")
    polls = {who: who.opens_queue("muted_users", "alert_words").waits() for who in muted}
    to = Users(tuple(who.actor.user_id for who in muted))

    def happen_to_all(tx: Any) -> None:
        for event in (MutedUsersChanged(), AlertWordsChanged()):
            tx.announce(event, to)

    world.storage.write(happen_to_all)
    for who, whom in muted.items():
        users, words = polls[who].answer()
        assert [one["id"] for one in users["muted_users"]] == [whom.id]
        assert words["alert_words"] == [who.name]


def test_a_queue_too_far_behind_is_dropped_as_a_whole(make_world: MakeWorld) -> None:
    world = make_world(limits=replace(Limits(), max_event_queue_lag=10, event_queue_idle=5))
    ada = world["ada"]
    slow, fast = ada.opens_queue("user_settings"), ada.opens_queue("user_settings")
    happen(world, 9, "ada")
    fast.events()
    keep_up(world)
    assert len(slow.peek()) == 9, "never thinned"
    happen(world, 3, "ada")
    fast.events()
    fast.peek()
    keep_up(world)
    slow.refused()
    assert fast.peek() == []


def test_events_of_a_few_minutes_drop_no_queue(make_world: MakeWorld) -> None:
    """However many events there are: another user may cause them on purpose."""
    world = make_world(limits=replace(Limits(), max_event_queue_lag=10))
    line = world["ada"].opens_queue("user_settings")
    world.svc.hub.maintain()
    for _ in range(4):
        world.clock.advance(120)
        happen(world, 20, "bea")
        world.storage.write(lambda tx: tx.draw(10_000))
        mine = happen(world, 1, "ada")
        world.svc.hub.maintain()
    assert len(line.peek()) == 4
    assert line.peek()[-1]["id"] == mine[0]


def keep_up(world: World) -> None:
    """Do the upkeep now, and again when the present events have become old."""
    world.svc.hub.maintain()
    world.clock.advance(world.svc.limits.event_queue_idle)
    world.svc.hub.maintain()


def test_a_poll_that_waits_is_not_behind_by_what_is_not_for_it(make_world: MakeWorld) -> None:
    world = make_world(limits=replace(Limits(), max_event_queue_lag=10, event_queue_idle=5))
    line = world["ada"].opens_queue("user_settings")
    given = happen(world, 1, "ada")
    assert [event["id"] for event in line.peek()] == given  # and not acknowledged
    other = world["ada"].opens_queue("user_settings")
    poll = other.waits()
    last = happen(world, 12, "bea")[-1]
    until(lambda: world.svc.hub.position >= last)
    keep_up(world)
    assert not poll.is_over
    line.refused()  # what it was given is what it is behind by
    mine = happen(world, 1, "ada")
    assert [event["id"] for event in poll.answer()] == mine


def test_polls_are_written_down_now_and_then(world: World, ada: Someone) -> None:
    line = ada.opens_queue("message")
    sent = ada.says("soup")
    line.events()

    def stored() -> tuple[int, float]:
        queue = world.storage.read(lambda s: s.queues.find(line.id))
        assert queue is not None
        return queue.acknowledged, queue.last_seen

    assert stored()[0] < sent
    world.clock.advance(60)
    line.peek()
    world.svc.hub.maintain()
    assert stored() == (sent, world.clock.now)


def test_upkeep_runs_by_itself_with_the_first_poll(world: World, ada: Someone) -> None:
    world.happens()
    (forgotten,) = log_positions(world)
    line = ada.opens_queue("message")
    line.peek()

    def is_forgotten() -> bool:
        world.clock.advance(61)
        line.peek()
        world.happens()
        return forgotten not in log_positions(world)

    until(is_forgotten)


def test_nobody_follows_the_log_when_there_is_no_queue(world: World, ada: Someone) -> None:
    the_hub = world.svc.hub

    def has_ended() -> bool:
        world.clock.advance(61)
        the_hub.hint()
        return not the_hub.is_following

    left, line = ada.opens_queue("message"), ada.opens_queue("message")
    line.peek()
    assert the_hub.is_following
    ada.delete("/events", queue_id=line.id)
    until(has_ended)
    left.refused()
    again = ada.opens_queue("message")
    poll = again.waits()
    sent = ada.says("soup")
    assert [event["message"]["id"] for event in poll.answer()] == [sent]


# -- from memory and from the log -------------------------------------------------------------------


SMALL_MEMORY = replace(Limits(), max_remembered_events=5, max_events_per_read=4)


def test_events_come_whole_wherever_they_are_kept(make_world: MakeWorld) -> None:
    world = make_world(limits=SMALL_MEMORY)
    ada = world["ada"]
    old = ada.opens_queue("user_settings")
    poll = ada.opens_queue("message").waits()
    expected = []
    for size in (1, 3, 4, 5, 9, 2):
        expected += happen(world, size, "ada")
        newest = happen(world, 3, "bea")[-1]
        until(lambda newest=newest: world.svc.hub.position >= newest)  # type: ignore[misc]
    assert [event["id"] for event in old.events()] == expected
    assert not poll.is_over
    ada.says("soup")
    assert len(poll.answer()) == 1


def test_a_waiting_poll_receives_events_read_in_many_pieces(make_world: MakeWorld) -> None:
    world = make_world(limits=SMALL_MEMORY)
    ada = world["ada"]
    line = ada.opens_queue("user_settings")
    poll = line.waits()
    happen(world, 11, "bea")
    expected = happen(world, 9, "ada")
    found = poll.answer()
    line.last = found[-1]["id"]
    found += line.events()
    assert [event["id"] for event in found] == expected


def test_two_queues_get_the_same_form_from_one_encoding(world: World, ada: Someone, bea: Someone) -> None:
    lines = [who.opens_queue("message", apply_markdown=True) for who in (ada, bea)]
    polls = [line.waits() for line in lines]
    ada.says("*soup*")
    first, second = (poll.answer() for poll in polls)
    assert first == second


# -- polls that end in other ways -------------------------------------------------------------------


def test_sec_30_a_deactivated_account_receives_no_events_from_then_on(
    world: World, ada: Someone, bea: Someone
) -> None:
    line = bea.opens_queue("message")
    poll = line.waits()
    world.change_user("bea", is_active=False)
    ada.says("soup")
    response = poll.response()
    assert (response.status_code, response.get_json()["code"]) == (401, "USER_DEACTIVATED")
    bea.refused(
        "GET", "/events", status=401, code="USER_DEACTIVATED", queue_id=line.id, last_event_id=line.last
    )


def test_sec_30_a_deactivation_while_the_state_is_read_leaves_no_queue(world: World, bea: Someone) -> None:
    actor = world.actor("bea")
    write, svc = world.storage.write, world.svc

    def deactivated_first(work: Any) -> Any:
        write(lambda tx: tx.users.update(actor.user_id, is_active=False))
        return write(work)

    world.storage.write = deactivated_first  # type: ignore[method-assign]
    with pytest.raises(UserDeactivated):
        queues.register(svc, actor, Registration())
    assert world.storage.read(lambda snapshot: snapshot.queues.of_user(actor.user_id)) == []


def test_sec_30_a_poll_that_began_before_the_deactivation_is_refused(world: World, bea: Someone) -> None:
    line, actor = bea.opens_queue("message"), bea.actor
    world["ada"].says("soup")
    world.change_user("bea", is_active=False)
    with pytest.raises(UserDeactivated):
        queues.poll(world.svc, actor, line.id, line.last, dont_block=True)
    with pytest.raises(UserDeactivated):
        queues.register(world.svc, actor, Registration())
    assert world.count("event_queue") == 1


def test_stopping_the_server_answers_all_polls(world: World, ada: Someone, bea: Someone) -> None:
    lines = [who.opens_queue("message") for who in (ada, bea)]
    polls = [line.waits() for line in lines]
    world.svc.hub.stop()
    assert [poll.answer() for poll in polls] == [[], []]
    for line in lines:
        assert line.owner.get("/events", queue_id=line.id, last_event_id=line.last)["events"] == []


def test_a_queue_deleted_at_another_server_ends_its_poll_here(make_world: MakeWorld) -> None:
    one, other = make_world(), make_world()
    line = one["ada"].opens_queue("message")
    poll = line.waits()
    queues.delete_queue(other.svc, other["ada"].actor, line.id)
    one.happens()
    response = poll.response()
    assert response.status_code in (200, 400)
    assert not response.get_json().get("events")
    line.refused()


def test_an_error_in_following_the_log_is_got_over(
    world: World, ada: Someone, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    line = ada.opens_queue("message")
    poll = line.waits()
    failed = threading.Event()

    def fail_once(*given: Any) -> Batch:
        if not failed.is_set():
            failed.set()
            raise OSError("the disk is out for lunch")
        return Batch(*given)

    monkeypatch.setattr(hub, "Batch", fail_once)
    sent = ada.says("soup")
    until(failed.is_set)
    world.happens()
    assert [event["message"]["id"] for event in poll.answer()] == [sent]
    assert "following the event log failed" in caplog.text


def test_a_poll_that_looks_again_gets_its_heartbeat_no_later(world: World, ada: Someone) -> None:
    line = ada.opens_queue("message")
    poll = line.waits()
    waiter_of = world.svc.hub.waiter_of
    first = waiter_of(QueueId(line.id))
    assert first is not None
    world.svc.hub.leave(first)
    world.clock.advance(40)
    first.wake()
    until(lambda: waiter_of(QueueId(line.id)) not in (None, first))
    world.clock.advance(19)
    world.happens()
    (beat,) = poll.answer()
    assert beat["type"] == "heartbeat"


# -- many at once -----------------------------------------------------------------------------------


def test_the_first_poll_needs_nothing_from_a_store_whose_connections_are_all_asking_the_hub(
    world: World, ada: Someone
) -> None:
    line = ada.opens_queue("message")
    queue = world.storage.read(lambda s: s.queues.find(line.id))
    assert queue is not None
    connections = world.storage.backend.database._max_connections
    inside, first_poll = threading.Barrier(connections + 1), threading.Event()

    def ask(_: object) -> float:
        inside.wait(PATIENCE)
        first_poll.wait(PATIENCE)
        return world.svc.hub.idle(queue)

    with ThreadPoolExecutor(connections) as readers:
        answers = [readers.submit(world.storage.read, ask) for _ in range(connections)]
        inside.wait(PATIENCE)
        world.svc.hub.acknowledge(queue, *[queue.acknowledged] * 3)
        first_poll.set()
        assert [answer.result(PATIENCE) for answer in answers] == [0.0] * connections


def test_everybody_who_waits_is_answered(world: World, ada: Someone) -> None:
    lines = [world[name].opens_queue("message") for name in ("ada", "bea", "gus") for _ in range(8)]
    others = [world["cem"].opens_queue("message") for _ in range(4)]
    polls, quiet = [line.waits() for line in lines], [line.waits() for line in others]
    sent = ada.says("soup")
    for poll in polls:
        assert [event["message"]["id"] for event in poll.answer()] == [sent]
    assert not any(poll.is_over for poll in quiet)


def test_others_have_a_turn_between_groups_of_polls(
    world: World, ada: Someone, bea: Someone, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A poll that comes meanwhile waits behind the answers; it misses nothing that is sent meanwhile."""
    lines, late = [bea.opens_queue("message") for _ in range(12)], ada.opens_queue("message")
    polls = [line.waits() for line in lines]
    the_hub, has_come = world.svc.hub, threading.Event()
    let_go_first = the_hub.let_answers_go_first
    turns: list[int] = []
    between: list[Any] = []

    def come() -> None:
        has_come.set()
        let_go_first()

    def take_a_turn() -> None:
        turns.append(sum(not the_hub.waiter_of(QueueId(line.id)) for line in lines))
        if not between:
            between.extend([ada.says("stew"), late.polls()])
            assert has_come.wait(PATIENCE)
        if len(turns) <= 2:
            assert the_hub.waiter_of(QueueId(late.id)) is None

    monkeypatch.setattr(the_hub, "let_answers_go_first", come)
    monkeypatch.setattr(waiting_polls, "POLLS_TOGETHER", 4)
    monkeypatch.setattr(hub, "let_others", take_a_turn)
    first = ada.says("soup")
    until(lambda: len(between) == 2)
    second, late_poll = between
    for poll in polls:
        assert [event["message"]["id"] for event in poll.answer()] == [first]
    late_poll.answer()
    for line in (*lines, late):
        assert line.messages() == [first, second]
    assert turns[:2] == [4, 8]


def let_distributions_take_long(monkeypatch: pytest.MonkeyPatch) -> None:
    for limit in ("STANDSTILL", "LONGEST_WAIT"):
        monkeypatch.setattr(waiting_polls, limit, 10 * PATIENCE)


def lets_answers_go_first(world: World) -> threading.Event:
    """Return what is set when the answers have gone first, however long they take."""
    have_gone = threading.Event()

    def wait() -> None:
        world.svc.hub.let_answers_go_first()
        have_gone.set()

    threading.Thread(target=wait, daemon=True).start()
    return have_gone


def test_a_poll_waits_behind_answers_until_the_last_is_taken(world: World, ada: Someone) -> None:
    line = ada.opens_queue("message")
    queue = world.storage.read(lambda s: s.queues.find(line.id))
    head = world.storage.read(lambda s: s.log.head())
    assert queue is not None
    waiter = world.svc.hub.wait(queue, queue.user_id, head)
    sent = ada.says("soup")
    assert waiter.wait(PATIENCE)
    next_one = line.polls()
    have_gone = lets_answers_go_first(world)
    assert not have_gone.wait(0.2)
    world.svc.hub.leave(waiter)
    assert [event["message"]["id"] for event in next_one.answer()] == [sent]
    assert have_gone.wait(PATIENCE)


def test_a_poll_waits_behind_the_answers_of_an_earlier_event_also_if_a_later_one_is_over(
    world: World, ada: Someone, bea: Someone, monkeypatch: pytest.MonkeyPatch
) -> None:
    let_distributions_take_long(monkeypatch)
    line, quick = bea.opens_queue("message"), ada.opens_queue("update_message_flags").waits()
    queue = world.storage.read(lambda s: s.queues.find(line.id))
    head = world.storage.read(lambda s: s.log.head())
    assert queue is not None
    slow = world.svc.hub.wait(queue, queue.user_id, head)
    sent = ada.says("soup")
    assert slow.wait(PATIENCE)
    ada.post("/messages/flags", messages=[sent], op="add", flag="starred")
    quick.answer()
    have_gone = lets_answers_go_first(world)
    assert not have_gone.wait(0.2)
    world.svc.hub.leave(slow)
    assert have_gone.wait(PATIENCE)


def test_a_hub_that_stops_keeps_no_poll_behind_answers(
    world: World, bea: Someone, monkeypatch: pytest.MonkeyPatch
) -> None:
    let_distributions_take_long(monkeypatch)
    line = bea.opens_queue("message")
    queue = world.storage.read(lambda s: s.queues.find(line.id))
    head = world.storage.read(lambda s: s.log.head())
    assert queue is not None
    slow = world.svc.hub.wait(queue, queue.user_id, head)
    bea.says("soup")
    assert slow.wait(PATIENCE)
    have_gone = lets_answers_go_first(world)
    assert not have_gone.wait(0.2)
    world.svc.hub.stop()
    assert have_gone.wait(PATIENCE)


def test_an_answered_poll_whose_turn_does_not_come_keeps_no_other_poll(
    world: World, ada: Someone, bea: Someone, monkeypatch: pytest.MonkeyPatch
) -> None:
    let_distributions_take_long(monkeypatch)
    line, answered, may_go_on = bea.opens_queue("message"), threading.Event(), threading.Event()

    paused = Turn.paused

    @contextmanager
    def pause(turn: Turn) -> Iterator[None]:
        with paused(turn):
            yield
            if threading.current_thread() is not threading.main_thread():  # that of the poll
                answered.set()
                assert may_go_on.wait(PATIENCE)

    monkeypatch.setattr(Turn, "paused", pause)
    poll = line.waits()
    ada.says("soup")
    assert answered.wait(PATIENCE)
    assert lets_answers_go_first(world).wait(PATIENCE)
    may_go_on.set()
    assert len(poll.answer()) == 1


def test_a_poll_that_has_not_read_events_that_are_being_distributed_looks_again(
    world: World, ada: Someone, bea: Someone, monkeypatch: pytest.MonkeyPatch
) -> None:
    storage = world.svc.storage
    polls = [bea.opens_queue("message").waits() for _ in range(5)]
    ids = [QueueId(ada.opens_queue("message").id) for _ in range(2)]
    queues = storage.read(lambda snapshot: snapshot.queues.by_ids(ids))
    before = storage.read(lambda snapshot: snapshot.log.head())
    waiters: list[Waiter] = []

    def take_a_turn() -> None:
        if not waiters:
            head = storage.read(lambda snapshot: snapshot.log.head())
            for queue_id, position in zip(ids, (before, head), strict=True):
                queue = queues[queue_id]
                waiters.append(world.svc.hub.wait(queue, queue.user_id, position))

    monkeypatch.setattr(waiting_polls, "POLLS_TOGETHER", 4)
    monkeypatch.setattr(hub, "let_others", take_a_turn)
    ada.says("soup")
    for poll in polls:
        poll.answer()
    until(lambda: len(waiters) == 2)
    late, current = waiters
    assert late.wait(PATIENCE) is None
    assert current.wait(0) == []


def test_a_store_that_fails_between_groups_of_polls_leaves_nobody_out(
    world: World, ada: Someone, bea: Someone, monkeypatch: pytest.MonkeyPatch
) -> None:
    polls = [bea.opens_queue("message").waits() for _ in range(12)]
    sizes: list[int] = []

    def fail_at_the_second(*given: Any) -> Batch:
        sizes.append(len(given[2]))
        if len(sizes) == 2:
            raise OSError("the disk is out for lunch")
        return Batch(*given)

    monkeypatch.setattr(waiting_polls, "POLLS_TOGETHER", 4)
    monkeypatch.setattr(hub, "Batch", fail_at_the_second)
    let_distributions_take_long(monkeypatch)
    sent = ada.says("soup")
    until(lambda: len(sizes) > 1)
    world.happens()
    for poll in polls:
        assert [event["message"]["id"] for event in poll.answer()] == [sent]
    assert sizes[:4] == [4, 4, 4, 4]
    assert lets_answers_go_first(world).wait(PATIENCE)


def test_an_event_for_one_person_reads_nothing_about_the_polls_of_others(
    world: World, ada: Someone, bea: Someone, monkeypatch: pytest.MonkeyPatch
) -> None:
    sizes: list[int] = []

    def note_size(*given: Any) -> Batch:
        if given[1].events:
            sizes.append(len(given[2]))
        return Batch(*given)

    message_id = ada.says("soup")
    world.happens()
    others = [bea.opens_queue("message").waits() for _ in range(3)]
    mine, gone = ada.opens_queue("update_message_flags").waits(), ada.opens_queue("message")
    waits = gone.waits()
    monkeypatch.setattr(hub, "Batch", note_size)
    ada.post("/messages/flags", messages=[message_id], op="add", flag="starred")
    assert [event["type"] for event in mine.answer()] == ["update_message_flags"]
    assert sizes == [2]
    ada.delete("/events", queue_id=gone.id)
    assert waits.answer() == []  # at once, before its event is distributed
    until(lambda: len(sizes) == 2)
    assert sizes[1] <= 1, "its own poll, if it still waited when the event was read"
    assert not any(poll.is_over for poll in others)


def test_nothing_is_lost_or_doubled_while_many_write(world: World, ada: Someone, bea: Someone) -> None:
    line, sent, done = bea.opens_queue("message"), [], threading.Event()

    def write(who: Someone) -> None:
        for _ in range(10):
            sent.append(who.says("soup"))  # noqa: PERF401 - one after another is what is tested

    def follow() -> list[int]:
        received: list[int] = []
        while not done.is_set() or len(received) < 30:
            found = bea.get("/events", queue_id=line.id, last_event_id=line.last)["events"]
            received += [event["message"]["id"] for event in found]
            line.last = found[-1]["id"]
            if len(received) == 30:
                done.set()
        return received

    writers = [lambda name=name: write(world[name]) for name in ("ada", "bea", "gus")]
    *_, received = at_once(*writers, follow)
    assert received == sorted(sent)


def test_registering_while_others_write_misses_nothing(world: World, ada: Someone, bea: Someone) -> None:
    sent: list[int] = []

    def write() -> None:
        for _ in range(20):
            sent.append(ada.says("soup"))  # noqa: PERF401

    def register() -> list[Any]:
        return [bea.registers(event_types=["message"]) for _ in range(8)]

    _, lines = at_once(write, register)
    assert isinstance(lines, list)
    for line in lines:
        newest = line.state["max_message_id"]
        assert line.messages() == [one for one in sent if one > newest]


# -- for embedding programs -------------------------------------------------------------------------


def test_errors_are_the_same_for_programs(world: World, ada: Someone, bea: Someone) -> None:
    registered = queues.register(world.svc, ada.actor, Registration(event_types=("message",)))
    assert registered.queue_id is not None
    for actor, queue_id in ((bea.actor, registered.queue_id), (ada.actor, "nowhere")):
        with pytest.raises(BadEventQueue):
            queues.poll(world.svc, actor, queue_id, registered.last_event_id, dont_block=True)
    with pytest.raises(BadRequest):
        queues.register(world.svc, world["gus"].actor, Registration(all_public_streams=True))
    step = queues.poll(world.svc, ada.actor, registered.queue_id, registered.last_event_id)
    assert isinstance(step, queues.MustWait)
    world.svc.hub.leave(step.waiter)
    assert step.waiter.wait(0) == [], "whatever happens, it does not wait for ever"


def test_a_queue_that_is_being_written_is_known_meanwhile(
    world: World, ada: Someone, monkeypatch: pytest.MonkeyPatch
) -> None:
    line = ada.opens_queue("message")
    sent = ada.says("soup")
    line.events()
    line.peek()
    world.clock.advance(590)
    line.peek()
    world.clock.advance(20)
    known: list[tuple[int, float]] = []
    write = world.storage.write

    def slowly(work: Any) -> Any:
        queue = world.storage.read(lambda s: s.queues.find(line.id))
        assert queue is not None
        known.append((world.svc.hub.acknowledged_position(queue), world.svc.hub.idle(queue)))
        return write(work)

    monkeypatch.setattr(world.storage, "write", slowly)
    world.svc.hub.maintain()
    assert known[0] == (sent, 20)
    assert line.peek() == []
