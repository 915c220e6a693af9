"""A server whose database a newer program has upgraded meanwhile."""

from collections.abc import Iterator

import pytest
from werkzeug.test import Client

from tests.worlds.organization import World

NEWER = "INSERT INTO schema_migration (name, applied) VALUES ('9999_drafts_of_the_future', CURRENT_TIMESTAMP)"
DRAFT = '{"type": "private", "to": [], "topic": "", "content": "soup", "timestamp": 1}'


def run(world: World, statement: str) -> None:
    with world.storage.backend.connection():
        world.storage.backend.database.execute_sql(statement)


@pytest.fixture
def upgraded(world: World) -> Iterator[World]:
    """An organization in whose database a column has another name than this program knows."""
    run(world, "ALTER TABLE draft RENAME COLUMN content TO text")
    yield world
    run(world, "ALTER TABLE draft RENAME COLUMN text TO content")


def drafts(world: World) -> list[tuple[int, str]]:
    """The answers to requests that read and write drafts."""
    client, headers = Client(world.application), world["ada"].headers
    answers = [
        client.get("/api/v1/drafts", headers=headers),
        client.post("/api/v1/drafts", data={"drafts": f"[{DRAFT}]"}, headers=headers),
    ]
    return [(answer.status_code, answer.get_json()["code"]) for answer in answers]


def test_what_newer_tables_make_impossible_is_refused(upgraded: World) -> None:
    run(upgraded, NEWER)
    assert drafts(upgraded) == [(503, "SERVER_NOT_READY")] * 2
    message_id = upgraded["ada"].says("soup")
    assert message_id in upgraded["bea"].finds(["search", "soup"])


def test_a_fault_of_the_same_version_stays_one(upgraded: World) -> None:
    assert drafts(upgraded) == [(500, "INTERNAL_SERVER_ERROR")] * 2
