"""A unit of work that does not end in time when its store is closed keeps its connection, and goes on."""

import logging
import threading
from functools import partial

import pytest

from chatcore.storage import Snapshot
from chatcore.storage.conformance.transactions import Crowd
from storage_backends.sql import store
from storage_backends.sql.store import SqlStorage
from tests.waiting import PATIENCE


def test_work_that_takes_too_long_keeps_its_connection(
    storage: SqlStorage, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    reading, go_on = threading.Event(), threading.Event()

    def read(snapshot: Snapshot) -> None:
        reading.set()
        assert go_on.wait(PATIENCE)
        assert not snapshot.users.all()

    crowd = Crowd()
    crowd.start("takes long", partial(storage.read, read))
    assert reading.wait(PATIENCE)
    with monkeypatch.context() as patch, caplog.at_level(logging.WARNING):
        patch.setattr(store, "CLOSING_PATIENCE", 0.05)
        storage.close()
    assert [record.name for record in caplog.records] == ["chatcore.storage"]
    go_on.set()
    crowd.wait()
    assert crowd.errors == {}
