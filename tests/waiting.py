"""Waiting in tests: for a condition, never for a time."""

import asyncio
import inspect
import socket
import subprocess
from collections.abc import Callable, Iterator
from itertools import repeat
from pathlib import Path
from time import monotonic, sleep  # bound here, as tests replace those of the module
from typing import TypeVar

T = TypeVar("T")

PATIENCE = 120.0
"""Seconds after which what is waited for counts as missing.

It is far more than a busy machine needs, as only a test that fails waits for so long.
"""


def until(condition: Callable[[], T], explain: Callable[[], str] = str) -> T:
    """Wait until a condition that others bring about holds; return its value.

    :param explain: what to add to the failure, such as the log of a server
    """
    deadline, pauses = monotonic() + PATIENCE, _pauses()
    while not (value := condition()):
        assert monotonic() < deadline, f"it did not happen: {_source(condition)} {explain()}"
        sleep(next(pauses))
    return value


async def until_async(condition: Callable[[], T]) -> T:
    """As `until`, while the other tasks of the loop go on."""
    deadline, pauses = monotonic() + PATIENCE, _pauses()
    while not (value := condition()):
        assert monotonic() < deadline, f"it did not happen: {_source(condition)}"
        await asyncio.sleep(next(pauses))
    return value


def until_it_listens(port: int, process: "subprocess.Popen[bytes]", log: Path) -> None:
    """Wait until a server process takes connections."""

    def listens() -> bool:
        assert process.poll() is None, log.read_text()
        try:
            socket.create_connection(("127.0.0.1", port), PATIENCE).close()
        except OSError:
            return False
        return True

    until(listens, log.read_text)


def _pauses() -> Iterator[float]:
    """Short ones first; a condition that takes long keeps the machine less busy."""
    yield from (0.001 * 1.5**number for number in range(8))
    yield from repeat(0.02)


def _source(condition: Callable[[], object]) -> str:
    try:
        return inspect.getsource(condition).strip()
    except (OSError, TypeError):  # of a method of an extension
        return repr(condition)
