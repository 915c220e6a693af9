"""Turns of requests, and bytes of answers that wait to be sent."""

import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

import pytest

from chatcore.domain.errors import RateLimited
from chatcore.runtime.admission import BOUNDS, LONG_SECONDS, NO_TURN, Admission, Lane, Patience
from tests.waiting import PATIENCE, until

BRIEF = Patience(seconds=0.05, unsent=100, all_unsent=300)
PATIENT = Patience(seconds=PATIENCE)


class Timer:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def hold(admission: Admission, who: str, lane: Lane, count: int, closing: ExitStack) -> None:
    for _ in range(count):
        closing.enter_context(admission.ask(who, lane))


@pytest.mark.parametrize("lane", Lane)
def test_few_requests_of_one_account_run_at_a_time(lane: Lane) -> None:
    admission = Admission(BRIEF)
    with ExitStack() as closing:
        hold(admission, "ada", lane, BOUNDS[lane].running, closing)
        with pytest.raises(RateLimited), admission.ask("ada", lane):
            pass
        for other in set(Lane) - {lane}:
            with admission.ask("ada", other):
                pass
        with admission.ask("bea", lane):
            pass
    with admission.ask("ada", lane):
        pass


@pytest.mark.parametrize("lane", Lane)
def test_more_than_can_wait_are_refused_at_once(lane: Lane) -> None:
    admission = Admission(PATIENT)
    with ExitStack() as closing:
        for _ in range(BOUNDS[lane].present):
            turn = closing.enter_context(admission.ask("ada", lane))
            closing.enter_context(turn.paused())
        with pytest.raises(RateLimited), admission.ask("ada", lane):
            pass
        with admission.ask("bea", lane):
            pass
        closing.pop_all()  # they are left as they are


def test_those_that_wait_run_in_the_order_in_which_they_came() -> None:
    admission = Admission(PATIENT)
    ran: list[int] = []
    threads = []

    def request(number: int) -> None:
        with admission.ask("ada", Lane.CALLS):
            ran.append(number)

    with admission.ask("ada", Lane.CALLS):
        with admission.ask("ada", Lane.CALLS):
            for number in range(20):
                threads.append(threading.Thread(target=request, args=(number,)))
                threads[-1].start()
                until(lambda: admission.waiting == number + 1)  # noqa: B023
            assert ran == []
        for thread in threads:
            thread.join(PATIENCE)
        assert ran == list(range(20))


def test_a_request_that_waits_for_its_client_lets_others_run_and_takes_no_time() -> None:
    timer = Timer()
    admission = Admission(BRIEF, timer=timer)
    with admission.ask("ada", Lane.CALLS) as turn:
        timer.now += 1
        with turn.paused():
            timer.now += 100
            with ExitStack() as closing:
                hold(admission, "ada", Lane.CALLS, 2, closing)
        timer.now += 2
        assert turn.seconds == 3
    assert turn.seconds == 3


@pytest.mark.parametrize(("seconds", "looked"), [(LONG_SECONDS / 2, 0), (LONG_SECONDS, 1)])
def test_after_a_long_request_the_server_looks_for_what_has_come_in(
    monkeypatch: pytest.MonkeyPatch, seconds: float, looked: int
) -> None:
    timer = Timer()
    admission = Admission(BRIEF, timer=timer)
    present: list[int] = []
    monkeypatch.setattr("chatcore.runtime.admission.let_others", lambda: present.append(admission.present))
    with admission.ask("ada", Lane.CALLS):
        timer.now += seconds
    assert present == [1] * looked, "while it still has its turn"


def test_answers_that_wait_for_room_are_as_few_as_requests_that_run() -> None:
    admission = Admission(BRIEF)
    with answer(admission, "bea", 200), admission.ask("ada", Lane.CALLS) as turn:
        with pytest.raises(RateLimited):
            turn.reserve(200, may_refuse=True)
        with ExitStack() as closing:
            hold(admission, "ada", Lane.CALLS, BOUNDS[Lane.CALLS].running - 1, closing)
            with pytest.raises(RateLimited), admission.ask("ada", Lane.CALLS):
                raise AssertionError("its turn is kept")


def test_a_request_that_was_given_up_runs_and_waits_no_more() -> None:
    admission = Admission(BRIEF)
    with admission.ask("ada", Lane.CALLS):
        waiting, paused = (admission.ask("ada", Lane.CALLS) for _ in range(2))
        waiting.leave()
        with pytest.raises(RateLimited), waiting:
            raise AssertionError("it runs")
        with pytest.raises(RateLimited), paused, paused.paused():
            paused.leave()
        assert (admission.present, admission.waiting) == (1, 0)
    assert admission.present == 0


def test_nothing_is_kept_of_requests_that_are_over() -> None:
    admission = Admission(BRIEF)
    with (
        pytest.raises(ZeroDivisionError),
        admission.ask("ada", Lane.CALLS) as turn,
        turn.paused(),
    ):
        raise ZeroDivisionError
    with ExitStack() as closing:
        hold(admission, "ada", Lane.CALLS, 2, closing)
        with pytest.raises(RateLimited), admission.ask("ada", Lane.CALLS):
            pass
    assert admission.present == 0


def test_many_at_once_never_run_more_than_allowed_and_all_end() -> None:
    admission = Admission(PATIENT)
    running: list[int] = []
    most: list[int] = []

    def requests() -> None:
        for _ in range(50):
            with admission.ask("ada", Lane.CALLS) as turn:
                running.append(1)
                most.append(len(running))
                running.pop()
                with turn.paused():
                    pass

    threads = [threading.Thread(target=requests) for _ in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE)
    assert len(most) == 1000
    assert max(most) <= 2
    assert admission.present == 0


@contextmanager
def answer(admission: Admission, who: str, size: int) -> Iterator[None]:
    """An answer that is not read until the context ends."""
    with admission.ask(who, Lane.CALLS) as turn:
        sent = turn.reserve(size, may_refuse=True)
    assert sent is not None
    try:
        yield
    finally:
        sent()


def test_clients_that_do_not_read_answers_get_no_more_of_them() -> None:
    admission = Admission(BRIEF)
    with answer(admission, "ada", 60), answer(admission, "ada", 60):
        with pytest.raises(RateLimited), admission.ask("ada", Lane.CALLS):
            pass
        with answer(admission, "bea", 60):
            assert admission.unsent == 180
    with admission.ask("ada", Lane.CALLS):
        assert admission.unsent == 0


def test_answers_of_all_together_are_bounded() -> None:
    admission = Admission(BRIEF)
    with answer(admission, "ada", 150), answer(admission, "bea", 150):
        with admission.ask("cem", Lane.CALLS) as turn:
            with pytest.raises(RateLimited):
                turn.reserve(1, may_refuse=True)
            changed = turn.reserve(1, may_refuse=False)
        assert changed is not None
        changed()
    with answer(admission, "ada", 1000):  # one answer goes out, however large
        assert admission.unsent == 1000


def test_a_request_goes_on_when_there_is_room_again() -> None:
    admission = Admission(Patience(seconds=PATIENCE, unsent=100))
    ran: list[str] = []

    def request() -> None:
        with admission.ask("ada", Lane.CALLS):
            ran.append("now")

    with answer(admission, "ada", 100):
        thread = threading.Thread(target=request)
        thread.start()
        until(lambda: admission.waiting == 1)
        assert ran == []
    thread.join(PATIENCE)
    assert ran == ["now"]


def test_the_free_turn_counts_nothing() -> None:
    for _ in range(300):
        with NO_TURN.paused():
            assert NO_TURN.reserve(10**9, may_refuse=True) is None
    assert NO_TURN.seconds == 0


def test_waiting_for_another_server_is_no_running_time_and_keeps_the_place() -> None:
    admission = Admission(timer=iter([0.0, 1.0, 100.0, 102.0]).__next__)
    with admission.ask("ada", Lane.FOREIGN) as turn:  # begins at 0
        with pytest.raises(ValueError, match="no answer"), turn.waiting():  # from 1 to 100
            raise ValueError("no answer")
        assert turn.is_running
        assert turn.seconds == 3.0
        admission.timer = lambda: 102.0
