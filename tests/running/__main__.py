"""Runs the suite in its two parts, and says at the end what failed and how long it took.

Options are those of pytest, and apply to both parts. Paths of tests replace the whole suite:

    python -m tests.running tests/http/files tests/test_cli.py::test_help
"""

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path
from time import monotonic
from typing import Any, Final, NamedTuple

from tests.running.parts import SECOND, is_in_second_part
from tests.running.report import FILE, MOST_REPEATED

ROOT: Final = Path(__file__).parents[2]
BUILD: Final = ROOT / "build" / "tests"
FAILED: Final = BUILD / "failed"
"""The names of the failed tests, in a form that pytest reads."""
PYTEST: Final = (sys.executable, "-m", "pytest", "-p", "tests.running.report", "--dist=worksteal")
SLOWEST: Final = 10
NO_TESTS: Final = 5


class Part(NamedTuple):
    """A part that has run, with its exit code."""

    name: str
    code: int
    seconds: float
    report: dict[str, Any]


def processors() -> int:
    return os.cpu_count() or 1


def run(name: str, *arguments: str) -> Part:
    print(f"\n== The {name} part of the tests", flush=True)
    BUILD.mkdir(parents=True, exist_ok=True)
    path = BUILD / f"{name}.json"
    path.unlink(missing_ok=True)
    start = monotonic()
    code = subprocess.run([*PYTEST, FILE, str(path), *arguments], cwd=ROOT, check=False).returncode
    report = json.loads(path.read_text()) if path.exists() else {"seconds": {}}
    return Part(name, code, monotonic() - start, report)


def run_parts(jobs: str, arguments: list[str]) -> list[Part]:
    """Run the tests that start no processes side by side, and then those that do: of these, a failed one is
    run once more. A part of which no test is wanted is left out.
    """
    paths = [one for one in arguments if file_of(one).exists() and not one.startswith("-")]
    options = [one for one in arguments if one not in paths]
    first, second = split_paths(paths or ["tests"])
    side_by_side = min(int(jobs), processors()) if jobs.isdecimal() else processors()
    parts = []
    if first:
        ignored = (f"--ignore={one}" for one in SECOND)
        parts.append(run("first", f"--numprocesses={jobs}", *ignored, *options, *first))
    if second:
        parts.append(run("second", f"--numprocesses={side_by_side}", "--reruns=1", *options, *second))
    return parts


def file_of(test: str) -> Path:
    """Return the path of a test, a module or a folder."""
    return ROOT / test.partition("::")[0]


def split_paths(paths: list[str]) -> tuple[list[str], list[str]]:
    """Return what the two parts run of the tests at some paths."""
    first = [path for path in paths if not is_in_second_part(file_of(path), ROOT)]
    second = [path for path in paths if path not in first]
    below = (one for one in SECOND for path in first if (ROOT / one).is_relative_to(file_of(path)))
    return first, [*dict.fromkeys((*second, *below))]


def joined(parts: list[Part], key: str) -> list[str]:
    return [name for part in parts for name in part.report.get(key, ())]


def tell(parts: list[Part]) -> None:
    """Print how long the parts and the slowest tests took, and last of all what failed."""
    seconds = {name: each for part in parts for name, each in part.report["seconds"].items()}
    print(f"\n== The {SLOWEST} slowest tests")
    for name in sorted(seconds, key=lambda name: -seconds[name])[:SLOWEST]:
        print(f"{seconds[name]:7.1f} s  {name}")
    print("\n== " + ", ".join(f"{part.name} part: {part.seconds:.0f} s" for part in parts))
    for part in parts:
        for name, why in part.report.get("passed_at_second_try", {}).items():
            print(f"\n== Failed at the first try: {name}", why, sep="\n")
    if repeated := joined(parts, "passed_at_second_try"):
        print(f"\n== Passed at the second try (more than {MOST_REPEATED} are a failure)", *repeated, sep="\n")
    failed = joined(parts, "failed")
    FAILED.write_text("\n".join(failed))
    if failed:
        options = "--continue-on-collection-errors"  # a module that cannot be imported hides no other
        again = f"{os.path.relpath(sys.executable)} -m pytest {options} @{os.path.relpath(FAILED)}"
        print("\n== Failed", *failed, "", f"== Repeat them: {again}", sep="\n")
    elif code := failure(parts):
        print(f"\n== Failed with exit code {code}, for what is said above")


def failure(parts: list[Part]) -> int:
    """Return the first exit code that is no success."""
    return next((part.code for part in parts if part.code not in (0, NO_TESTS)), 0)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, allow_abbrev=False)
    parser.add_argument("--numprocesses", default="auto", help="as pytest-xdist has it")
    given, arguments = parser.parse_known_args()
    parts = run_parts(given.numprocesses, arguments)
    tell(parts)
    return failure(parts)


if __name__ == "__main__":
    sys.exit(main())
