"""Pages for those who run the server: whether it lives, and whether it can serve."""

import logging
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from chatcore.http.pipeline.answers import NOT_READY
from chatcore.http.pipeline.own_address import asked_host
from chatcore.http.response import Response
from chatcore.runtime.quiet_log import QuietLog
from chatcore.storage import StorageNotReady

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIEnvironment

log = logging.getLogger("chatcore.http")

_HEALTHY: Final = Response(200, b'{"result":"success","msg":""}')


def health(environ: "WSGIEnvironment") -> Response:
    return _HEALTHY


class Readiness:
    """The page that refuses while *ready*, which is called with the host of the request, raises."""

    def __init__(self, ready: Callable[[str], object], quiet_log: QuietLog) -> None:
        self._ready = ready
        self._quiet_log = quiet_log

    def __call__(self, environ: "WSGIEnvironment") -> Response:
        try:
            self._ready(asked_host(environ))
        except StorageNotReady as error:
            self._quiet_log.warning("not ready: %s", error)
        except Exception:
            log.exception("not ready")
        else:
            return _HEALTHY
        return NOT_READY
