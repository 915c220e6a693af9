"""Load over HTTP: processes with keep-alive connections, on this server and on a bare one in turn.

`python -m benchmarks.load send fetch --connections 8`. The server's processor time for a request is also a
multiple of that of a bare Werkzeug application on gevent's server that gives out the same bytes to the same
clients, so that figures of different machines can be compared. It is no ratio of times on the clock: most of
what the bare server takes there is the clients and the waiting for a processor. Scenarios: see
`benchmarks.loading.calls`; many polls that one message wakes are those of `benchmarks.fanout`.
"""

import argparse
import contextlib
import json
import multiprocessing
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass, replace
from typing import Final

from rich.console import Console
from rich.table import Table

from benchmarks.harness import OWNER, Client, Server, filled, machine, processor_seconds_of, quantile
from benchmarks.loading.calls import SCENARIOS
from benchmarks.loading.clients import (
    Answers,
    Connection,
    ask,
    drive_in_processes,
    ignore_interrupts,
    start_processes,
)
from benchmarks.options import (
    allow_connections,
    common_arguments,
    corpus_argument,
    existing_file,
    natural_number,
    positive,
    positive_number,
    run,
)

FIGURES: Final = {
    "median ms": "median",
    "p95": "p95",
    "p99": "p99",
    "a second": "per_second",
    "bare ms": "bare",
    "cpu ms": "processor",
    "× bare": "ratio",
    "MB": "megabytes",
}
"""The columns of the table, and the fields of a `Row`."""


@dataclass(frozen=True)
class Row:
    """All requests of a scenario, or one kind of them, which has no processor time; times in milliseconds."""

    store: str
    scenario: str
    kind: str
    connections: int
    workers: int
    median: float
    p95: float
    p99: float
    per_second: float
    processor: float | None = None
    """Processor time of the server for one request of the scenario."""
    ratio: float | None = None
    """A multiple of the same of the bare server."""
    bare: float | None = None
    """The median of the bare server."""
    megabytes: float | None = None
    """The largest resident memory of the server until then, that of its processes added up."""

    @property
    def name(self) -> tuple[str, str, str, int, int]:
        return (self.store, self.scenario, self.kind, self.connections, self.workers)


def earlier_rows(text: str) -> list[Row]:
    """Return the rows of another run's file."""
    try:
        return [Row(**row) for row in json.loads(existing_file(text).read_text())["rows"]]
    except (ValueError, LookupError, TypeError) as error:
        raise argparse.ArgumentTypeError(f"{text} has no figures of this program") from error


def parsed() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("scenarios", nargs="*", metavar="scenario", help=", ".join(SCENARIOS))
    common_arguments(parser)
    corpus_argument(parser, "--corpus")
    parser.add_argument("--connections", type=positive, default=8)
    parser.add_argument(
        "--accounts", type=positive, default=4, help="by how many people the connections are used"
    )
    parser.add_argument("--processes", type=positive, default=2, help="how many processes of clients")
    parser.add_argument(
        "--workers",
        type=positive,
        default=1,
        help="worker processes of the server; more than one needs PostgreSQL",
    )
    parser.add_argument("--seconds", type=positive_number, default=4, help="how long each run is")
    parser.add_argument("--rounds", type=positive, default=3, help="how often each server has its turn")
    parser.add_argument(
        "--rate", type=natural_number, default=0, help="requests a second; 0: as many as are answered"
    )
    parser.add_argument(
        "--compare", type=earlier_rows, help="the --json of another run: show this one as its multiple"
    )
    args = parser.parse_args()
    if args.workers > 1 and args.store != "postgresql":
        parser.error("several workers need --store postgresql")
    if unknown := set(args.scenarios) - SCENARIOS.keys():
        parser.error(f"no such scenario: {', '.join(sorted(unknown))}; use some of {', '.join(SCENARIOS)}")
    return args


@contextlib.contextmanager
def bare_server(answers: dict[str, str]) -> Iterator[tuple[int, int]]:
    """Yield the port and the process id of a bare server with these answers."""
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        json.dump(answers, file)
        file.flush()
        command = [sys.executable, "-m", "benchmarks.loading.bare", file.name]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, start_new_session=True) as process:
            assert process.stdout is not None
            try:
                yield int(process.stdout.readline().rstrip("/\n").rpartition(":")[2]), process.pid
            finally:
                process.terminate()


def people(server: Server, count: int) -> list[Client]:
    """Return clients of the owner and of some other people."""
    owner = Client(server.port)
    members = owner.get("users")["members"]
    others = [one["email"] for one in members if not one["is_bot"] and one["email"] != OWNER]
    if count > len(others) + 1:
        sys.exit(f"The store has {len(others) + 1} people: use fewer --accounts, or more --messages.")
    return [owner, *(Client(server.port, email) for email in others[: count - 1])]


def connections_of(clients: Sequence[Client], scenario: str, count: int) -> list[Connection]:
    """Share connections among people; those of one person begin at different requests."""
    calls = [SCENARIOS[scenario](client) for client in clients]
    return [
        Connection(clients[number % len(clients)].authorization, of_one, number * len(of_one) // count)
        for number in range(count)
        for of_one in [calls[number % len(clients)]]
    ]


def measure(args: argparse.Namespace, pool: ProcessPoolExecutor, server: Server, scenario: str) -> list[Row]:
    connections = connections_of(people(server, args.accounts), scenario, args.connections)
    answers: dict[str, str] = {}
    for one in connections[: args.accounts]:
        answers |= ask(server.port, one)
    ours, bare, processor, processor_of_bare = Answers(), Answers(), 0.0, 0.0
    with bare_server(answers) as (bare_port, bare_pid):
        for _ in range(args.rounds):
            before = server.processor_seconds
            mine = _run(args, pool, server.port, connections)
            processor += server.processor_seconds - before
            before = processor_seconds_of(bare_pid)
            its = _run(args, pool, bare_port, connections)
            processor_of_bare += processor_seconds_of(bare_pid) - before
            for all_of_it, part in ((ours, mine), (bare, its)):
                all_of_it.add(part)
                all_of_it.seconds += part.seconds
    if not ours.all or not bare.all or not processor_of_bare:
        sys.exit(f"{scenario}: no request was answered in the time; use more --seconds")
    processor /= len(ours.all)
    processor_of_bare /= len(bare.all)

    def row(kind: str, found: Sequence[float]) -> Row:
        return Row(
            store=server.store,
            scenario=scenario,
            kind=kind,
            connections=args.connections,
            workers=args.workers,
            median=statistics.median(found),
            p95=quantile(found, 0.95),
            p99=quantile(found, 0.99),
            per_second=len(found) / ours.seconds,
        )

    together = replace(
        row("all", ours.all),
        processor=processor * 1000,
        ratio=processor / processor_of_bare,
        bare=statistics.median(bare.all),
        megabytes=server.most_megabytes,
    )
    kinds = sorted(ours.times.items())
    return [together, *(row(kind, found) for kind, found in kinds if len(kinds) > 1)]


def _run(
    args: argparse.Namespace, pool: ProcessPoolExecutor, port: int, connections: Sequence[Connection]
) -> Answers:
    return drive_in_processes(pool, args.processes, port, connections, args.seconds, args.rate)


def show(rows: Sequence[Row], earlier: Sequence[Row]) -> None:
    """Print the figures, and their multiples of an earlier run's."""
    before = {row.name: row for row in earlier}
    columns = ("store", "scenario", "kind", *FIGURES)
    table = Table(*columns, *(["median then", "ratio then"] if earlier else []))
    for row in rows:
        figures = [getattr(row, name) for name in FIGURES.values()]
        cells = [
            row.store,
            row.scenario,
            row.kind,
            *("" if one is None else f"{one:,.2f}" for one in figures),
        ]
        if then := before.get(row.name):
            cells.append(f"× {row.median / then.median:.2f}")
            if row.ratio and then.ratio:
                cells.append(f"× {row.ratio / then.ratio:.2f}")
        table.add_row(*cells)
    Console(width=150).print(table)


def main() -> None:
    args = parsed()
    rows: list[Row] = []
    allow_connections(args.connections, "connections")
    context = multiprocessing.get_context("spawn")
    with (
        filled(args) as urls,
        ProcessPoolExecutor(args.processes, context, initializer=ignore_interrupts) as pool,
    ):
        start_processes(pool, args.processes)
        for store, url in urls.items():
            with Server(url, store, args.workers) as server:
                for scenario in args.scenarios or SCENARIOS:
                    rows += measure(args, pool, server, scenario)
    show(rows, args.compare or [])
    if args.json:
        written = {"machine": machine(), "rows": [asdict(row) for row in rows]}
        args.json.write_text(json.dumps(written, indent=2) + "\n")


if __name__ == "__main__":
    run(main)
