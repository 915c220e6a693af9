"""The store of docs/another-store.md passes the conformance suite."""

from collections.abc import Iterator
from typing import Any

import pytest

from chatcore.storage import Store
from chatcore.storage.conformance import *  # noqa: F403
from tests.page_programs import ROOT, programs


@pytest.fixture
def storage() -> Iterator[Store]:
    (program,) = programs(ROOT / "docs" / "another-store.md")
    module: dict[str, Any] = {"__name__": "timed_store"}
    exec(program, module)
    store: Store = module["open_store"]("timed+sqlite:///:memory:")
    store.migrate()
    yield store
    store.close()
