"""Work that nobody waits for: done a moment later, in its order, and never lost."""

import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack

import gevent
import pytest
from gevent.event import Event

from chatcore.serving import afterwards
from chatcore.serving.afterwards import PIECE, Afterwards
from tests.http.serving.toy_server import Server
from tests.waiting import PATIENCE

NUMBER = 3 * PIECE + 1


class Work:
    """Numbers, noted in the order in which their calls are made."""

    def __init__(self) -> None:
        self.afterwards = Afterwards()
        self.done: list[int] = []
        self.turns: list[int] = []
        """How many were done whenever another greenlet had its turn."""

    def put(self, *numbers: int) -> None:
        for number in numbers:
            self.afterwards.put(lambda number=number: self.done.append(number))

    def wait(self, number: int) -> None:
        with gevent.Timeout(PATIENCE):
            while len(self.done) < number:
                self.turns.append(len(self.done))
                gevent.sleep(1e-6)


@pytest.fixture
def work(monkeypatch: pytest.MonkeyPatch) -> Iterator[Work]:
    monkeypatch.setattr(afterwards, "PAUSE", 0)
    made = Work()
    yield made
    made.afterwards.end()


def test_work_is_done_in_its_order_and_others_run_between_its_pieces(work: Work) -> None:
    work.put(*range(NUMBER))
    assert work.done == []
    work.wait(NUMBER)
    assert work.done == [*range(NUMBER)]
    assert {PIECE, 2 * PIECE} <= {*work.turns}
    work.put(NUMBER)
    work.wait(NUMBER + 1)


def test_work_that_comes_while_other_work_is_done_gathers_anew(
    work: Work, monkeypatch: pytest.MonkeyPatch
) -> None:
    work.put(*range(NUMBER))
    work.wait(PIECE)
    monkeypatch.setattr(afterwards, "PAUSE", 2 * PATIENCE)
    work.put(NUMBER)
    work.wait(NUMBER)
    for _ in range(10):
        gevent.sleep(1e-6)
    assert work.done == [*range(NUMBER)]


def test_work_that_comes_while_other_work_is_done_is_done_after_it(work: Work) -> None:
    work.put(*range(NUMBER))
    work.wait(PIECE)
    work.put(NUMBER)
    work.wait(NUMBER + 1)
    assert work.done == [*range(NUMBER + 1)]


def test_work_that_is_left_at_the_end_is_done_and_later_work_at_once(work: Work) -> None:
    work.put(*range(NUMBER))
    work.afterwards.end()
    assert work.done == [*range(NUMBER)]
    work.put(NUMBER)
    assert work.done == [*range(NUMBER + 1)]


def test_the_oldest_work_is_done_at_once_if_too_much_waits(
    work: Work, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(afterwards, "MAX_WAITING_CALLS", 2)
    work.put(1, 2, 3, 4)
    assert work.done == [1, 2]


def test_work_waits_until_others_have_gone_first(work: Work) -> None:
    begun, may_go_on = Event(), Event()

    def let_go_first() -> None:
        begun.set()
        may_go_on.wait(PATIENCE)

    work.afterwards.let_others_go_first = let_go_first
    work.put(1)
    assert begun.wait(PATIENCE)
    work.put(2)
    for _ in range(10):
        gevent.sleep(1e-6)
    assert work.done == []
    may_go_on.set()
    work.wait(2)
    assert work.done == [1, 2]


def test_work_waits_for_others_after_its_pause(work: Work, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(afterwards, "PAUSE", 2 * PATIENCE)
    waited: list[object] = []
    work.afterwards.let_others_go_first = lambda: waited.append(None)
    work.put(1)
    for _ in range(10):
        gevent.sleep(1e-6)
    assert waited == []


def test_work_is_done_even_if_the_wait_fails(work: Work, capsys: pytest.CaptureFixture[str]) -> None:
    work.afterwards.let_others_go_first = lambda: fail(ValueError("odd"))
    for number in range(2):
        work.put(number)
        work.wait(number + 1)
    assert "ValueError: odd" in capsys.readouterr().err


def fail(error: BaseException) -> None:
    raise error


@pytest.mark.parametrize(
    "error",
    [ValueError("odd"), gevent.GreenletExit("odd"), gevent.Timeout(1, "odd")],
    ids=lambda error: type(error).__name__,
)
def test_a_call_that_fails_keeps_no_other_one(
    work: Work, capsys: pytest.CaptureFixture[str], error: BaseException
) -> None:
    work.afterwards.put(lambda: fail(error))
    work.put(1)
    work.wait(1)
    assert capsys.readouterr().err.count(type(error).__name__) == 1
    work.afterwards.put(lambda: fail(error))
    work.put(2)
    work.afterwards.end()
    work.afterwards.put(lambda: fail(error))
    assert work.done == [1, 2]


class FullDisk:
    """A stream that cannot be written."""

    def write(self, text: str) -> int:
        raise OSError("no space left on device")


def test_a_failure_that_cannot_be_told_keeps_no_other_call(
    work: Work, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stderr", FullDisk())
    work.afterwards.put(lambda: fail(ValueError("odd")))
    work.put(1)
    work.wait(1)
    assert work.done == [1]


def test_a_call_may_wait_while_the_end_comes(work: Work, capsys: pytest.CaptureFixture[str]) -> None:
    begun, may_go_on = Event(), Event()

    def wait() -> None:
        begun.set()
        may_go_on.wait(PATIENCE)
        work.done.append(0)

    work.afterwards.put(wait)
    work.put(1)
    assert begun.wait(PATIENCE)
    work.afterwards.end()
    assert work.done == [1]
    may_go_on.set()
    work.wait(2)
    for _ in range(10):
        gevent.sleep(1e-6)
    assert capsys.readouterr().err == ""


@pytest.fixture
def start() -> Iterator[Callable[..., Server]]:
    with ExitStack() as closing:
        yield lambda **environment: Server(closing, **environment)


def test_a_server_does_it(start: Callable[..., Server]) -> None:
    server = start()
    assert server.get("/afterwards") == "answered"
    server.in_audience("worked")


def test_a_server_waits_before_it_as_the_last_request_did_that_waited(start: Callable[..., Server]) -> None:
    server = start()
    assert server.get("/behind") == "False 0"
    assert server.get("/afterwards") == "answered"
    server.in_audience("worked")
    assert server.get("/behind") == "False 1"


def test_a_server_ends_with_it_before_the_program_does(start: Callable[..., Server]) -> None:
    server = start(PAUSE="600")
    assert server.get("/afterwards") == "answered"
    server.stop()
    assert [server.said.get(timeout=PATIENCE) for _ in range(3)] == ["stopping", "worked", "closed"]
