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
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, ProcessCollector
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4, generate_latest
from prometheus_client.metrics_core import GaugeMetricFamily, Metric
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import Collector

from chatcore.application.measuring import Measurement, read_measurements
from chatcore.application.services import Services
from chatcore.domain.errors import Unauthorized
from chatcore.http.pipeline.routing import AnyRoute, path_template
from chatcore.http.response import Response
from chatcore.runtime.measures import (
    ANSWER_SECONDS,
    ANSWERS,
    BUILD,
    COMMIT_BATCH,
    COMMIT_SECONDS,
    DUE_LATE,
    FAMILIES,
    FREE_BYTES,
    LOG_LAG,
    WAITING_POLLS,
    Family,
    MetricType,
)
from chatcore.storage import StorageNotReady
from chatcore.version import version

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIEnvironment

FOLDER: Final = "PROMETHEUS_MULTIPROC_DIR"
LIVE_INTERVAL: Final = 2.0
"""Seconds between two settings of a worker's own gauges; a process that is alone reads them on request."""
READ_INTERVAL: Final = 5.0
"""Seconds for which what was read from the stores is shown again."""


class Metrics:
    """The counts of this process since it started, or of all processes that share a folder.

    *open_organizations* returns those that are open at present; `follow` counts what happens in one.
    """

    def __init__(
        self,
        token: str,
        open_organizations: Callable[[], Iterable[Services]],
    ) -> None:
        self._token = _digest(f"Bearer {token}")
        folder = os.environ.get(FOLDER)  # noqa: TID251 - the library's own setting, see above
        registry = CollectorRegistry()
        self._counted = {
            family: _make_metric(family, registry)
            for family in FAMILIES
            if family.kind is not MetricType.READ
        }
        gauges: Mapping[Gauge, Callable[[], float]] = {
            self._counted[WAITING_POLLS]: lambda: sum(svc.hub.waiting for svc in open_organizations()),
            self._counted[LOG_LAG]: lambda: max((svc.hub.lag for svc in open_organizations()), default=0.0),
        }
        if folder is None:
            for gauge, value in gauges.items():
                gauge.set_function(value)
            ProcessCollector(registry=registry)
        else:
            registry = CollectorRegistry()
            MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
            registry.register(_Processes(Path(folder)))
            threading.Thread(target=_refresh_gauges, args=(gauges,), daemon=True).start()
        registry.register(_Readings(open_organizations))
        self._registry = registry

    def follow(self, svc: Services) -> None:
        """Count what happens in an organization."""
        svc.storage.on_batch(self._count_batch)
        svc.measures.listen(self.add)

    def add(self, family: Family, amount: float, labels: tuple[str, ...] = ()) -> None:
        """Add to a counter, or a value to a histogram."""
        metric = self._counted[family]
        if labels:
            metric = metric.labels(*labels)
        if family.kind is MetricType.COUNTER:
            metric.inc(amount)
        else:
            metric.observe(amount)

    def count_answer(self, route: AnyRoute | None, status: int, seconds: float) -> None:
        """Count an answer; all paths without a route are one label, so strangers cannot invent labels."""
        method, path = ("", "") if route is None else (route.method, path_template(route.full_path))
        self.add(ANSWERS, 1, (method, path, str(status)))
        self.add(ANSWER_SECONDS, seconds, (method, path))

    def _count_batch(self, units: int, seconds: float) -> None:
        """Count a commit with its units of work, and the seconds that it took."""
        self.add(COMMIT_BATCH, units)
        self.add(COMMIT_SECONDS, seconds)

    def page(self, environ: "WSGIEnvironment") -> Response:
        """Return all counts as text.

        :raises Unauthorized: without the token
        """
        if not hmac.compare_digest(_digest(environ.get("HTTP_AUTHORIZATION", "")), self._token):
            raise Unauthorized("The metrics are for who has their token")
        return Response(200, generate_latest(self._registry), content_type=CONTENT_TYPE_PLAIN_0_0_4)


def _make_metric(family: Family, registry: CollectorRegistry) -> Any:
    """Return what counts for a family: a `Counter`, a `Histogram` or a `Gauge` of the library."""
    name, meaning, labels = family.name, family.meaning, family.labels
    if family.kind is MetricType.COUNTER:
        return Counter(name, meaning, labels, registry=registry)
    if family.kind is MetricType.HISTOGRAM:
        return Histogram(name, meaning, labels, buckets=family.bounds, registry=registry)
    # The value of several processes is the sum or the largest of those that live.
    mode: Literal["livesum", "livemax"] = "livesum" if family.kind is MetricType.LIVE_SUM else "livemax"
    return Gauge(name, meaning, labels, registry=registry, multiprocess_mode=mode)


def _refresh_gauges(gauges: Mapping[Gauge, Callable[[], float]]) -> None:
    """Set gauges again and again; those of several processes are in files, and cannot call a function when
    they are read.
    """
    while True:
        for gauge, value in gauges.items():
            gauge.set(value())
        time.sleep(LIVE_INTERVAL)


class _Readings(Collector):
    """The measurements that are read from the stores when somebody asks, and the version of the program.

    Values of several organizations become one, by `_JOINED_BY`: the sum, or the worst.
    """

    def __init__(self, open_organizations: Callable[[], Iterable[Services]]) -> None:
        self._open_organizations = open_organizations
        self._lock = threading.Lock()
        self._read_at = -inf
        self._values: dict[Family, dict[tuple[str, ...], float]] = {}

    def describe(self) -> Iterator[Metric]:
        """Yield nothing: the library would read the stores once more to find out the names."""
        return iter(())

    def collect(self) -> Iterator[Metric]:
        with self._lock:
            if time.monotonic() - self._read_at >= READ_INTERVAL:
                self._values = self._joined_values()
                self._read_at = time.monotonic()
            values = self._values
        for family, by_labels in values.items():
            metric = GaugeMetricFamily(family.name, family.meaning, labels=family.labels)
            for labels, value in by_labels.items():
                metric.add_metric(labels, value)
            yield metric

    def _joined_values(self) -> dict[Family, dict[tuple[str, ...], float]]:
        """Return the values of each family by their labels, those of all organizations together."""
        values: dict[Family, dict[tuple[str, ...], float]] = {BUILD: {(version(),): 1}}
        for family, value, labels in self._read():
            of_family = values.setdefault(family, {})
            join = _JOINED_BY.get(family, sum)
            of_family[labels] = join([of_family[labels], value]) if labels in of_family else value
        return values

    def _read(self) -> Iterator[Measurement]:
        """Yield what the stores know at present, except those that are not available."""
        for svc in self._open_organizations():
            with suppress(StorageNotReady):
                yield from read_measurements(svc)


_JOINED_BY: Final[Mapping[Family, Callable[[list[float]], float]]] = {DUE_LATE: max, FREE_BYTES: min}
"""The functions by which the values of several organizations become one; by default they are added."""


class _Processes(Collector):
    """Memory, processor time and open files of each process that has its live gauges in the folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def collect(self) -> Iterator[Metric]:
        families: dict[str, Metric] = {}
        for file in sorted(self._folder.glob("gauge_livesum_*.db")):
            pid = file.stem.rpartition("_")[2]
            for one in ProcessCollector(pid=pid.__str__, registry=None).collect():
                family = families.setdefault(one.name, Metric(one.name, one.documentation, one.type))
                family.samples += [sample._replace(labels={"pid": pid}) for sample in one.samples]
        yield from families.values()


def forget_process(folder: Path, pid: int) -> None:
    """Forget the live gauges of a process that has ended; its counters stay."""
    for file in folder.glob(f"gauge_live*_{pid}.db"):
        file.unlink(missing_ok=True)


def _digest(text: str) -> bytes:
    return hashlib.sha256(text.encode(errors="replace")).digest()
