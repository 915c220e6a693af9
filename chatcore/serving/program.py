"""The program that a server serves, and the error that keeps it from starting."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIApplication

INSTANT: Final = 1e-6
"""Seconds of the shortest sleep. After one of zero seconds, the loop resumes up to fifty greenlets that are
ready, or one of them fifty times, before it looks at sockets and threads again.
"""


def _nothing() -> None:
    pass


def _sleep() -> None:
    time.sleep(INSTANT)


@dataclass(frozen=True, slots=True)
class Program:
    """The program of a worker. `stop` makes waiting requests answer; call `close` after the last answer."""

    application: "WSGIApplication"
    stop: Callable[[], object] = _nothing
    close: Callable[[], object] = _nothing
    connections_per_address: int | None = None
    """Connections of one address served at a time; None for any number."""
    give_way: Callable[[], object] = _sleep
    """Lets others run between two slices of long work, as the program's own long work does."""


class CannotServe(Exception):
    """The server cannot start; the message is one line for the caller."""
