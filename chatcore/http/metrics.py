"""How the server is doing, as text for Prometheus; only who has the token may read it.

It tells of routes, never of who asked for what: neither ids nor names nor addresses are in it.
"""

import hashlib
import hmac
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, ProcessCollector
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4, generate_latest

from chatcore.domain.errors import Unauthorized
from chatcore.http.response import Response
from chatcore.http.routing import AnyRoute, path_template

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIEnvironment

SECONDS: Final = (0.005, 0.02, 0.1, 0.5, 2, 10)


class Metrics:
    """What this process has counted since it started; *waiting* says how many polls wait for events."""

    def __init__(self, token: str, waiting: Callable[[], int]) -> None:
        self._token = _digest(f"Bearer {token}")
        self._registry = CollectorRegistry()
        self._answers = Counter(
            "chatcore_answers", "Answers.", ("method", "route", "status"), registry=self._registry
        )
        self._seconds = Histogram(
            "chatcore_answer_seconds",
            "Time until an answer was ready.",
            ("method", "route"),
            buckets=SECONDS,
            registry=self._registry,
        )
        polls = Gauge("chatcore_waiting_polls", "Polls that wait for events.", registry=self._registry)
        polls.set_function(waiting)
        ProcessCollector(registry=self._registry)

    def answered(self, route: AnyRoute | None, status: int, seconds: float) -> None:
        """Count an answer; what no route takes is one kind, so that strangers cannot make up names."""
        method, path = ("", "") if route is None else (route.method, path_template(route.full_path))
        self._answers.labels(method, path, str(status)).inc()
        self._seconds.labels(method, path).observe(seconds)

    def page(self, environ: "WSGIEnvironment") -> Response:
        """All that was counted, as text.

        :raises Unauthorized: without the token
        """
        if not hmac.compare_digest(_digest(environ.get("HTTP_AUTHORIZATION", "")), self._token):
            raise Unauthorized("The metrics are for who has their token")
        return Response(200, generate_latest(self._registry), content_type=CONTENT_TYPE_PLAIN_0_0_4)


def _digest(text: str) -> bytes:
    return hashlib.sha256(text.encode(errors="replace")).digest()
