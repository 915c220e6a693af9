"""What is served, and why it may not be."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIApplication


def _nothing() -> None:
    pass


@dataclass(frozen=True, slots=True)
class Program:
    """What a worker serves. `stop` makes waiting requests answer; `close` comes after the last answer."""

    application: "WSGIApplication"
    stop: Callable[[], object] = _nothing
    close: Callable[[], object] = _nothing
    connections_per_address: int | None = None
    """How many are served at a time; None is for any number."""


class CannotServe(Exception):
    """The server cannot start; the message is one line for whoever started it."""
