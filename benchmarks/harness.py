"""Shared code of the benchmarks: stores filled with messages, a server, medians and tables.

Every benchmark is a script: `python -m benchmarks.send [CORPUS]`.
"""

import argparse
import base64
import contextlib
import http.client
import importlib.util
import json
import os
import platform
import re
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any
from urllib.parse import urlencode, urlsplit

from rich.console import Console
from rich.table import Table

from benchmarks.corpus import generated, read_corpus
from chatcore.chat import Chat
from chatcore.domain.ids import UserId
from chatcore.storage.people.users import NewUser
from tests.postgres.cluster import NoPostgres, postgres_cluster

ROOT = Path(__file__).parent.parent
OWNER = "owner@example.com"


# -- stores -----------------------------------------------------------------------------------------


@contextlib.contextmanager
def stores(which: str) -> Iterator[dict[str, str]]:
    """Yield URLs of empty databases by the name of the store; PostgreSQL runs meanwhile."""
    with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as stack:
        urls = {}
        if which in ("sqlite", "both"):
            urls["sqlite"] = f"sqlite:///{folder}/bench.db"
        if which in ("postgresql", "both"):
            try:
                _require_driver()
                urls["postgresql"] = stack.enter_context(postgres_cluster({}))
            except NoPostgres as error:
                if not urls:
                    sys.exit(f"{error}")
                print(f"SQLite only. {error}", file=sys.stderr)
        yield urls


def _require_driver() -> None:
    if importlib.util.find_spec("psycopg") is None:
        raise NoPostgres("The driver of PostgreSQL is missing; run: pip install '.[postgres]'")


def corpus_file(args: argparse.Namespace, folder: str) -> Path:
    """Write the messages for a store to a file for the import, at most as many as requested; *args* has their
    number afterwards.
    """
    path = Path(folder) / "corpus.jsonl"
    corpus = generated() if args.corpus is None else (line for _, line in read_corpus(args.corpus))
    lines = [*islice(corpus, args.messages)]
    path.write_text("".join(lines), encoding="utf-8")
    args.messages = len(lines)
    return path


def chatcore(*arguments: str, url: str, **variables: str) -> str:
    """Run the command line on a database; return its output. If it fails, end with what it says."""
    done = subprocess.run(
        [sys.executable, "-m", "chatcore.cli", *arguments],
        env=environment(url, **variables),
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    if done.returncode:
        sys.exit(f"`chatcore {' '.join(arguments)}` has failed")
    return done.stdout


def environment(url: str, **variables: str) -> dict[str, str]:
    inherited = dict(os.environ)  # noqa: TID251 - a benchmark starts programs
    inherited.pop("PYTHONDONTWRITEBYTECODE", None)  # an installation has its modules compiled
    return {
        **inherited,
        "CHATCORE_DATABASE_URL": url,
        "CHATCORE_DEVELOPMENT": "on",
        "CHATCORE_RATE_LIMITS": "off",
        "PYTHONPATH": str(ROOT),
        **variables,
    }


@contextlib.contextmanager
def filled(args: argparse.Namespace) -> Iterator[dict[str, str]]:
    """Yield databases with an organization and the corpus in it, by the name of the store."""
    with stores(args.store) as urls, tempfile.TemporaryDirectory() as folder:
        path = corpus_file(args, folder)
        for url in urls.values():
            chatcore("init", "--name", "Bench", "--owner-email", OWNER, "--owner-name", "Owner", url=url)
            chatcore("import", "corpus", str(path), url=url)
        yield urls


def new_people(chat: Chat, name: str, number: int) -> list[UserId]:
    """Add accounts to a store, as a large organization has them: {name}-0@bench.example and so on."""
    now = int(time.time())  # noqa: TID251 - a benchmark has no services to ask
    rows: list[NewUser] = [
        {"email": f"{name}-{one}@bench.example", "full_name": f"{name} {one}", "date_joined": now}
        for one in range(number)
    ]
    return list(chat.services.storage.write(lambda tx: tx.users.add_many(rows)))


# -- a server and its clients -----------------------------------------------------------------------


class Server:
    """A server of this checkout on its own port."""

    def __init__(self, url: str, store: str = "", workers: int = 1, **variables: str) -> None:
        self.store = store
        self.started = time.perf_counter()
        command = [sys.executable, "-m", "chatcore.cli", "serve", "--host", "127.0.0.1", "--port", "0"]
        self._process = subprocess.Popen(
            [*command, "--workers", str(workers)],
            env=environment(url, **variables),
            cwd=ROOT,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,  # it is ended by `__exit__`, also after Ctrl-C
        )
        try:
            self.port = self._read_port()
        except BaseException:
            self._process.terminate()
            raise

    def _read_port(self) -> int:
        """Wait until the server says where it is."""
        assert self._process.stdout is not None
        for line in self._process.stdout:
            if "http://" in line:
                address = urlsplit("http://" + line.split("http://")[1].split()[0].rstrip("/."))
                # Drain the access log: a full pipe would block the server.
                threading.Thread(target=deque, args=(self._process.stdout, 0), daemon=True).start()
                return int(address.port or 80)
        raise RuntimeError("the server did not start")

    @property
    def resident_megabytes(self) -> float:
        return self._megabytes("VmRSS")

    @property
    def most_megabytes(self) -> float:
        """The largest resident memory of each process until now, added up; shared pages count in each."""
        return self._megabytes("VmHWM")

    def _megabytes(self, name: str) -> float:
        statuses = (Path(f"/proc/{pid}/status").read_text() for pid in self._pids)
        return sum(int(status.split(f"{name}:")[1].split()[0]) for status in statuses) / 1024

    @property
    def processor_seconds(self) -> float:
        """The processor time of all processes until now."""
        return sum(map(processor_seconds_of, self._pids))

    @property
    def _pids(self) -> list[int]:
        """The process and its workers."""
        pid = self._process.pid
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
        return [pid, *map(int, children)]

    def __enter__(self) -> "Server":
        return self

    def __exit__(self, *error: object) -> None:
        self._process.terminate()
        self._process.wait(10)


def processor_seconds_of(pid: int) -> float:
    """Return the processor time of a process until now."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class Client:
    """A keep-alive connection of one user."""

    def __init__(self, port: int, email: str = OWNER) -> None:
        self._connection = http.client.HTTPConnection("127.0.0.1", port)
        self._headers = {"User-Agent": "bench/1.0"}
        key = self.post("dev_fetch_api_key", username=email)["api_key"]
        token = base64.b64encode(f"{email}:{key}".encode()).decode()
        self._headers["Authorization"] = f"Basic {token}"

    @property
    def authorization(self) -> str:
        return self._headers["Authorization"]

    def get(self, path: str, **parameters: object) -> dict[str, Any]:
        answer: dict[str, Any] = json.loads(self.getting(path, **parameters))
        return answer

    def post(self, path: str, **parameters: object) -> dict[str, Any]:
        answer: dict[str, Any] = json.loads(self.posting(path, **parameters))
        return answer

    def getting(self, path: str, **parameters: object) -> bytes:
        """Return the raw answer: parsing it is not part of the measured time."""
        return self._call("GET", f"/api/v1/{path}?{urlencode(texts(parameters))}", None)

    def posting(self, path: str, **parameters: object) -> bytes:
        return self._call("POST", f"/api/v1/{path}", urlencode(texts(parameters)))

    def close(self) -> None:
        """Close the connection; another request opens it anew."""
        self._connection.close()

    def _call(self, method: str, target: str, body: str | None) -> bytes:
        headers = dict(self._headers)
        if body is not None:
            headers["Content-Type"] = "application/x-www-form-urlencoded"
        self._connection.request(method, target, body, headers)
        response = self._connection.getresponse()
        answer = response.read()
        if response.status != 200:
            raise RuntimeError(f"{method} {target}: {answer.decode()}")
        return answer


def texts(parameters: Mapping[str, object]) -> dict[str, str]:
    return {
        name: value if isinstance(value, str) else json.dumps(value) for name, value in parameters.items()
    }


# -- machines ---------------------------------------------------------------------------------------


def machine() -> dict[str, object]:
    """Return facts about the machine, and the commit, for figures that are kept."""
    model = re.search(r"model name\s*: (.*)", Path("/proc/cpuinfo").read_text())
    commit = subprocess.run(["git", "rev-parse", "HEAD"], cwd=ROOT, capture_output=True, text=True)
    return {
        "processor": model[1] if model else platform.processor(),
        "cores": os.cpu_count(),
        "load": os.getloadavg(),
        "system": platform.platform(),
        "python": platform.python_version(),
        "commit": commit.stdout.strip() or None,
        "when": time.strftime("%Y-%m-%d %H:%M", time.gmtime()),
    }


# -- measuring --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Figure:
    """One row of a report; times in milliseconds."""

    store: str
    what: str
    median: float
    p95: float | None = None
    statements: int | None = None
    unit: str = "ms"


FEWEST_FOR_P95 = 21
"""The fewest times of which the 95th percentile is not simply the longest."""


def times(call: Callable[[int], object], rounds: int, warm_up: int = 5) -> list[float]:
    """Return milliseconds of *rounds* calls, after some uncounted ones."""
    for number in range(warm_up):
        call(-1 - number)
    found = []
    for number in range(rounds):
        started = time.perf_counter()
        call(number)
        found.append((time.perf_counter() - started) * 1000)
    return found


def figure(store: str, what: str, found: Sequence[float], statements: int | None = None) -> Figure:
    ordered = sorted(found)
    p95 = quantile(ordered, 0.95) if len(ordered) >= FEWEST_FOR_P95 else None
    return Figure(store, what, statistics.median(ordered), p95, statements)


def quantile(found: Sequence[float], share: float) -> float:
    """Return the time within which this share is; of few times, the longest."""
    return sorted(found)[int(len(found) * share)]


def report(title: str, figures: Sequence[Figure], path: Path | None) -> None:
    """Print the figures as a table, without columns that are empty; write them as JSON if a file is given."""
    columns = {
        "store": [one.store for one in figures],
        "what": [one.what for one in figures],
        "median": [f"{one.median:,.2f} {one.unit}" for one in figures],
        "p95": ["" if one.p95 is None else f"{one.p95:,.2f} {one.unit}" for one in figures],
        "SQL statements": ["" if one.statements is None else str(one.statements) for one in figures],
    }
    shown = {name: cells for name, cells in columns.items() if any(cells)}
    table = Table(*shown, title=title)
    for row in zip(*shown.values(), strict=True):
        table.add_row(*row)
    Console().print(table)
    if path is not None:
        path.write_text(json.dumps([vars(one) for one in figures], indent=2) + "\n")
