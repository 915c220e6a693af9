"""Requests that wait until others have gone first."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from chatcore.runtime.signals import BEHIND

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIEnvironment


def wait_behind(let_go_first: Callable[[], object], environ: "WSGIEnvironment") -> None:
    """Let others go first, unless the server has done so before it read the request; for the connection's
    next request, it may.
    """
    if environ.get(BEHIND) != let_go_first:
        let_go_first()
        environ[BEHIND] = let_go_first
