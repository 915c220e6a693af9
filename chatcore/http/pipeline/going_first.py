"""Requests that wait until others have gone first."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from chatcore.runtime.going_first import HAS_LET_GO_FIRST, LETS_GO_FIRST

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIEnvironment


def wait_behind(let_go_first: Callable[[], object], environ: "WSGIEnvironment") -> None:
    """Let others go first, unless the server has done so before it read the request; tell it how to do so."""
    if environ.get(HAS_LET_GO_FIRST) != let_go_first:  # bound methods of one hub are equal, not identical
        let_go_first()
    environ[LETS_GO_FIRST] = let_go_first
