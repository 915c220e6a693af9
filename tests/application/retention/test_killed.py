"""`chatcore retention` after it was killed: nothing is deleted by half."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.application.retention.test_archiving import archives, messages_in
from tests.application.retention.test_deleting import keep, stored
from tests.waiting import PATIENCE
from tests.worlds.files import attachments, can_read, stored_files, uploads
from tests.worlds.organization import HOST, MakeWorld, World, require_restorable

DYING = """
import os, signal, sys
from chatcore.application.retention import archiving, deleting
from chatcore.cli import main

def die(*arguments, **more):
    os.kill(os.getpid(), signal.SIGKILL)

module, step = sys.argv.pop(1).split(".")
setattr({"archiving": archiving, "deleting": deleting}[module], step, die)
main()
"""
BEFORE = ("archiving.put_in_place", "deleting.remove_everywhere", "deleting.remove_unless_linked")
AFTER = ("deleting.sweep",)


def retention(world: World, *, dies_at: str | None = None) -> int:
    """Run the command on the database of the world, whose messages are old by the real clock."""
    folder, kept = world.svc.settings.data_dir, world.svc.settings.retention_archive
    assert folder is not None
    environment = {name: text for name, text in os.environ.items() if not name.startswith("CHATCORE_")}  # noqa: TID251
    environment |= {
        "CHATCORE_SECRET_KEY": "s" * 32,
        "CHATCORE_EXTERNAL_URL": f"https://{HOST}",
        "CHATCORE_DATA_DIR": f"{folder}",
        "CHATCORE_RETENTION_ARCHIVE": f"{kept}",
    }
    program = ["-c", DYING, dies_at] if dies_at else ["-m", "chatcore"]
    command = [sys.executable, *program, "retention", "--yes", "--database", world.url]
    done = subprocess.run(command, env=environment, timeout=2 * PATIENCE, check=False, cwd=folder.parent)
    return done.returncode


@pytest.mark.every_case_on_postgresql
@pytest.mark.parametrize("step", [*BEFORE, *AFTER])
def test_a_killed_deletion_is_continued(make_world: MakeWorld, tmp_path: Path, step: str) -> None:
    world = make_world(data_dir=tmp_path / "data", retention_archive=tmp_path / "deleted")
    ada, bea = world["ada"], world["bea"]
    url = uploads(ada, b"soup")["url"]
    message_ids = {ada.says(f"[soup]({url})"), ada.says("salad", topic="other")}
    for message_id in message_ids:
        bea.post(f"/messages/{message_id}/reactions", emoji_name="balloon")
    keep(world, 1)
    assert retention(world, dies_at=step) == -signal.SIGKILL
    require_restorable(world)
    is_done = step in AFTER
    assert stored(world) == (set() if is_done else message_ids)
    assert world.count("reaction") == (0 if is_done else 2)
    assert world.count("message_search") == (0 if is_done else 2)
    assert can_read(bea, url) is not is_done
    assert retention(world) == 1  # the killed one has its claim for some minutes
    world.sql("UPDATE retention_claim SET until = 0")
    assert retention(world) == 0
    for chore in world.svc.hub.chores:  # one of them removes the bytes of a file whose row is gone
        chore()
    assert stored(world) == set()
    assert attachments(ada) == []
    assert stored_files(world) == []
    written = [message["id"] for archive in archives(world) for message in messages_in(archive)]
    assert sorted(written) == sorted(message_ids)
