"""Runs tests many times in random order while every processor is busy, and lists what failed how often.

python -m tests.running.stress --runs 10                    # the whole suite, in its parts
python -m tests.running.stress --runs 10 tests/http/files   # some tests
"""

import argparse
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from tests.running.__main__ import Part, joined, processors, run, run_parts

BUSY_LOOP: Final = (sys.executable, "-c", "while True: pass")


@contextmanager
def busy_processors() -> Iterator[None]:
    loops = [subprocess.Popen(BUSY_LOOP) for _ in range(processors())]
    try:
        yield
    finally:
        for loop in loops:
            loop.kill()
            loop.wait()


def run_once(seed: int, jobs: str, tests: list[str]) -> list[Part]:
    order = ["--quiet", "--random-order-bucket=global", f"--random-order-seed={seed}"]
    if not tests:
        return run_parts(jobs, order)
    return [run("stressed", f"--numprocesses={jobs}", *order, *tests)]


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--seed", type=int, default=1, help="of the first run; each has the next one")
    parser.add_argument("--numprocesses", default="auto", help="as pytest-xdist has it")
    parser.add_argument("tests", nargs="*")
    given = parser.parse_args()
    failed = defaultdict[str, list[int]](list)
    with busy_processors():
        for seed in range(given.seed, given.seed + given.runs):
            parts = run_once(seed, given.numprocesses, given.tests)
            names = {*joined(parts, "failed"), *joined(parts, "passed_at_second_try")}
            for name in names or [f"no test, but exit code {part.code}" for part in parts if part.code]:
                failed[name].append(seed)
            took = ", ".join(f"{part.name} part {part.seconds:.0f} s" for part in parts)
            print(f"\n== Run with seed {seed}: {took}, {len(names)} failed", flush=True)
    print(f"\n== {given.runs} runs; what failed: {len(failed) or 'nothing'}")
    for name, seeds in sorted(failed.items(), key=lambda item: -len(item[1])):
        print(f"{len(seeds)} of {given.runs}  {name}  (seeds {', '.join(map(str, seeds))})")
    return bool(failed)


if __name__ == "__main__":
    sys.exit(main())
