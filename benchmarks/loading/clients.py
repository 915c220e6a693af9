"""Clients of the load driver: processes with keep-alive connections that measure each answer."""

import os
import random
import signal
import socket
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import count

from benchmarks.loading.calls import Call


@dataclass(frozen=True, slots=True)
class Connection:
    """The requests that one connection repeats, beginning at one of them."""

    authorization: str
    calls: Sequence[Call]
    first: int = 0


@dataclass(slots=True)
class Answers:
    """The milliseconds of each answer, by kind; `seconds` are those of the whole run."""

    seconds: float = 0.0
    times: dict[str, list[float]] = field(default_factory=dict)

    def add(self, other: "Answers") -> None:
        for kind, found in other.times.items():
            self.times.setdefault(kind, []).extend(found)

    @property
    def all(self) -> list[float]:
        return [one for found in self.times.values() for one in found]


def encoded(call: Call, authorization: str) -> bytes:
    lines = [f"{call.method} {call.target} HTTP/1.1", "Host: 127.0.0.1", f"Authorization: {authorization}"]
    if call.method == "POST":
        lines += ["Content-Type: application/x-www-form-urlencoded", f"Content-Length: {len(call.form)}"]
    return "\r\n".join([*lines, "User-Agent: bench/1.0", "", call.form]).encode()


def read_answer(stream: socket.socket) -> bytes:
    """Read one answer; return its body.

    :raises RuntimeError: an answer other than 200
    """
    data = b""
    while (end := data.find(b"\r\n\r\n")) < 0:
        data += _received(stream)
    head, body = data[:end].lower(), bytearray(data[end + 4 :])
    length = int(head.split(b"content-length:")[1].split(b"\r\n")[0])
    while len(body) < length:
        body += _received(stream)
    if not head.startswith(b"http/1.1 200"):
        raise RuntimeError(f"{head.decode()}\n{body.decode()}")
    return bytes(body)


def _received(stream: socket.socket) -> bytes:
    if not (data := stream.recv(1 << 18)):
        raise RuntimeError("the server closed the connection")
    return data


def ask(port: int, connection: Connection) -> dict[str, str]:
    """Return the answer to each request of a connection, by method and target."""
    answers = {}
    with socket.create_connection(("127.0.0.1", port)) as stream:
        for call in connection.calls:
            stream.sendall(encoded(call, connection.authorization))
            target = call.target if "?" in call.target else f"{call.target}?"
            answers[f"{call.method} {target}"] = read_answer(stream).decode()
    return answers


def drive(port: int, connections: Sequence[Connection], start: float, seconds: float, rate: float) -> Answers:
    """Repeat the requests of each connection, in a thread each, from a moment of the monotonic clock on.

    With a *rate*, each connection begins so many requests a second, and a time counts from the moment at
    which the request was due; without one, it begins each request after the answer to the one before.
    """
    together = Answers()
    with ThreadPoolExecutor(len(connections)) as threads:
        runs = [threads.submit(_repeat, port, one, _moments(start, seconds, rate)) for one in connections]
        for run in runs:
            together.add(run.result())
    return together


def _moments(start: float, seconds: float, rate: float) -> Iterator[float]:
    """Yield the moments at which requests are due, until the time is over."""
    share = random.random()  # the connections do not begin their requests together
    for number in count():
        due = start + (number + share) / rate if rate else max(start, time.monotonic())
        if due >= start + seconds:
            return
        if (wait := due - time.monotonic()) > 0:
            time.sleep(wait)
        yield due


def _repeat(port: int, connection: Connection, moments: Iterator[float]) -> Answers:
    answers = Answers()
    requests = [(call.kind, encoded(call, connection.authorization)) for call in connection.calls]
    with socket.create_connection(("127.0.0.1", port)) as stream:
        stream.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for number, due in enumerate(moments, connection.first):
            kind, request = requests[number % len(requests)]
            stream.sendall(request)
            read_answer(stream)
            answers.times.setdefault(kind, []).append((time.monotonic() - due) * 1000)
    return answers


def ignore_interrupts() -> None:
    """Leave Ctrl-C to the process that has begun this one."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def start_processes(pool: ProcessPoolExecutor, number: int) -> None:
    """Start the processes of the pool, which would take time of the first run."""
    while len({run.result() for run in [pool.submit(_process_id) for _ in range(number)]}) < number:
        pass


def _process_id() -> int:
    time.sleep(0.01)  # another process has the next call
    return os.getpid()


def drive_in_processes(
    pool: ProcessPoolExecutor,
    processes: int,
    port: int,
    connections: Sequence[Connection],
    seconds: float,
    rate: float,
) -> Answers:
    """Share the connections among the processes of the pool; *rate* is that of all together."""
    start = time.monotonic() + 0.3
    shares = [share for number in range(processes) if (share := connections[number::processes])]
    runs = [pool.submit(drive, port, share, start, seconds, rate / len(connections)) for share in shares]
    together = Answers()
    for run in runs:
        together.add(run.result())
    together.seconds = time.monotonic() - start
    return together
