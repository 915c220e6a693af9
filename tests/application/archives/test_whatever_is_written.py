"""Whatever the program writes can be exported and restored: no rule of an import is broken by a use case.

The worlds of all tests are checked when they are closed (`make_world`); here archives are restored, too.
"""

import re
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from chatcore.application import units
from chatcore.application.archives import reading
from chatcore.application.archives.format import BadArchive
from chatcore.application.archives.rows import find_problem
from chatcore.application.archives.to_file import export_to_file
from chatcore.application.archives.working import scope_of
from chatcore.domain.archives.exports import ExportType
from chatcore.storage.faults import ExaminedStore, Fault, Subject
from storage_backends import open_storage
from tests.conftest import Stores
from tests.http.described.test_every_endpoint import STORIES, settings_in
from tests.worlds.archives import exported, restored
from tests.worlds.organization import World
from tests.worlds.organization import found as found_world
from tests.worlds.scenes.actions import ACTIONS
from tests.worlds.scenes.chance import Chance
from tests.worlds.scenes.everything import Scene

RESTORED_EVERY = 12
"""Actions between two archives that are restored."""
Restore = Callable[[World], None]


@pytest.fixture
def restore(tmp_path: Path) -> Restore:
    """A function that exports a world, as a whole and in both parts, and restores each archive."""
    count = 0

    def run(world: World) -> None:
        nonlocal count
        scopes = [units.read(world.svc, scope_of, export_type) for export_type in ExportType]
        for scope in (None, *scopes):
            count += 1
            path = exported(world, tmp_path / f"{count}.zip", scope)
            url = f"sqlite:///{tmp_path / str(count)}.db"
            with closing(open_storage(url)) as storage:
                storage.migrate()
            restored(path, url, tmp_path / str(count))
            with closing(open_storage(url)) as storage:
                assert storage.read(find_problem) is None
                assert first_fault(storage) is None

    return run


def problem_of(world: World) -> object:
    assert isinstance(world.storage, ExaminedStore)
    return world.storage.read(find_problem) or first_fault(world.storage)


def first_fault(storage: ExaminedStore) -> Fault | None:
    return next((fault for subject in Subject for fault in storage.find_faults(subject)), None)


def test_each_action_leaves_rows_that_can_be_restored(
    stores: Stores, tmp_path: Path, restore: Restore
) -> None:
    with closing(World(stores("sqlite", found_world), data_dir=tmp_path / "data")) as world:
        scene = Scene(world)
        for number, action in enumerate(ACTIONS):
            action.do(scene)
            assert problem_of(world) is None, action.do.__name__
            if number % RESTORED_EVERY == 0:
                restore(world)


@pytest.mark.parametrize("seed", [1, 2])
def test_whatever_people_do_can_be_restored(
    stores: Stores, tmp_path: Path, restore: Restore, seed: int
) -> None:
    with closing(World(stores("sqlite", found_world), data_dir=tmp_path / "data")) as world:
        chance = Chance(Scene(world, limited=seed % 2 == 0), seed)
        for _ in range(10):
            for _ in range(20):
                chance.act()
            assert problem_of(world) is None, chance.done
        restore(world)


def test_each_endpoint_leaves_rows_that_can_be_restored(
    stores: Stores, tmp_path: Path, restore: Restore
) -> None:
    url = stores("sqlite", found_world)
    with settings_in(tmp_path) as settings, closing(World(url, **settings)) as world:
        for story in STORIES:
            story(world)
            assert problem_of(world) is None, story.__name__
        restore(world)


def test_texts_that_repeat_themselves_are_no_bomb(
    stores: Stores, tmp_path: Path, restore: Restore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading, "SMALL", 2**20)
    with closing(World(stores("sqlite", found_world), data_dir=tmp_path / "data")) as world:
        for _ in range(120):
            world["ada"].says("a" * 10_000)
        archive = exported(world, tmp_path / "archive.zip")
        assert archive.stat().st_size * 20 < 120 * 20_000
        restore(world)


# -- rows that no program writes --------------------------------------------------------------------

OF_LAST = "WHERE id = (SELECT max(id) FROM message)"
BROKEN = {
    "a draft": ("UPDATE draft SET type = 'nope'", r"'draft' .*\(id=1\)"),
    "bytes": ("UPDATE attachment SET path_id = x'31'", r"'attachment' .*\(id=1\)"),
    "a path": ("UPDATE attachment SET path_id = '1/../../etc/passwd'", r"'attachment' .*\(id=1\)"),
    "a sender": (f"UPDATE message SET sender_id = 999 {OF_LAST}", r"'message' .*\(id=LAST\)"),
    "a reader": ("UPDATE user_status SET user_id = 999", r"'user_status' .*\(user_id=999\)"),
    "settings": ("UPDATE account SET settings = '{' ", r"'account' .*\(id=1\)"),
    "a time of day": (
        """UPDATE account SET settings = '{"do_not_disturb_daily": "25:00-07:00"}'""", r"'account' .*\(id=1\)"
    ),
    "a pause": (
        """UPDATE account SET settings = '{"do_not_disturb_until": "soon"}'""", r"'account' .*\(id=1\)"
    ),
    "a number": (f"UPDATE message SET timestamp = 1.5 {OF_LAST}", r"'message' .*\(id=LAST\)"),
    "a character": (
        f"UPDATE message SET content = 'so' || char(0) || 'up' {OF_LAST}", r"'message' .*\(id=LAST\)"
    ),
    "a place": (f"UPDATE message SET topic_key = NULL {OF_LAST}", r"a direct message .*\(id=LAST\)"),
    "a position": ("UPDATE channel_event SET position = 1 << 50", "'channel_event'"),
}  # fmt: skip
"""Statements, and what the reports say."""


@pytest.mark.parametrize("name", BROKEN)
def test_exports_and_checks_report_what_an_import_refuses(name: str, stores: Stores, tmp_path: Path) -> None:
    url = stores("sqlite", found_world)
    with closing(World(url, data_dir=tmp_path / "data")) as world:
        Scene(world).an_image_is_loaded()
        world["ada"].post("/drafts", drafts=[{"type": "private", "to": [], "topic": "", "content": "x"}])
        world["ada"].joins("garden")
        world["ada"].post("/users/me/status", status_text="away")
    with closing(sqlite3.connect(url.removeprefix("sqlite:///"))) as connection:
        statement, report = BROKEN[name]
        connection.execute(statement)
        connection.commit()
        ((last,),) = connection.execute("SELECT max(id) FROM message")
    with closing(open_storage(url)) as storage:
        problem = storage.read(find_problem)
    assert problem is not None
    assert re.search(report.replace("LAST", str(last)), problem), problem
    if name == "settings":  # without the accounts, there is nothing to export
        return
    with closing(World(url, data_dir=tmp_path / "data")) as world:
        path = tmp_path / "archive.zip"
        assert export_to_file(world.svc, path).problem == problem
    target = f"sqlite:///{tmp_path / 'target.db'}"
    with closing(open_storage(target)) as storage:
        storage.migrate()
    with pytest.raises(BadArchive):
        restored(path, target, tmp_path / "target")


def test_an_image_that_can_be_read_again_is_no_problem(stores: Stores, tmp_path: Path) -> None:
    """Earlier versions stored images of this size without one."""
    url = stores("sqlite", found_world)
    with closing(World(url, data_dir=tmp_path / "data")) as world:
        Scene(world).an_image_is_loaded()
    with closing(sqlite3.connect(url.removeprefix("sqlite:///"))) as connection:
        connection.execute("UPDATE uploaded_image SET width = 0, height = 0, state = 'failed'")
        connection.commit()
    with closing(open_storage(url)) as storage:
        assert storage.read(find_problem) is None
