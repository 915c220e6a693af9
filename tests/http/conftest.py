"""Fixtures for the tests of the transport."""

import logging
from collections.abc import Iterator

import pytest
from werkzeug.test import Client

from tests.http.toys import application


@pytest.fixture
def client() -> Client:
    return Client(application())


@pytest.fixture
def nothing_is_logged_as_a_failure(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """But where a test takes the records away."""
    caplog.set_level(logging.INFO)
    yield
    assert [record for record in caplog.records if record.levelno >= logging.WARNING] == []
