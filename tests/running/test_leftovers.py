"""A test that fails makes no other test fail."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
TESTS = """
import gc, socket

def test_one():
    left = [socket.socket() for _ in range(5)]
    left.append(left)
    raise AssertionError

def test_another():
    gc.collect()

def test_a_third():
    socket.socket()
    gc.collect()
"""


def test_only_the_test_that_leaves_something_open_fails(tmp_path: Path) -> None:
    (tmp_path / "test_some.py").write_text(TESTS)
    plugin = "tests.running.leftovers"
    command = [sys.executable, "-m", "pytest", "-q", "-p", plugin, "-W", "error", "test_some.py"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}  # noqa: TID251
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    failed = [line.split()[1] for line in done.stdout.splitlines() if line.startswith("FAILED")]
    assert failed == ["test_some.py::test_one", "test_some.py::test_a_third"], done.stdout
