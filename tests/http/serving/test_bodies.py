"""Bodies in pieces that the client chooses: they cost no more than what they contain, and stop nobody."""

import io
import json
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from functools import partial
from itertools import count
from typing import Any

import gevent.socket
import pytest

from chatcore.http.bodies.slow_body import SlowBody
from chatcore.runtime.admission import Admission, Lane
from chatcore.serving import bodies
from chatcore.serving import wire as wires
from chatcore.serving.bodies import (
    BODY_SECONDS,
    LOOK_EVERY,
    MAX_FRAMING,
    SLOWEST_BODY,
    Body,
    MalformedBody,
)
from chatcore.serving.connections import IDLE_SECONDS
from chatcore.serving.requests import MAX_HEADER_BYTES, MAX_HEADERS
from chatcore.serving.wire import Wire
from tests.http.serving.toy_server import Server
from tests.worlds.files import raw_request
from tests.worlds.organization import MakeWorld, Someone

HEAD = "POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"


class Arrived(io.RawIOBase):
    """Bytes that have arrived, with what a `Wire` knows; before each read the client is waited for."""

    def __init__(self, data: bytes) -> None:
        self._data = io.BytesIO(data)
        self.while_waiting: Callable[[], AbstractContextManager[object]] = nullcontext
        self.seconds_left: float | None = None
        self.waited_at = 0.0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        with self.while_waiting():
            return self._data.readinto(buffer)

    @property
    def taken(self) -> int:
        """The number of bytes that have been read."""
        return self._data.tell()


def chunks(size: int, number: int, extension: bytes = b"") -> bytes:
    return (b"%x%s\r\n%s\r\n" % (size, extension, b"x" * size)) * number + b"0\r\n\r\n"


def body_of(data: bytes, give_way: Callable[[], object] = lambda: None) -> Body:
    return Body(io.BufferedReader(Arrived(data), 2048), None, None, True, give_way)


def read_in_pieces(body: Body) -> bytes:
    return b"".join(iter(lambda: body.read(65_536), b""))


@pytest.mark.parametrize("size", [1, 2, 7, 8, 1_000, 100_000])
@pytest.mark.parametrize("extension", [b"", b";a=b", b' ; a="b c"'])
def test_chunks_are_put_together(size: int, extension: bytes) -> None:
    data = chunks(size, 1_000, extension)
    assert read_in_pieces(body_of(data)) == b"x" * 1_000 * size
    assert body_of(data).read() == b"x" * 1_000 * size


def test_lines_are_read_across_chunks() -> None:
    body = body_of(b"3\r\na\nb\r\n4\r\nc\nde\r\n0\r\n\r\n")
    lines = [body.readline() for _ in range(5)]
    assert b"".join(lines) == b"a\nbc\nde"
    assert not body.ends_connection


@pytest.mark.parametrize(
    ("data", "most"),
    [
        (chunks(1, 300_000), 2 * MAX_FRAMING),
        (chunks(4, 300_000), 10 * MAX_FRAMING),
        (chunks(1, 100_000, b";" + b"x" * 30), 2 * MAX_FRAMING),
        (chunks(100, 100_000, b";" + b"x" * 200), 4 * MAX_FRAMING),
    ],
)
def test_a_body_of_little_but_framing_is_refused_early(data: bytes, most: int) -> None:
    body = body_of(data)
    with pytest.raises(MalformedBody):
        read_in_pieces(body)
    assert body.is_lost
    assert body.ends_connection
    assert body.rfile.raw.taken <= most


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"5",
        b"5\r\nabc",
        b"5\r\nabcde",
        b"5\nabcde\r\n0\r\n\r\n",
        b"5\r\nabcdefg\r\n0\r\n\r\n",
        b"-5\r\nabcde\r\n0\r\n\r\n",
        b"+5\r\nabcde\r\n0\r\n\r\n",
        b"0x5\r\nabcde\r\n0\r\n\r\n",
        b"5_0\r\nabcde\r\n0\r\n\r\n",
        b" 5\r\nabcde\r\n0\r\n\r\n",
        b"5 \r\nabcde\r\n0\r\n\r\n",
        b"5;a\rb\r\nabcde\r\n0\r\n\r\n",
        b"5;a\nb\r\nabcde\r\n0\r\n\r\n",
        b"5;\x00\r\nabcde\r\n0\r\n\r\n",
        b"5;" + b"a" * 300 + b"\r\nabcde\r\n0\r\n\r\n",
        b"11111111111111111\r\n",
        b"ffffffffffffffff\r\nabc",
        b"5\r\nabcde\r\n0\r\n",
        b"5\r\nabcde\r\n0\r\nno colon\r\n\r\n",
        b"5\r\nabcde\r\n0\r\na: b\n\r\n",
        b"5\r\nabcde\r\n0\r\n\n",
        b"5\r\nabcde\r\n0\r\n" + b"a: b\r\n" * (MAX_HEADERS + 1) + b"\r\n",
        b"5\r\nabcde\r\n0\r\n"
        + (b"a: " + b"b" * 5_000 + b"\r\n") * (MAX_HEADER_BYTES // 5_000 + 1)
        + b"\r\n",
    ],
)
def test_broken_chunks_are_refused(data: bytes) -> None:
    for size in (None, 65_536):
        body = body_of(data)
        with pytest.raises(MalformedBody):
            list(iter(lambda: body.read(size), b""))  # noqa: B023
        assert body.ends_connection


def test_trailers_are_read_and_dropped() -> None:
    body = body_of(b"5\r\nabcde\r\n0\r\na: b\r\nc: d\r\n\r\n")
    assert read_in_pieces(body) == b"abcde"
    assert not body.ends_connection


def test_whoever_reads_many_chunks_lets_others_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bodies, "SLICE", -1.0)  # so that each look at the clock gives way
    ways: list[None] = []
    assert len(read_in_pieces(body_of(chunks(8, 100_000), lambda: ways.append(None)))) == 800_000
    assert len(ways) >= 100_000 // LOOK_EVERY


def test_whoever_reads_many_pieces_lets_others_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bodies, "SLICE", -1.0)
    ways: list[None] = []
    give_way = partial(ways.append, None)
    body = Body(io.BufferedReader(Arrived(bytes(9_000)), 2048), 9_000, None, False, give_way)
    assert len(list(iter(lambda: body.read(100), b""))) == 90
    assert len(ways) >= 90


def test_only_waiting_is_free() -> None:
    body = body_of(chunks(8, 10_000))
    waits: list[bool] = []
    with Admission().ask("ada", Lane.CALLS) as turn:

        @contextmanager
        def waiting() -> Iterator[None]:
            with turn.paused():
                waits.append(turn.is_running)
                yield

        slow = SlowBody(body, time.monotonic, lambda: None, turn)  # type: ignore[arg-type]
        body.wait_within(waiting)
        while slow.read(65_536):
            assert turn.is_running
    assert len(waits) > 10
    assert not any(waits)
    body._discard()  # noqa: SLF001 - the turn is over, and nothing asks for it again


def test_reading_what_has_arrived_is_not_free() -> None:
    was_running: list[bool] = []

    class ArrivedBefore(Arrived):
        def readinto(self, buffer: Any) -> int:
            was_running.append(turn.is_running)
            return self._data.readinto(buffer)

    body = Body(io.BufferedReader(ArrivedBefore(chunks(8, 10_000)), 2048), None, None, True, lambda: None)
    with Admission().ask("ada", Lane.CALLS) as turn:
        slow = SlowBody(body, time.monotonic, lambda: None, turn)  # type: ignore[arg-type]
        while slow.read(65_536):
            pass
    assert len(was_running) > 10
    assert all(was_running)


def test_what_is_dropped_after_the_answer_is_waited_for_without_the_turn() -> None:
    waits: list[None] = []
    body = Body(io.BufferedReader(Arrived(bytes(9_000)), 2048), 9_000, None, False, lambda: None)
    body.wait_within(lambda: nullcontext(waits.append(None)))
    assert body.read(1) == b"\0"
    assert len(waits) == 1
    body._discard()  # noqa: SLF001 - the server calls it after each answer
    assert body.rfile.raw.taken == 9_000
    assert len(waits) == 1


@pytest.mark.parametrize("is_chunked", [True, False])
def test_each_read_has_its_own_seconds(is_chunked: bool) -> None:
    seconds: list[float | None] = []
    data = chunks(8, 1_000) if is_chunked else bytes(9_000)
    body = Body(io.BufferedReader(Arrived(data), 2048), len(data), None, is_chunked, lambda: None)
    wire = body.rfile.raw

    def waits() -> AbstractContextManager[object]:
        seconds.append(wire.seconds_left)
        wire.seconds_left -= 5  # as long as it takes
        return nullcontext()

    body.wait_within(waits)
    for _ in range(2):
        seconds.clear()
        body.read(3_000)
        most = BODY_SECONDS + 3_000 / SLOWEST_BODY
        assert seconds == [most - 5 * number for number in range(len(seconds))]
        assert len(seconds) > 0
        assert wire.seconds_left is None, "the next request may be long in coming"


def test_all_waits_together_have_these_seconds(monkeypatch: pytest.MonkeyPatch) -> None:
    now, given = 100.0, list[float]()
    with ExitStack() as closing:
        ours, theirs = map(closing.enter_context, gevent.socket.socketpair())

        def wait(_: int, seconds: float) -> None:
            nonlocal now
            given.append(seconds)
            now += 3.0
            theirs.send(b"x")

        monkeypatch.setattr(wires, "wait_read", wait)
        monkeypatch.setattr(wires, "monotonic", lambda: now)
        ours.settimeout(IDLE_SECONDS)
        wire = Wire(ours)
        wire.seconds_left = 10.0
        assert [wire.read(1) for _ in range(5)] == [b"x"] * 5
        wire.seconds_left = None
        assert wire.read(1) == b"x"
    assert given == [10.0, 7.0, 4.0, 1.0, 0.0, IDLE_SECONDS]
    assert wire.waited_at == now


@pytest.fixture
def server() -> Iterator[Server]:
    with ExitStack() as closing:
        yield Server(closing)


def test_tiny_chunks_are_refused_and_the_connection_ends(server: Server) -> None:
    connection = server.connect()
    connection.send(HEAD)
    connection.send(chunks(1, 50_000))
    assert connection.read() == (200, "MalformedBody")
    assert connection.says_close
    assert connection.is_at_its_end
    assert server.get("/") == "hello"


@pytest.mark.parametrize("size", [8, 100, 70_000])
def test_after_a_body_in_chunks_the_connection_goes_on(server: Server, size: int) -> None:
    connection = server.connect()
    status, body = connection.ask(HEAD.encode() + chunks(size, 1_000))
    assert (status, len(body)) == (200, len("POST - ") + 1_000 * size)
    assert connection.ask("GET / HTTP/1.1\r\nHost: a\r\n\r\n") == (200, "hello")


def test_a_refused_body_is_a_bad_request_that_changes_nothing(make_world: MakeWorld) -> None:
    world = make_world()
    status, answer = send_chunks(world["ada"], "/api/v1/messages", chunks(1, 50_000))
    assert (status, answer["code"]) == ("400", "BAD_REQUEST")
    assert "chunks" in answer["msg"]


def send_chunks(someone: Someone, path: str, data: bytes) -> tuple[str, dict[str, Any]]:
    """Send a form in chunks; return the status and the answer."""
    answer, status, _ = raw_request(
        someone, "POST", path, body_of(data),  # type: ignore[arg-type]
        CONTENT_TYPE="application/x-www-form-urlencoded", HTTP_TRANSFER_ENCODING="chunked",
        **{"wsgi.input_terminated": True},
    )  # fmt: skip
    return status[:3], json.loads(answer)


def test_a_long_body_is_charged_while_it_is_read(
    make_world: MakeWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("chatcore.http.bodies.slow_body.CHECK_SECONDS", -1.0)
    world = make_world(
        rate_limit_rules={"running_time_by_user": "1 per hour", "running_time_by_ip": "1 per hour"}
    )
    for someone, path in ((world["ada"], "/api/v1/messages"), (world.nobody, "/api/v1/fetch_api_key")):
        status, answer = send_chunks(someone, path, chunks(8, 100_000))
        assert (status, answer["limit"][:15]) == ("429", "running_time_by")


def test_no_running_time_is_charged_twice(make_world: MakeWorld, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("chatcore.http.bodies.slow_body.CHECK_SECONDS", -1.0)
    world = make_world()
    charged, seconds = list[int](), count()
    monkeypatch.setattr(world.svc.admission, "timer", lambda: float(next(seconds)))
    monkeypatch.setattr(world.svc.rate_limits, "charge", lambda rule, who, amount: charged.append(amount))
    send_chunks(world["ada"], "/api/v1/messages", chunks(8, 100_000))
    assert len(charged) > 5
    assert sum(charged) < 1_000 * next(seconds)
