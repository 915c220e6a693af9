"""Whether the fixtures of all tests exist, when tests are collected and not run.

`make lint` does that: a module that cannot be imported and a fixture that is missing are found without a run.
"""

from collections.abc import Iterator

import pytest


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.option.collectonly and (missing := sorted(missing_fixtures(items))):
        raise pytest.UsageError("\n".join(("these fixtures do not exist:", *missing)))


def missing_fixtures(items: list[pytest.Item]) -> Iterator[str]:
    """Yield each test with the name of a fixture that it cannot have."""
    for item in items:
        if isinstance(item, pytest.Function):
            known = {"request", *item._fixtureinfo.name2fixturedefs}
            if hasattr(item, "callspec"):
                known.update(item.callspec.params)
            for name in item.fixturenames:
                if name not in known:
                    yield f"{item.nodeid}: {name}"
