"""Answers as they leave: with their date, and without a wait as far as the client takes them."""

from collections.abc import Iterator
from contextlib import ExitStack
from email.utils import parsedate_to_datetime
from time import sleep, time  # noqa: TID251 - answers have the machine's time

import pytest
from gevent import socket

from chatcore.serving.wire import Wire
from tests.http.serving.toy_server import Connection, Server

MORE_THAN_FITS = bytes(2**26)

Ends = tuple[socket.socket, socket.socket]


@pytest.fixture
def connection() -> Iterator[Connection]:
    with ExitStack() as closing:
        yield Server(closing).connect()


def dates_of(connection: Connection, path: str) -> list[str]:
    """Ask for a path; return the dates that the head of the answer has."""
    connection.send(f"GET {path} HTTP/1.1\r\nHost: a\r\n\r\n")
    connection.stream.readline()
    dates, length = [], 0
    while line := connection.stream.readline().decode().strip():
        name, _, value = line.partition(": ")
        if name.lower() == "date":
            dates.append(value)
        if name.lower() == "content-length":
            length = int(value)
    connection.stream.read(length)
    return dates


def test_the_date_is_that_of_the_second_in_which_the_answer_was_made(connection: Connection) -> None:
    for _ in range(2):
        asked = time()
        (date,) = dates_of(connection, "/")
        assert date.endswith(" GMT")
        assert int(asked) <= parsedate_to_datetime(date).timestamp() <= time()
        while int(time()) == int(asked):
            sleep(0.01)


def test_the_date_of_the_application_is_the_only_one(connection: Connection) -> None:
    assert dates_of(connection, "/dated") == ["Sun, 06 Nov 1994 08:49:37 GMT"]


@pytest.fixture
def ends() -> Iterator[Ends]:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        yield ours, theirs


def test_what_fits_is_sent_at_once(ends: Ends) -> None:
    ours, theirs = ends
    assert Wire(ours).send_now(b"hello") == 5
    assert theirs.recv(9) == b"hello"


def test_what_does_not_fit_is_left(ends: Ends) -> None:
    ours, theirs = ends
    wire = Wire(ours)
    sent = 0
    while now := wire.send_now(MORE_THAN_FITS):
        sent += now
    assert 0 < sent < len(MORE_THAN_FITS)
    ours.close()
    received = 0
    while piece := theirs.recv(65_536):
        received += len(piece)
    assert received == sent


def test_a_client_that_is_gone_is_an_error(ends: Ends) -> None:
    ours, theirs = ends
    theirs.close()
    with pytest.raises(OSError, match=r"pipe|reset"):
        Wire(ours).send_now(b"hello")
