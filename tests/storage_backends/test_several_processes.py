"""Two openings of one store, as two processes have them."""

from collections.abc import Iterator

import pytest

from chatcore.storage.conformance.several_processes import *  # noqa: F403
from storage_backends import open_storage
from storage_backends.sql.store import SqlStorage


@pytest.fixture
def storage(store_url: str) -> Iterator[SqlStorage]:
    opened = open_storage(store_url)
    yield opened
    opened.close()


@pytest.fixture
def second_storage(store_url: str) -> Iterator[SqlStorage]:
    opened = open_storage(store_url)
    yield opened
    opened.close()
