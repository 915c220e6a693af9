"""Fixtures: an application of toys for the tests of the transport, an organization for all others."""

import logging
from collections.abc import Iterator

import pytest
from werkzeug.test import Client

from tests.worlds.organization import ada, bea, cem, gus, make_world, olga, robo, world
from tests.worlds.registering_over_http import api, make_api
from tests.worlds.toys import application

__all__ = ["ada", "api", "bea", "cem", "gus", "make_api", "make_world", "olga", "robo", "world"]


@pytest.fixture
def client() -> Client:
    return Client(application())


@pytest.fixture
def nothing_is_logged_as_a_failure(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """Fail on warnings and errors in the log, except in tests that remove these records."""
    caplog.set_level(logging.INFO)
    yield
    assert [record for record in caplog.records if record.levelno >= logging.WARNING] == []
