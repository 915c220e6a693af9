"""Metrics of the server as text for Prometheus; reading them requires the token.

They count by route, never by caller: they contain neither ids nor names nor addresses.

Processes with the same folder in `PROMETHEUS_MULTIPROC_DIR` keep their counts in files there, and each
answers for all of them. prometheus-client reads that variable when it is imported.
"""

import hashlib
import hmac
import os
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, ProcessCollector
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4, generate_latest
from prometheus_client.metrics_core import Metric
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import Collector

from chatcore.domain.errors import Unauthorized
from chatcore.http.pipeline.routing import AnyRoute, path_template
from chatcore.http.response import Response

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIEnvironment

SECONDS: Final = (0.005, 0.02, 0.1, 0.5, 2, 10)
BATCHES: Final = (1, 2, 5, 10, 20, 50, 100)
FOLDER: Final = "PROMETHEUS_MULTIPROC_DIR"
POLL_COUNT_INTERVAL: Final = 2.0
"""Seconds between a worker's counts of waiting polls; a process that is alone counts on request."""


class Metrics:
    """The counts of this process since it started, or of all processes that share a folder.

    *waiting* returns how many polls of this process wait for events.
    """

    def __init__(self, token: str, waiting: Callable[[], int]) -> None:
        self._token = _digest(f"Bearer {token}")
        folder = os.environ.get(FOLDER)  # noqa: TID251 - the library's own setting, see above
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
        self._batches = Histogram(
            "chatcore_commit_batch",
            "Units of work that became durable in one commit.",
            buckets=BATCHES,
            registry=self._registry,
        )
        polls = Gauge(
            "chatcore_waiting_polls",
            "Polls that wait for events.",
            registry=self._registry,
            multiprocess_mode="livesum",
        )
        if folder is None:
            polls.set_function(waiting)
            ProcessCollector(registry=self._registry)
            return
        self._registry = CollectorRegistry()
        MultiProcessCollector(self._registry)  # type: ignore[no-untyped-call]
        self._registry.register(_Processes(Path(folder)))
        threading.Thread(target=_keep_set, args=(polls, waiting), daemon=True).start()

    def count_answer(self, route: AnyRoute | None, status: int, seconds: float) -> None:
        """Count an answer; all paths without a route are one label, so
        that strangers cannot invent labels.
        """
        method, path = ("", "") if route is None else (route.method, path_template(route.full_path))
        self._answers.labels(method, path, str(status)).inc()
        self._seconds.labels(method, path).observe(seconds)

    def count_batch(self, units: int) -> None:
        """Count a commit with its units of work."""
        self._batches.observe(units)

    def page(self, environ: "WSGIEnvironment") -> Response:
        """Return all counts as text.

        :raises Unauthorized: without the token
        """
        if not hmac.compare_digest(_digest(environ.get("HTTP_AUTHORIZATION", "")), self._token):
            raise Unauthorized("The metrics are for who has their token")
        return Response(200, generate_latest(self._registry), content_type=CONTENT_TYPE_PLAIN_0_0_4)


def _keep_set(gauge: Gauge, value: Callable[[], int]) -> None:
    while True:
        gauge.set(value())
        time.sleep(POLL_COUNT_INTERVAL)


class _Processes(Collector):
    """Memory, processor time and open files of each process that has its live gauges in the folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def collect(self) -> Iterator[Metric]:
        families: dict[str, Metric] = {}
        for file in sorted(self._folder.glob("gauge_livesum_*.db")):
            pid = file.stem.rpartition("_")[2]
            for family in ProcessCollector(pid=pid.__str__, registry=None).collect():
                whole = families.setdefault(
                    family.name, Metric(family.name, family.documentation, family.type)
                )
                whole.samples += [sample._replace(labels={"pid": pid}) for sample in family.samples]
        yield from families.values()


def forget_process(folder: Path, pid: int) -> None:
    """Forget the live gauges of a process that has ended; its counters stay."""
    for file in folder.glob(f"gauge_live*_{pid}.db"):
        file.unlink(missing_ok=True)


def _digest(text: str) -> bytes:
    return hashlib.sha256(text.encode(errors="replace")).digest()
