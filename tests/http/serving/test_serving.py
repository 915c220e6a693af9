"""A real server in a process of its own, over real sockets."""

import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from threading import Event

import pytest

from chatcore.runtime.work import Work
from chatcore.serving import threads
from chatcore.serving.connections import READ_BUFFER, _Wait
from tests.http.serving.toy_server import PROJECT, Server
from tests.waiting import PATIENCE, until
from tests.worlds import serving_toys

MOST_THREADS = 8
"""The largest number of threads of a kind of work on a machine with few processors."""


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with ExitStack() as closing:
        yield Server(closing)


@pytest.fixture
def start() -> Iterator[Callable[..., Server]]:
    with ExitStack() as closing:
        yield lambda *arguments, **environment: Server(closing, *arguments, **environment)


def chunked(*pieces: bytes, end: bytes = b"0\r\n\r\n") -> bytes:
    head = b"POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
    return head + b"".join(b"%x\r\n%s\r\n" % (len(piece), piece) for piece in pieces) + end


# Connections


def test_a_connection_is_kept_for_the_next_request(server: Server) -> None:
    connection = server.connect()
    for _ in range(100):
        assert connection.ask("GET / HTTP/1.1\r\nHost: a\r\n\r\n") == (200, "hello")


def test_requests_may_be_sent_before_the_answers_are_read(server: Server) -> None:
    connection = server.connect()
    connection.send(
        "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\none"
        "POST /unread HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\ntwo"
        "GET /echo HTTP/1.1\r\nHost: a\r\n\r\n"
    )
    assert [connection.read() for _ in range(3)] == [(200, "POST - one"), (200, "unread"), (200, "GET - ")]


def test_a_request_waits_where_the_last_one_to_its_path_did_before_it_is_read(server: Server) -> None:
    head = "{} HTTP/1.1\r\nX-A: b\r\nhost: {}\r\n\r\n"
    connection = server.connect()

    def has_waited(target: str, host: str = "a") -> str:
        status, answer = connection.ask(head.format(target, host))
        assert status == 200
        return answer

    assert has_waited("GET /behind?first") == "False 0"
    assert has_waited("GET /behind?second") == "True 1"
    assert has_waited("GET /behind?third") == "True 2"
    assert has_waited("GET /behind/it?other") == "False 2"
    assert has_waited("GET /behind/it?of-another", host="a.b") == "False 2"
    assert has_waited("GET /") == "hello"
    assert has_waited("GET /behind/it?after-another") == "False 2"
    assert has_waited("POST /behind/it?other-method") == "False 2"
    assert has_waited("POST /behind/it?which-has-not-waited") == "False 2"
    assert has_waited("GET /behind?") == "False 2"
    assert has_waited("GET /behind?in-a-long-head", host=f"a\r\nX-B: {READ_BUFFER * 'b'}") == "False 2"
    assert has_waited("GET /behind?") == "True 3"
    assert has_waited("GET /behind?", host="\t a ") == "True 4"
    assert has_waited("GET /behind?of-a-proxy", host="a\r\nX-Forwarded-Host: b") == "True 5"
    assert has_waited("GET /behind?of-a-proxy", host="a\r\nX-Forwarded-Host: c") == "False 5"
    assert has_waited(f"GET {READ_BUFFER * '/'}behind?") == "False 5"
    assert has_waited("GET /behind?") == "False 5"
    connection.send("GET /behind? HTTP/1.0\r\nContent-Length: 13\r\n\r\n\r\nhost: a\r\n\r\n")
    assert connection.read() == (200, "False 5")


def test_the_host_of_a_head_is_found_in_linear_time() -> None:
    """With repeats of blanks beside each other, the search would not end."""
    wait = _Wait(b"GET /?", b"a", lambda: None)
    assert not wait.is_for(b"GET /? HTTP/1.1\r\nHost:%s\rx\r\n\r\n" % (100_000 * b" "))
    assert wait.is_for(b"GET /? HTTP/1.1\r\nHost:%sa\r\n\r\n" % (100_000 * b" "))


@pytest.mark.parametrize(
    "request_head", ["GET / HTTP/1.0\r\n\r\n", "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"]
)
def test_a_connection_ends_when_the_client_says_so(server: Server, request_head: str) -> None:
    connection = server.connect()
    assert connection.ask(request_head) == (200, "hello")
    assert connection.is_at_its_end


def test_headers_and_body_leave_in_one_piece_at_once(server: Server) -> None:
    assert server.get("/sends") == "hello"
    sent = server.in_audience("sent ")
    assert sent.endswith("nodelay True")
    assert int(sent.split()[1]) > 50
    assert server.said.empty()


def test_a_request_may_come_byte_by_byte(server: Server) -> None:
    connection = server.connect()
    for byte in b"POST /echo HTTP/1.1\r\nHost: a\r\nX-A: b\r\nContent-Length: 2\r\n\r\nhi":
        connection.send(bytes([byte]))
    assert connection.read() == (200, "POST b hi")


def test_a_body_may_be_chunked(server: Server) -> None:
    connection = server.connect()
    assert connection.ask(chunked(b"one", b"two")) == (200, "POST - onetwo")
    assert connection.ask("GET / HTTP/1.1\r\nHost: a\r\n\r\n") == (200, "hello")


def test_a_client_is_asked_for_the_body_it_holds_back(server: Server) -> None:
    head = "HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n"
    connection = server.connect()
    assert connection.ask(f"POST /echo {head}") == (100, "")
    assert connection.ask("hi") == (200, "POST - hi")
    assert connection.ask(f"POST /unread {head}") == (200, "unread")
    assert connection.is_at_its_end


@pytest.mark.parametrize("size", [5_000_000, 40_000_000])
def test_an_answer_outlives_a_large_body_that_nobody_read(server: Server, size: int) -> None:
    connection = server.connect()
    answer = connection.ask(
        b"POST /unread HTTP/1.1\r\nHost: a\r\nContent-Length: %d\r\n\r\n" % size + bytes(size)
    )
    assert answer == (200, "unread")
    assert connection.is_at_its_end


@pytest.mark.parametrize(
    ("head", "body", "ends"),
    [
        ("Content-Length: 2000000", b"", True),
        ("Content-Length: 2000000", bytes(2_000_000), True),
        ("Content-Length: 9\r\nExpect: 100-continue", b"", True),
        ("Transfer-Encoding: chunked", b"3\r\none\r\n", True),
        ("Content-Length: 100000", bytes(100_000), False),
        ("Content-Length: 0\r\nExpect: 100-continue", b"", False),
    ],
)
def test_an_answer_says_when_what_was_not_read_ends_the_connection(
    server: Server, head: str, body: bytes, ends: bool
) -> None:
    connection = server.connect()
    connection.send(f"POST /unread HTTP/1.1\r\nHost: a\r\n{head}\r\n\r\n".encode() + body)
    assert connection.read() == (200, "unread")
    assert connection.says_close == ends
    if not ends:
        assert connection.ask(chunked(b"more")) == (200, "POST - more")
        assert not connection.says_close, "a body that was read to its end"
    connection.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
    assert connection.read() == ((0, "") if ends else (200, "hello"))


# Malformed requests


@pytest.mark.parametrize(
    "request_bytes",
    [
        b"GET /\r\n\r\n",
        b"nonsense\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n",
        b"GET / HTTP/2.0\r\n\r\n",
        b"GET / HTTP/1\r\n\r\n",
        b"GET / HTTP/1.1 x\r\n\r\n",
        b"GET /\x00 HTTP/1.1\r\nHost: a\r\n\r\n",
        b"GE\x1b[T / HTTP/1.1\r\nHost: a\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: a\r\nX: " + b"x" * 10_000 + b"\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: a\r\n" + b"X: y\r\n" * 101 + b"\r\n",
        b"GET / HTTP/1.1\r\nHost: a\r\n" + (b"X: " + b"y" * 8000 + b"\r\n") * 5 + b"\r\n",
        b"GET / HTTP/1.1\r\nHost: a\r\nno colon\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: a\r\nX : y\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: a\r\n: y\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: a\r\nX: y\r\n folded\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: a\r\nX: a\x00b\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: a\r\nX: a\rb\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: a\r\nX: a\r\r\n\r\n",
        b"GET / HTTP/1.1\nHost: a\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: a\n\r\n",
        b"GET / HTTP/1.1\r\nHost: a\r\n\n",
        b"\nGET / HTTP/1.1\r\nHost: a\r\n\r\n",
        b"POST /echo HTTP/1.1\r\nHost: a\r\nX: y\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: a\r\nHost: a\r\nHost: b\r\n\r\n",
        b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab",
        b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\na",
        b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        b"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
        b"POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        b"POST / HTTP/1.0\r\nConnection: keep-alive\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        b"GET / HTTP/1.1\r\n\r\n",
        b"GET http://a/ HTTP/1.1\r\nX: y\r\n\r\n",
        *(
            b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: %s\r\n\r\n" % n
            for n in (b"-1", b"+1", b"1_0", b"", b"x", b"9" * 30)
        ),
    ],
    ids=range(38),
)
def test_sec_75_malformed_http_is_refused_in_the_envelope(server: Server, request_bytes: bytes) -> None:
    connection = server.connect()
    status, body = connection.ask(request_bytes)
    assert status == 400
    assert json.loads(body).keys() == {"result", "msg", "code"}
    assert connection.is_at_its_end


def bytes_of_answers(server: Server, *requests: str) -> list[str]:
    """The answers to requests that are sent at once on one connection, byte by byte."""
    connection = server.connect()
    connection.send("".join(requests))
    connection.socket.shutdown(socket.SHUT_WR)
    sent = connection.stream.read().decode()
    return ["HTTP/" + answer for answer in sent.split("HTTP/")[1:]]


@pytest.mark.parametrize(
    ("start_line", "status"),
    [
        ("HEAD / HTTP/1.1", 200),
        ("HEAD /generated HTTP/1.1", 200),
        ("HEAD /longer HTTP/1.1", 200),
        ("HEAD /shorter HTTP/1.1", 200),
        ("GET /no_content HTTP/1.1", 204),
        ("GET /not_modified HTTP/1.1", 304),
    ],
)
def test_a_body_where_none_belongs_is_dropped(server: Server, start_line: str, status: int) -> None:
    first, second = bytes_of_answers(
        server, f"{start_line}\r\nHost: a\r\n\r\n", "GET / HTTP/1.1\r\nHost: a\r\n\r\n"
    )
    assert first.startswith(f"HTTP/1.1 {status} ")
    assert first.endswith("\r\n\r\n")
    assert second.endswith("\r\n\r\nhello")


@pytest.mark.parametrize(("path", "body"), [("/failing", "he"), ("/failing_generated", "2\r\nhe\r\n")])
def test_an_answer_that_fails_in_the_middle_ends_where_it_failed(
    start: Callable[..., Server], path: str, body: str
) -> None:
    (only,) = bytes_of_answers(start(), f"GET {path} HTTP/1.1\r\nHost: a\r\n\r\n")
    assert only.partition("\r\n\r\n")[2] == body


def test_an_answer_with_an_odd_length_is_a_failure_with_a_head(start: Callable[..., Server]) -> None:
    (only,) = bytes_of_answers(start(), "GET /odd_length HTTP/1.1\r\nHost: a\r\n\r\n")
    assert only.startswith("HTTP/1.1 500 ")
    assert "hello" not in only


@pytest.mark.parametrize(
    ("start_line", "headers", "body"),
    [
        ("GET /longer HTTP/1.1", "", "hel"),
        ("GET /shorter HTTP/1.1", "", "hello"),
        ("GET /shorter HTTP/1.0", "Connection: keep-alive\r\n", "hello"),
        ("GET /generated HTTP/1.0", "Connection: keep-alive\r\n", "hello"),
    ],
)
def test_an_answer_of_another_length_than_announced_ends_the_connection(
    server: Server, start_line: str, headers: str, body: str
) -> None:
    (only,) = bytes_of_answers(
        server, f"{start_line}\r\nHost: a\r\n{headers}\r\n", "GET / HTTP/1.1\r\nHost: a\r\n\r\n"
    )
    head, _, sent = only.partition("\r\n\r\n")
    assert sent == body
    if "generated" in start_line:  # before its headers are written, nothing is known of the others
        assert "Connection: close" in head
        assert "keep-alive" not in head


def test_an_answer_in_pieces_is_chunked_and_keeps_the_connection(server: Server) -> None:
    first, second = bytes_of_answers(server, *["GET /generated HTTP/1.1\r\nHost: a\r\n\r\n"] * 2)
    assert first.endswith("\r\n\r\n2\r\nhe\r\n3\r\nllo\r\n0\r\n\r\n")
    assert second.endswith("\r\n\r\n2\r\nhe\r\n3\r\nllo\r\n0\r\n\r\n")


def test_an_address_may_be_long_but_not_endless(server: Server) -> None:
    connection = server.connect()
    longest = f"GET /?{'x' * 131_000} HTTP/1.1\r\nHost: a\r\n\r\n"
    assert connection.ask(longest) == (200, "hello")
    status, body = connection.ask(longest.replace("?", f"?{'x' * 1_000}"))
    assert (status, json.loads(body)["code"]) == (414, "BAD_REQUEST")
    assert "131072" in json.loads(body)["msg"]
    assert connection.is_at_its_end


@pytest.mark.parametrize("end", [b"zz\r\nhi\r\n", b"2\r\nhello\r\n0\r\n\r\n", b"f" * 20 + b"\r\n"])
def test_after_a_broken_body_no_request_is_read(server: Server, end: bytes) -> None:
    connection = server.connect()
    status, body = connection.ask(chunked(b"one", end=end) + b"GET / HTTP/1.1\r\nHost: a\r\n\r\n")
    assert (status, body) == (200, "MalformedBody")
    assert connection.is_at_its_end


def test_names_with_underscores_do_not_pose_as_others(server: Server) -> None:
    connection = server.connect()
    assert connection.ask("GET /echo HTTP/1.1\r\nHost: a\r\nX_A: b\r\n\r\n") == (200, "GET - ")


def test_nothing_of_this_was_a_failure(server: Server) -> None:
    assert server.get("/") == "hello"
    assert set(server.errors) <= {"the application wrote more than its Content-Length"}


# Slow clients


def test_a_client_that_rests_too_long_is_let_go(start: Callable[..., Server]) -> None:
    connection = start().connect()
    assert connection.ask("GET /impatient HTTP/1.1\r\nHost: a\r\n\r\n") == (200, "GET - ")
    assert connection.is_at_its_end


def test_a_connection_that_rests_keeps_no_environment_of_its_last_request(
    start: Callable[..., Server],
) -> None:
    server = start()
    resting = [server.connect() for _ in range(3)]
    for connection in resting:
        assert connection.ask("GET / HTTP/1.1\r\nHost: a\r\n\r\n") == (200, "hello")
    assert server.get("/environments") == "0"


def test_headers_that_never_end_are_not_waited_for(start: Callable[..., Server]) -> None:
    connection = start(HEADER="0.05").connect()
    assert connection.ask("GET / HTTP/1.1\r\nHost: a\r\nX: y\r\n")[0] == 400
    assert connection.is_at_its_end


def test_a_body_that_never_comes_is_not_waited_for(start: Callable[..., Server]) -> None:
    connection = start().connect()
    assert connection.ask("POST /impatient HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhi") == (
        200,
        "TimeoutError",
    )
    assert connection.is_at_its_end


# Stopping


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_open_polls_are_answered_and_writes_end_before_the_server_does(
    start: Callable[..., Server], tmp_path: Path, number: int
) -> None:
    server = start("writes", str(tmp_path / "written"))
    idle, fresh, poll, write = (server.connect() for _ in range(4))
    assert idle.ask("GET / HTTP/1.1\r\nHost: a\r\n\r\n") == (200, "hello")
    poll.send("GET /wait HTTP/1.1\r\nHost: a\r\n\r\n")
    server.in_audience("waiting")
    write.send("POST /write HTTP/1.1\r\nHost: a\r\n\r\n")
    server.in_audience("writing")
    server.stop(number)
    assert poll.read() == (200, "woken")
    assert poll.is_at_its_end
    assert write.read() == (200, "written")
    assert (tmp_path / "written").read_text() == "written"
    assert idle.is_at_its_end
    assert fresh.is_at_its_end
    assert server.wait() == 0
    assert [server.said.get(timeout=PATIENCE) for _ in range(3)] == ["stopping", "closed", "ended"]
    assert server.errors == []
    with pytest.raises(ConnectionRefusedError):
        server.connect()


def test_requests_that_do_not_end_in_time_are_cut_off(start: Callable[..., Server]) -> None:
    server = start(GRACE="0.05")
    connection = server.connect()
    connection.send("GET /hang HTTP/1.1\r\nHost: a\r\n\r\n")
    server.in_audience("hanging")
    server.stop()
    assert connection.is_at_its_end
    assert server.wait() == 0
    server.in_audience("ended")


def test_a_client_with_its_last_answer_may_still_send_while_the_server_stops(
    start: Callable[..., Server],
) -> None:
    """Otherwise a reset could overtake the answer."""
    server = start(LINGER=str(PATIENCE))
    connection, other = server.connect(), server.connect()
    assert connection.ask("nonsense\r\n\r\n")[0] == 400
    assert connection.is_at_its_end, "the server only reads from now on"
    other.send("GET /wait HTTP/1.1\r\nHost: a\r\n\r\n")
    server.in_audience("waiting")
    server.stop()
    assert other.read() == (200, "woken"), "by now, connections that only rest are closed"
    connection.send("x")
    assert server.wait() == 0
    assert connection.socket.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR) == 0, "no reset has come"


def test_a_second_signal_does_not_wait(start: Callable[..., Server]) -> None:
    server = start()
    connection = server.connect()
    connection.send("GET /hang HTTP/1.1\r\nHost: a\r\n\r\n")
    server.in_audience("hanging")
    server.stop()
    server.in_audience("stopping")
    server.stop()
    assert connection.is_at_its_end
    assert server.wait() == 0


# Workers


def both_workers(server: Server) -> set[int]:
    """Return the process ids of the workers, once either has answered; one may start long after the other."""
    pids: set[int] = set()

    def have_answered() -> bool:
        pids.add(int(server.get("/pid")))
        return len(pids) == 2

    until(have_answered)
    return pids


def test_a_worker_that_dies_is_replaced_and_all_end_together(start: Callable[..., Server]) -> None:
    server = start(WORKERS="2")
    first = int(server.get("/pid"))
    os.kill(first, signal.SIGKILL)
    pids = both_workers(server)
    assert not {first, server.process.pid} & pids
    server.stop()
    assert server.wait() == 0
    server.in_audience("ended")
    for pid in pids:
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)


def test_workers_end_with_a_parent_that_was_killed(start: Callable[..., Server]) -> None:
    server = start(WORKERS="2")
    both_workers(server)
    poll = server.connect()
    poll.send("GET /wait HTTP/1.1\r\nHost: a\r\n\r\n")
    server.in_audience("waiting")
    server.process.kill()
    assert poll.read() == (200, "woken")
    assert [server.in_audience("closed") for _ in range(2)] == ["closed", "closed"]


@pytest.mark.parametrize("workers", ["1", "2"])
def test_a_program_that_cannot_be_made_is_not_tried_again(workers: str) -> None:
    finished = subprocess.run(
        [sys.executable, serving_toys.__file__, "fails"],
        env={**os.environ, "PYTHONPATH": str(PROJECT), "WORKERS": workers},  # noqa: TID251
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert finished.returncode == 1
    assert "no such database" in finished.stderr


# Starting


def refused(host: str, port: int) -> str:
    """The error of a server that cannot listen at the address."""
    program = f"""
from chatcore import serving
serving.patch()
try:
    serving.serve(lambda: None, {host!r}, {port})
except serving.CannotServe as error:
    print(error)
"""
    command = [sys.executable, "-c", program]
    environment = {**os.environ, "PYTHONPATH": str(PROJECT)}  # noqa: TID251
    return subprocess.run(
        command, env=environment, capture_output=True, text=True, check=True, timeout=PATIENCE
    ).stdout


def test_a_server_that_cannot_listen_says_why_in_one_line(server: Server) -> None:
    assert refused("127.0.0.1", server.port) == (
        f"Port {server.port} on 127.0.0.1 is taken:"
        " stop the program that has it, or choose another with --port.\n"
    )
    assert refused("203.0.113.7", 9991) == "'203.0.113.7' is not an address of this machine.\n"
    assert refused("127.0.0.1", 99_999) == "99999 is not a port: use a number from 0 to 65535.\n"


def test_sec_66_a_piece_of_a_body_has_its_own_time_however_long_the_body_is(
    start: Callable[..., Server],
) -> None:
    connection = start(BODY="0.2").connect()
    connection.send("POST /piece HTTP/1.1\r\nHost: a\r\nContent-Length: 10000000000\r\n\r\na")
    assert connection.read() == (200, "TimeoutError")  # after 7 seconds; it would be days for the whole


def test_a_client_that_does_not_read_its_answer_is_given_up(start: Callable[..., Server]) -> None:
    server = start(ANSWER="0.1")
    connection = server.connect()
    connection.send("GET /large HTTP/1.1\r\nHost: a\r\n\r\n")
    server.in_audience("closed large")
    assert server.get("/") == "hello"


def test_a_large_answer_arrives_whole(server: Server) -> None:
    status, body = server.connect().ask("GET /large HTTP/1.1\r\nHost: a\r\n\r\n")
    assert (status, len(body)) == (200, 2**26)


def test_connections_of_one_address_are_bounded(start: Callable[..., Server]) -> None:
    server = start(PER_ADDRESS="3")
    kept = [server.connect() for _ in range(3)]
    for connection in kept:
        assert connection.ask("GET / HTTP/1.1\r\nHost: a\r\n\r\n") == (200, "hello")
    for _ in range(20):
        status, body = server.connect().ask("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        assert (status, json.loads(body)["limit"]) == (429, "connections_by_address")
    refused = server.connect()
    assert b"Retry-After: 1\r\n" in [*iter(refused.stream.readline, b"\r\n")]
    kept.pop().close()
    until(lambda: server.connect().ask("GET / HTTP/1.1\r\nHost: a\r\n\r\n")[0] == 200)


@pytest.mark.parametrize("kind", Work)
def test_slow_work_leaves_the_loop_and_waits_for_no_other_kind(server: Server, kind: Work) -> None:
    others = [other for other in Work if other is not kind]
    assert [server.get(f"/in_thread?{other.value}") for other in Work] == ["True"] * len(Work)
    held = [server.connect() for _ in range(3 * max(MOST_THREADS, os.cpu_count() or 1))]
    for connection in held:
        connection.send(f"GET /hold?{kind.value} HTTP/1.1\r\nHost: a\r\n\r\n")
        server.in_audience("holding")
    assert [server.get(f"/in_thread?{other.value}") for other in others] == ["True"] * len(others)
    for _ in held:
        server.get("/release")
    assert [connection.read() for connection in held] == [(200, "x")] * len(held)


@pytest.mark.parametrize("length", [0, READ_BUFFER])
def test_a_connection_with_many_requests_does_not_keep_the_loop(
    start: Callable[..., Server], length: int
) -> None:
    server = start()
    other, busy = server.connect(), server.connect()
    other.send("GET /overtaken HTTP/1.1\r\nHost: a\r\n\r\n")
    server.in_audience("waiting")
    busy.send(1_000 * f"GET /tick HTTP/1.1\r\nHost: a\r\nX-A: {length * 'a'}\r\n\r\n")
    status, overtaken = other.read()
    assert (status, int(overtaken) <= 10) == (200, True), overtaken


def test_work_in_a_thread_may_end_in_any_way(server: Server) -> None:
    assert server.get("/ends_in_thread") == "ended"


def test_threads_that_wait_for_one_lock_all_get_it(server: Server) -> None:
    assert server.get("/locked_in_threads") == "8"


def test_files_are_finished_in_several_threads_at_once(server: Server) -> None:
    assert server.get("/files_in_threads") == "2000"


def test_a_page_for_everybody_is_made_once(server: Server) -> None:
    assert server.get("/made_at_once") == "1"


def test_a_greenlet_ends_after_its_work_in_a_thread(server: Server) -> None:
    assert server.get("/killed_in_thread") == "1"


def test_work_waits_until_the_machine_has_threads_again(monkeypatch: pytest.MonkeyPatch) -> None:
    start, done = threads.start_new_thread, Event()
    pool = threads.Threads(1)
    monkeypatch.setattr(threads, "start_new_thread", refuse_thread)
    with pytest.raises(RuntimeError):
        pool.run(lambda: None)
    monkeypatch.setattr(threads, "start_new_thread", start)
    pool.run(done.set)
    assert done.wait(PATIENCE)


def refuse_thread(*_: object) -> None:
    raise RuntimeError("can't start new thread")


@pytest.mark.parametrize(("kind", "number"), [(Work.PICTURES, 1), (Work.FILES, MOST_THREADS)])
def test_only_so_much_work_of_a_kind_is_done_at_a_time(server: Server, kind: Work, number: int) -> None:
    assert server.get(f"/together?{kind.value}&{number}") == str(number)


@pytest.mark.parametrize(
    ("program", "complaint"),
    [
        ("import peewee; serving.patch()", "patch() must come before the import of peewee"),
        ("serving.serve(lambda: None, '127.0.0.1', 0)", "patch() must be called before serve()"),
    ],
)
def test_patching_comes_first(program: str, complaint: str) -> None:
    command = [sys.executable, "-c", f"from chatcore import serving; {program}"]
    environment = {**os.environ, "PYTHONPATH": str(PROJECT)}  # noqa: TID251
    finished = subprocess.run(
        command, env=environment, capture_output=True, text=True, check=False, timeout=PATIENCE
    )
    assert complaint in finished.stderr
