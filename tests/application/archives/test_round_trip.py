"""An organization that moves to the other database and back is the same for everybody."""

import gzip
import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from itertools import islice
from pathlib import Path

import pytest

from chatcore.application.imports.corpus import read_corpus
from chatcore.application.imports.importing import import_corpus
from chatcore.domain.limits import Limits
from chatcore.domain.organization.audit import AuditKind
from storage_backends import open_storage
from tests.conftest import Stores
from tests.worlds.archives import exported, restored, view_of
from tests.worlds.organization import World
from tests.worlds.organization import found as found_world
from tests.worlds.scenes.actions import ACTIONS
from tests.worlds.scenes.everything import Scene

CORPUS = Path(__file__).parents[4] / "shared" / "corpus" / "chat-66k.jsonl.gz"
LINES = 2_000
OTHER = {"sqlite": "postgresql", "postgresql": "sqlite"}
MANY = 5
DRAFT = {"type": "private", "to": [], "topic": "", "content": "hush", "timestamp": 1}
Open = Callable[..., World]


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[Open]:
    """A function that serves the organization in a store."""
    with ExitStack() as stack:

        def open_world(url: str, name: str) -> World:
            world = World(url, data_dir=tmp_path / name)
            stack.callback(world.close)
            return world

        yield open_world


def test_everything_moves_to_the_other_database_and_back(
    stores: Stores, store_kind: str, opened: Open, tmp_path: Path
) -> None:
    scene = Scene(opened(first_url := stores(store_kind, found_world), "first"))
    for action in ACTIONS:
        action.do(scene)
    first = opened(first_url, "first")
    first.clock.now = scene.world.clock.now
    names = [name for name, user in first.users.items() if user.is_active]
    assert len(names) > MANY
    before = {name: view_of(first[name]) for name in names}
    there = stores(OTHER[store_kind], None)
    back = new_store(tmp_path) if store_kind == "sqlite" else stores(store_kind, None)
    world = first
    for name, url in (("there", there), ("back", back)):
        done = restored(exported(world, tmp_path / f"{name}.zip"), url, tmp_path / name)
        assert (done.messages, done.already) == (first.count("message"), 0)
        world = opened(url, name)
        world.clock.now = first.clock.now
        assert {name: view_of(world[name]) for name in names} == before
        assert_rows_are_the_same(first, world)
    assert world["olga"].says("hush") > first["olga"].says("hush")
    drawn, known = (one["olga"].post("/drafts", drafts=[DRAFT])["ids"] for one in (world, first))
    assert drawn == known


def new_store(folder: Path) -> str:
    url = f"sqlite:///{folder / 'new.db'}"
    storage = open_storage(url)
    storage.migrate()
    storage.close()
    return url


def assert_rows_are_the_same(one: World, other: World) -> None:
    """Compare all rows that archives have, and those that an import makes anew."""

    def rows(world: World) -> list[object]:
        return world.storage.read(
            lambda snapshot: [
                (table.name, row) for table, pages in snapshot.tables.export(None) for page in pages
                for row in sorted(page, key=lambda row: json.dumps(row, sort_keys=True))
                if row.get("kind") != AuditKind.ARCHIVE_IMPORTED  # the import itself
            ]
        )  # fmt: skip

    assert sorted(map(str, rows(one))) == sorted(map(str, rows(other)))
    assert one.count("message_search") == other.count("message_search")
    used = [world.storage.read(lambda snapshot: snapshot.attachments.space_used()) for world in (one, other)]
    assert used[0] == used[1]


@pytest.mark.skipif(not CORPUS.exists(), reason="the corpus is not here")
def test_a_corpus_moves(stores: Stores, store_kind: str, opened: Open, tmp_path: Path) -> None:
    first = opened(stores(store_kind, found_world), "first")
    part = tmp_path / "part.jsonl"
    with gzip.open(CORPUS) as lines:
        part.write_bytes(b"".join(islice(lines, LINES)))
    import_corpus(
        first.svc, read_corpus(part, Limits(), now=first.svc.now), subscribe_everybody=True, processes=1
    )
    archive = exported(first, tmp_path / "first.zip")
    second_url = stores(OTHER[store_kind], None)
    assert restored(archive, second_url, tmp_path / "second").messages == LINES
    second = opened(second_url, "second")
    assert_rows_are_the_same(first, second)
    assert view_of(second["ada"]) == view_of(first["ada"])
