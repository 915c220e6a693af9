"""A PostgreSQL that does not answer, and faults of the process that asks it."""

import logging
import resource
import socket
import threading
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress

import psycopg
import pytest

from storage_backends import postgres_silence
from storage_backends.postgres_silence import IsAtWork, NoAnswer, Silence, hang_up
from tests.waiting import until


@pytest.fixture(autouse=True)
def _without_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(postgres_silence, "PAUSE_SECONDS", 0.001)


class Server:
    """A server to ask: it has the given faults first, then it answers, unless it is held back."""

    def __init__(self, *faults: Exception) -> None:
        self._faults: Iterator[Exception] = iter(faults)
        self.may_answer = threading.Event()
        self.may_answer.set()

    def ask(self) -> IsAtWork:
        self.may_answer.wait()
        for fault in self._faults:
            raise fault
        return lambda pid: True


def is_accepted(silence: Silence) -> bool:
    with suppress(NoAnswer):
        silence.require_none()
        return True
    return False


def lost() -> psycopg.Error:
    return psycopg.OperationalError("lost")


@pytest.mark.parametrize("faults", [[OSError(24, "Too many open files")] * 3, [lost(), ValueError(), lost()]])
def test_no_fault_ends_the_asking(faults: list[Exception], caplog: pytest.LogCaptureFixture) -> None:
    server = Server(*faults)
    silence = Silence(server.ask, renew=lambda: None)
    with closing(silence):
        server.may_answer.clear()
        silence.note(lost())
        assert not is_accepted(silence)
        server.may_answer.set()
        until(lambda: is_accepted(silence))
        assert silence.is_at_work(1)
    logged = [record.getMessage() for record in caplog.records if record.levelno == logging.ERROR]
    assert logged == ["PostgreSQL could not be asked"]


def test_a_fault_while_somebody_waits_is_no_answer() -> None:
    silence = Silence(Server(OSError(24, "Too many open files")).ask, renew=lambda: None)
    with closing(silence):
        assert not silence.is_at_work(1)
        until(lambda: is_accepted(silence))


def test_nobody_is_refused_if_no_thread_can_ask(monkeypatch: pytest.MonkeyPatch) -> None:
    def start(thread: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    silence = Silence(Server(lost()).ask, renew=lambda: None)
    with closing(silence):
        with monkeypatch.context() as patch:
            patch.setattr(threading.Thread, "start", start)
            silence.note(lost())
        assert is_accepted(silence)
        silence.note(lost())  # the next one that notices it begins to ask
        until(lambda: is_accepted(silence))


@contextmanager
def without_descriptors() -> Iterator[None]:
    """Let this process have no descriptor left."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (0, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def test_a_lost_connection_ends_without_another_descriptor() -> None:
    with ExitStack() as stack:
        ours, theirs = (stack.enter_context(one) for one in socket.socketpair())
        with without_descriptors():
            hang_up(ours.fileno())
        assert theirs.recv(1) == ours.recv(1) == b""
