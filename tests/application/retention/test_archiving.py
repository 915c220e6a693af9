"""Messages that are written to a folder before they are deleted."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest

from chatcore.application.retention import archiving, deleting
from chatcore.application.retention.deleting import delete_batches, delete_due
from chatcore.application.retention.scopes import Amount
from chatcore.storage import StorageNotReady
from tests.application.retention.days import pass_days
from tests.application.retention.test_deleting import amounts, hold, keep, stored
from tests.worlds.files import can_read, uploads
from tests.worlds.organization import HOST, MakeWorld, World


@pytest.fixture
def world(make_world: MakeWorld, tmp_path: Path) -> World:
    """An organization with a folder for deleted messages."""
    return make_world(data_dir=tmp_path / "data", retention_archive=tmp_path / "deleted")


def archives(world: World) -> list[ZipFile]:
    folder = world.svc.settings.retention_archive
    assert folder is not None
    assert list(folder.rglob("*.unfinished")) == []
    return [ZipFile(path) for path in sorted(folder.glob(f"{HOST}/*/*.zip"))]


def messages_in(archive: ZipFile) -> list[dict[str, Any]]:
    return [json.loads(line) for line in archive.read("messages.jsonl").splitlines()]


def test_messages_are_written_with_all_that_belongs_to_them(world: World) -> None:
    ada, bea = world["ada"], world["bea"]
    url = uploads(ada, b"soup", "soup.txt")["url"]
    message_id = ada.says(f"[soup]({url})", topic="menu")
    ada.patch(f"/messages/{message_id}", content=f"[salad]({url})")
    bea.post(f"/messages/{message_id}/reactions", emoji_name="balloon")
    keep(world, 1)
    pass_days(world, 2)
    delete_due(world.svc)
    assert stored(world) == set()
    (archive,) = archives(world)
    (written,) = messages_in(archive)
    assert written["id"] == message_id
    assert written["content"] == f"[salad]({url})"
    assert [edit["prev_content"] for edit in written["edits"]] == [f"[soup]({url})"]
    assert [reaction["user_id"] for reaction in written["reactions"]] == [bea.id]
    assert [file["name"] for file in written["files"]] == ["soup.txt"]
    (name,) = (name for name in archive.namelist() if name.startswith("files/"))
    assert archive.read(name) == b"soup"
    about = json.loads(archive.read("about.json"))
    assert (about["channel"], about["days"]) == ("lunch", 1)
    assert about["people"] == {str(ada.id): "Ada", str(bea.id): "Bea"}


def test_direct_messages_have_their_people(world: World) -> None:
    ada, bea = world["ada"], world["bea"]
    ada.writes("for you", "bea")
    keep(world, 1)
    pass_days(world, 2)
    delete_due(world.svc)
    (archive,) = archives(world)
    (written,) = messages_in(archive)
    assert written["conversation"] == sorted([ada.id, bea.id])
    assert json.loads(archive.read("about.json"))["channel"] is None


def test_files_of_somebody_held_stay_and_are_named_only(world: World) -> None:
    ada, bea = world["ada"], world["bea"]
    kept, gone = uploads(ada, b"soup", "soup.txt")["url"], uploads(bea, b"cake", "cake.txt")["url"]
    ada.says(f"[soup]({kept})")
    message_id = bea.says(f"[soup]({kept}) [cake]({gone})")
    world.sql("UPDATE message SET sender_id = ?", bea.id)  # so that no message of the owner keeps the file
    hold(world, person="ada")
    keep(world, 1)
    pass_days(world, 2)
    delete_due(world.svc)
    assert stored(world) == set()
    (archive,) = archives(world)
    written = {message["id"]: message for message in messages_in(archive)}
    assert {file["name"] for file in written[message_id]["files"]} == {"soup.txt", "cake.txt"}
    assert [archive.read(name) for name in archive.namelist() if name.startswith("files/")] == [b"cake"]
    assert can_read(ada, kept)


def test_only_the_owner_of_the_server_reads_them(world: World) -> None:
    world["ada"].says("soup")
    keep(world, 1)
    pass_days(world, 2)
    delete_due(world.svc)
    folder = world.svc.settings.retention_archive
    assert folder is not None
    assert {path.stat().st_mode & 0o077 for path in (folder, *folder.rglob("*"))} == {0}


def test_nothing_is_deleted_that_cannot_be_written(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    message_id = world["ada"].says("soup")
    keep(world, 1)
    pass_days(world, 2)

    def refuse(*given: Any) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as full:
        full.setattr(archiving, "put_in_place", refuse)
        with pytest.raises(StorageNotReady, match="No space left on device"):
            delete_due(world.svc)
    assert stored(world) == {message_id}
    assert archives(world) == []
    delete_due(world.svc)
    assert stored(world) == set()
    assert len(archives(world)) == 1


@pytest.mark.parametrize(
    "meanwhile",
    [
        lambda world, message_id: world["ada"].patch(f"/messages/{message_id}", content="salad"),
        lambda world, message_id: world.react("bea", message_id),
        lambda world, message_id: world["ada"].patch(f"/messages/{message_id}", topic="other"),
    ],
)
def test_what_changes_while_it_is_written_is_written_again(
    world: World, monkeypatch: pytest.MonkeyPatch, meanwhile: Callable[[World, int], None]
) -> None:
    world.change_organization(message_content_edit_limit_seconds=None)
    message_id = world["ada"].says("soup")
    keep(world, 1, "lunch")
    pass_days(world, 2)
    write = archiving.write_batch

    def write_late(*given: Any) -> None:
        write(*given)
        meanwhile(world, message_id)

    with monkeypatch.context() as slow:
        slow.setattr(deleting, "write_batch", write_late)
        assert amounts(delete_batches(world.svc)) == {}
    assert message_id in stored(world)
    now = world["ada"].message(message_id)
    assert amounts(delete_batches(world.svc)) == {"lunch": Amount(messages=1)}
    newest = [message for archive in archives(world) for message in messages_in(archive)]
    assert any(
        (one["topic"], len(one["reactions"])) == (now["subject"], len(now["reactions"]))
        and f"<p>{one['content']}</p>" == now["content"]
        for one in newest
    )


def test_a_batch_that_was_written_before_a_crash_has_the_same_name(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    world["ada"].says("soup")
    keep(world, 1)
    pass_days(world, 2)

    class Killed(BaseException):
        pass

    def die(*given: Any) -> None:
        raise Killed

    with monkeypatch.context() as crash:
        crash.setattr(deleting, "_remove_batch", die)
        with pytest.raises(Killed):
            delete_due(world.svc)
    assert len(archives(world)) == 1
    assert stored(world)
    delete_due(world.svc)
    assert len(archives(world)) == 1
    assert not stored(world)
