"""Readers of the log that stand still: the server goes on, and says later how many lines are lost."""

import os
import re
import signal
from array import array
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from fcntl import F_SETPIPE_SZ, fcntl, ioctl
from pathlib import Path
from termios import FIONREAD
from urllib.request import Request, urlopen

import pytest

from chatcore.serving import streams
from chatcore.serving.streams import MAX_UNWRITTEN, Writer
from tests.http.serving.test_durability import Server as ServerOfCommand
from tests.http.serving.toy_server import Server
from tests.waiting import PATIENCE, until
from tests.worlds.organization import World
from tests.worlds.serving_toys import WAYS

LOST = re.compile(r"(\d+) lines of the log are lost: nobody read them")
PIPE = 65_536
"""Bytes of a pipe that nobody reads."""


@pytest.fixture
def start() -> Iterator[Callable[..., Server]]:
    """Start servers whose standard error nobody reads at first."""
    with ExitStack() as closing:
        yield lambda **environment: Server(closing, errors_are_read=False, **environment)


def unread_bytes(descriptor: int) -> int:
    count = array("i", [0])
    ioctl(descriptor, FIONREAD, count)
    return count[0]


def numbers(server: Server) -> list[int]:
    return [int(line.split()[1]) for line in server.errors if line.startswith("line ")]


@pytest.mark.parametrize("way", WAYS)
def test_a_reader_that_stands_still_stops_nobody_and_loses_nothing_small(
    start: Callable[..., Server], way: str
) -> None:
    server = start()
    for first in range(0, 2_000, 100):
        assert server.get(f"/log?{way}&{first}&100") == "logged"
    assert server.get("/") == "hello"
    server.read_errors()
    said = re.compile(rf"line (\d+) {way} ")

    def found() -> list[int]:
        return [int(match[1]) for line in server.errors if (match := said.search(line))]

    until(lambda: len(set(found())) == 2_000)
    assert list(dict.fromkeys(found())) == list(range(2_000))


def test_lines_beyond_the_bound_are_counted_and_the_count_is_said_in_their_place(
    start: Callable[..., Server],
) -> None:
    server = start()
    number = 4 * MAX_UNWRITTEN // 100
    for first in range(0, number, 1_000):
        server.get(f"/log?logging&{first}&1000")
    server.read_errors()
    until(lambda: any(LOST.fullmatch(line) for line in server.errors))
    server.get(f"/log?logging&{number + 1_000}&10")
    until(lambda: number + 1_009 in numbers(server))
    (place,) = [place for place, line in enumerate(server.errors) if LOST.fullmatch(line)]
    lost = int(LOST.fullmatch(server.errors[place])[1])  # type: ignore[index]
    written = numbers(server)
    begun = -(-number // 1_000) * 1_000
    assert len(written) == begun - lost + 10
    assert written == [*range(begun - lost), *range(number + 1_000, number + 1_010)]
    assert MAX_UNWRITTEN < sum(len(line) + 1 for line in server.errors) < 2 * MAX_UNWRITTEN


def test_nothing_is_lost_at_the_end(start: Callable[..., Server]) -> None:
    server = start()
    for first in range(0, 3_000, 1_000):
        server.get(f"/log?logging&{first}&1000")
    server.stop()
    server.in_audience("stopping")
    server.read_errors()
    assert server.wait() == 0
    until(lambda: len(numbers(server)) == 3_000)
    assert server.errors == [line for line in server.errors if line.startswith("line ")]


def test_a_reader_that_never_reads_does_not_keep_the_server_from_ending(start: Callable[..., Server]) -> None:
    server = start(LAST="0.1")
    for first in range(0, 3_000, 1_000):
        server.get(f"/log?logging&{first}&1000")
    server.stop()
    assert server.wait() == 0


def test_the_log_goes_on_after_its_reader_has_gone(start: Callable[..., Server]) -> None:
    server = start()
    assert server.process.stderr is not None
    server.process.stderr.close()
    for way in WAYS:
        assert server.get(f"/log?{way}&0&100") == "logged"
    assert server.get("/") == "hello"


def test_workers_share_a_reader_that_stands_still_and_are_replaced(start: Callable[..., Server]) -> None:
    server = start(WORKERS="2")
    pids: set[int] = set()
    for first in range(0, 4_000, 100):
        server.get(f"/log?logging&{first}&100")
        pids.add(int(server.get("/pid")))
    until(lambda: pids.add(int(server.get("/pid"))) or len(pids) == 2)
    killed = pids.pop()
    os.kill(killed, signal.SIGKILL)
    until(lambda: int(server.get("/pid")) not in {killed, *pids})
    server.read_errors()
    until(lambda: any(f"worker {killed} ended with -9 and is replaced" in line for line in server.errors))
    server.stop()
    assert server.wait() == 0


def test_a_reader_of_the_access_log_that_stands_still_stops_nobody(sqlite_url: str, tmp_path: Path) -> None:
    """With the command that people use, and so with its own handler of the log."""
    World(sqlite_url).close()
    reading, writing = os.pipe()
    size = fcntl(writing, F_SETPIPE_SZ, 4_096)
    with os.fdopen(reading) as log, os.fdopen(writing, "w") as end_of_server:
        its_log = Path(f"/dev/fd/{writing}")
        server = ServerOfCommand(sqlite_url, tmp_path, its_log, CHATCORE_TRUSTED_PROXIES="1")
        end_of_server.close()
        try:
            ids = [f"{number:03}{'x' * 90}" for number in range(3 * size // 90)]
            for one in ids:
                asked = Request(f"http://127.0.0.1:{server.port}/health", headers={"X-Request-ID": one})
                with urlopen(asked, timeout=PATIENCE) as answer:
                    assert answer.status == 200
            until(lambda: unread_bytes(reading) > size // 2)  # the thread writes, and waits
            with urlopen(f"http://127.0.0.1:{server.port}/health", timeout=PATIENCE) as answer:
                assert answer.status == 200
            found: list[str] = []
            while len(found) < len(ids):
                line = log.readline()
                assert line, "the server has ended"
                found += re.findall("[0-9]{3}x{90}", line)
            assert found == ids
        finally:
            server.kill()


def test_once_lines_are_dropped_half_of_the_others_are_written_before_more_is_taken(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """So that the lines that are missing are together, and it is said once."""
    monkeypatch.setattr(streams, "MAX_UNWRITTEN", 8 * PIPE)
    line = b"x" * (PIPE - 1) + b"\n"
    reading, writing = os.pipe()
    with os.fdopen(reading, "rb") as log, os.fdopen(writing, "wb"):
        writer = Writer(writing)
        writer.put(2 * line)
        assert log.read(1) == b"x", "the thread writes the first two"
        for _ in range(6):
            writer.put(line)
        writer.put(line)  # one too many
        assert log.read(2 * PIPE)[-2:] == b"\nx", "it has written them; more than half of the rest waits"
        for _ in range(3):
            writer.put(line)
        assert log.read(6 * PIPE - 1) == (6 * line)[1:]
        assert (said := LOST.search(log.readline().decode())) is not None
        assert said[1] == "4"
        writer.put(line)
        assert log.readline() == line
        writer.end()
