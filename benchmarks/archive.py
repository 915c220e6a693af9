"""Archives: `chatcore export` of an organization, and `chatcore import archive` into an empty database."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from rich.console import Console
from rich.table import Table

from benchmarks.harness import ROOT, environment, filled
from benchmarks.options import arguments, run

TARGET = "chatcore_bench_target"


def timed(*command: str, url: str, **variables: str) -> tuple[float, float, float]:
    """Run a command; return its seconds, those of the processor, and the MiB of memory that it had at most.

    A database server's own work is only in the first.
    """
    began = time.perf_counter()
    process = subprocess.Popen(
        [sys.executable, "-m", "chatcore.cli", *command],
        env=environment(url, **variables),
        cwd=ROOT,
        stdout=subprocess.DEVNULL,
    )
    _, status, used = os.wait4(process.pid, 0)
    if status:
        raise SystemExit(f"{command[0]} failed")
    return time.perf_counter() - began, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


@contextmanager
def empty(store: str, url: str, folder: str) -> Iterator[str]:
    """Yield the URL of an empty database of the same kind."""
    if store == "sqlite":
        yield f"sqlite:///{folder}/target.db"
        return
    import psycopg

    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {TARGET}")
        before, mark, options = url.partition("?")
        yield f"{before.rpartition('/')[0]}/{TARGET}{mark}{options}"
        connection.execute(f"DROP DATABASE {TARGET} WITH (FORCE)")


def main() -> None:
    args = arguments(__doc__ or "")
    written: list[dict[str, object]] = []
    table = Table("store", "what", "seconds", "of the processor", "messages/s", "MiB of memory")
    with filled(args) as urls, TemporaryDirectory() as folder:
        for store, url in urls.items():
            file = Path(folder) / f"{store}.zip"
            found = [("export", timed("export", str(file), url=url))]
            with empty(store, url, folder) as target:
                data = {"CHATCORE_DATA_DIR": f"{folder}/{store}-data"}
                found.append(("import", timed("import", "archive", str(file), url=target, **data)))
            for what, (seconds, processor, memory) in found:
                rate = f"{args.messages / seconds:,.0f}"
                written.append(
                    {
                        "store": store,
                        "what": what,
                        "messages": args.messages,
                        "seconds": seconds,
                        "processor_seconds": processor,
                        "megabytes_of_memory": memory,
                    }
                )
                table.add_row(store, what, f"{seconds:.1f}", f"{processor:.1f}", rate, f"{memory:.0f}")
            table.add_row(store, "size", "", "", "", f"{file.stat().st_size / 2**20:.1f} MiB on the disk")
    Console().print(table)
    if args.json:
        args.json.write_text(json.dumps(written, indent=2) + "\n")


if __name__ == "__main__":
    run(main)
