"""Waiting for a socket, as drivers of databases do, lets other greenlets run."""

import socket

import gevent
import pytest

from chatcore import serving
from tests.waiting import PATIENCE


@pytest.mark.parametrize("writing", [False, True])
def test_others_run_until_the_socket_is_readable(writing: bool) -> None:
    happened: list[str] = []
    here, there = socket.socketpair()
    with here, there:
        here.setblocking(False)
        while writing:  # until the other end must read
            try:
                here.send(b" " * 65_536)
            except BlockingIOError:
                break

        def wait() -> None:
            serving.wait_for_socket(here.fileno(), reading=True, writing=writing, seconds=PATIENCE)
            happened.append("ready")

        waiting = gevent.spawn(wait)
        gevent.sleep(0)
        happened.append("others")
        there.send(b"x")
        assert waiting in gevent.joinall([waiting], timeout=60)
    assert happened == ["others", "ready"]


def test_a_writer_waits_until_there_is_room() -> None:
    here, there = socket.socketpair()
    with here, there:
        serving.wait_for_socket(here.fileno(), reading=False, writing=True, seconds=PATIENCE)
