"""The organization of each dump is upgraded, and everybody finds there what the story tells."""

import tomllib
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

import pytest

from chatcore.application.archives.rows import find_problem
from storage_backends import open_storage
from tests.postgres import make_store
from tests.upgrades.dumps import KINDS, MOST_BYTES, SECRET, dump_of, restore, versions
from tests.upgrades.story import CHATTER, PEOPLE
from tests.worlds.archives import exported, restored
from tests.worlds.organization import World

PROJECT = Path(__file__).parents[2] / "pyproject.toml"
WITHOUT_SCHEDULED = {"0.1.0a", "0.1.0"}
"""Versions that had no scheduled messages and no saved snippets."""
LATER = 1_900_000_000


@pytest.fixture(params=[(version, kind) for version in versions() for kind in KINDS], ids="-".join)
def dump(request: pytest.FixtureRequest) -> tuple[str, str]:
    version, kind = request.param
    return version, kind


@pytest.fixture
def world(request: pytest.FixtureRequest, dump: tuple[str, str], tmp_path: Path) -> Iterator[World]:
    """The organization of a dump, upgraded."""
    with ExitStack() as stack:
        url = f"sqlite:///{tmp_path}/chat.db"
        if dump[1] == "postgresql":
            url = stack.enter_context(request.getfixturevalue("postgres").bare_database())
        keys = restore(dump_of(*dump), url)
        with closing(open_storage(url)) as storage:
            pending, applied = storage.pending(), list[str]()
            assert storage.migrate(lambda name, _: applied.append(name)) == pending == applied
            assert storage.pending() == []
        world = World(url, secret_key=SECRET.encode(), data_dir=tmp_path / "data")
        stack.callback(world.close)
        world.clock.now = LATER
        assert keys.items() <= world.keys.items()
        yield world


def texts(messages: list[dict[str, Any]]) -> list[str]:
    return [message["content"] for message in messages]


def test_everybody_finds_what_was_there(world: World, dump: tuple[str, str]) -> None:
    ada, bea, cem, gus = (world[name] for name in PEOPLE)

    state = bea.post("/register", fetch_event_types=None)
    assert {each["name"] for each in state["subscriptions"]} >= {"lunch", "secret"}
    assert state["alert_words"] == ["noodles"]
    assert [each["id"] for each in state["muted_users"]] == [world.users["cem"].id]
    assert state["user_status"][str(world.users["bea"].id)]["status_text"] == "at lunch"
    assert state["user_settings"]["twenty_four_hour_time"] is True
    assert "soup" in {each["topic_name"] for each in state["user_topics"]}
    assert "cooks" in {group["name"] for group in state["realm_user_groups"]}
    unread = {topic["topic"]: len(topic["unread_message_ids"]) for topic in state["unread_msgs"]["streams"]}
    assert "day 1" not in unread
    assert unread["day 2"] > 0

    assert [len(person.finds(["search", "pumpkins"])) for person in (ada, bea, cem, gus)] == [5, 5, 1, 2]
    assert len(ada.finds(["search", "京の größe"])) == 1
    assert len(ada.finds(["search", "talk"], num_before=2 * CHATTER)) == CHATTER
    moved, notice = ada.reads(["channel", "lunch"], ["topic", "moved here"])
    assert moved["content"] == "<p>Größe: 東京の soup</p>"
    assert "moved here" in notice["content"]

    (edited,) = gus.reads(["channel", "lunch"], ["topic", "soup"])
    assert edited["content"] == "<p>Pumpkin soup at <strong>one</strong></p>"
    assert [reaction["user_id"] for reaction in edited["reactions"]] == [world.users["bea"].id]
    history = gus.get(f"/messages/{edited['id']}/history")["message_history"]
    assert [version["content"] for version in history] == ["Pumpkin soup at noon", "Pumpkin soup at **one**"]

    assert [message["id"] for message in bea.reads("is:starred")] == [edited["id"]]
    assert texts(ada.reads("is:mentioned"))[-1].startswith("<p>A pumpkin for")
    assert [file["name"] for file in ada.get("/attachments")["attachments"]] == ["recipe.txt"]
    assert [draft["content"] for draft in ada.get("/drafts")["drafts"]] == ["An idea"]
    if dump[0] not in WITHOUT_SCHEDULED:
        assert [snippet["title"] for snippet in ada.get("/saved_snippets")["saved_snippets"]] == ["Thanks"]
        (waiting,) = ada.get("/scheduled_messages")["scheduled_messages"]
        assert waiting["content"] == "Happy new year"


def test_the_organization_goes_on(world: World, dump: tuple[str, str], tmp_path: Path) -> None:
    assert world.storage.read(find_problem) is None
    world["ada"].says("The soup is cold", "lunch", "soup")
    assert texts(world["bea"].reads(["topic", "soup"]))[-1] == "<p>The soup is cold</p>"
    archive = exported(world, tmp_path / "chat.zip")
    another = f"sqlite:///{tmp_path}/another.db"
    make_store(another, None)
    assert restored(archive, another, tmp_path / "another").messages == world.count("message")


@pytest.mark.parametrize("kind", KINDS)
def test_the_version_of_the_program_has_a_dump(kind: str) -> None:
    """`python -m scripts.make_dump` makes it before a version is released."""
    version = tomllib.loads(PROJECT.read_text())["project"]["version"]
    assert dump_of(version, kind).stat().st_size < MOST_BYTES
