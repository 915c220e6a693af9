"""Things that a failed test leaves open are charged to no other test.

A test that fails may leave a socket or a file to the garbage collector. The collector warns of it, and the
warning fails the test that runs by then. A test that passes still has to close everything itself.
"""

import gc
import sys
import warnings
from collections.abc import Iterator

import pytest

FAILED = pytest.StashKey[bool]()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Iterator[None]:
    report: pytest.TestReport = yield  # type: ignore[assignment, misc]
    if report.failed:
        item.stash[FAILED] = True
    return report  # type: ignore[return-value]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    result = yield
    if item.stash.get(FAILED, False):
        discard_what_it_left()
    return result


def discard_what_it_left() -> None:
    for name in ("last_exc", "last_value", "last_traceback"):  # which keep the variables of the test
        if hasattr(sys, name):
            delattr(sys, name)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        gc.collect()
