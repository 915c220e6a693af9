"""The program that a server serves, and the error that keeps it from starting."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIApplication


def _nothing() -> None:
    pass


@dataclass(frozen=True, slots=True)
class Program:
    """The program of a worker. `stop` makes waiting requests answer; call `close` after the last answer."""

    application: "WSGIApplication"
    stop: Callable[[], object] = _nothing
    close: Callable[[], object] = _nothing
    connections_per_address: int | None = None
    """Connections of one address served at a time; None for any number."""


class CannotServe(Exception):
    """The server cannot start; the message is one line for the caller."""
