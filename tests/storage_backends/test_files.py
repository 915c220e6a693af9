"""Our stores of files pass the suite that we ship; and what only the disk can show."""

import os
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from chatcore.storage.conformance.files import *  # noqa: F403
from chatcore.storage.conformance.files import KEY, read, write
from chatcore.storage.files import FileBusy, FileMissing, FilesNotReady, FileStore, NoFiles
from storage_backends.files import FilesInMemory, LocalFiles


@pytest.fixture(params=["disk", "memory"])
def files(request: pytest.FixtureRequest, tmp_path: Path) -> FileStore:
    return FilesInMemory() if request.param == "memory" else LocalFiles(tmp_path / "data" / "uploads")


@pytest.fixture
def disk(tmp_path: Path) -> LocalFiles:
    return LocalFiles(tmp_path / "data" / "uploads")


def test_a_finished_file_and_its_names_are_durable_and_nothing_stays_open(
    disk: LocalFiles, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(disk, b"soup", key="cd/first")
    disk.finish("cd/first")  # makes the folder
    durable: list[int] = []
    write(disk, b"soup", key="cd/second")
    before = os.listdir("/proc/self/fd")
    monkeypatch.setattr(os, "fsync", lambda number: durable.append(os.fstat(number).st_ino))
    disk.finish("cd/second")
    folder = tmp_path / "data" / "uploads"
    synced = {folder / "cd" / "second", folder / "cd", folder / "unfinished"}
    assert set(durable) == {path.stat().st_ino for path in synced}
    assert os.listdir("/proc/self/fd") == before


def everything(folder: Path) -> Iterator[Path]:
    yield from sorted(folder.rglob("*"))


def test_sec_68_files_and_folders_can_be_read_by_their_owner_only(disk: LocalFiles, tmp_path: Path) -> None:
    previous = os.umask(0)
    try:
        write(disk, b"soup")
        disk.finish(KEY)
        write(disk, b"soup", key="cd/x")
    finally:
        os.umask(previous)
    paths = list(everything(tmp_path))
    assert len(paths) == 6
    for path in paths:
        assert stat.S_IMODE(path.stat().st_mode) == (0o700 if path.is_dir() else 0o600), path


def test_nothing_but_the_file_is_left(disk: LocalFiles, tmp_path: Path) -> None:
    write(disk, b"soup")
    disk.finish(KEY)
    assert [path.name for path in everything(tmp_path) if path.is_file()] == [KEY.partition("/")[2]]
    disk.remove(KEY)
    assert [path for path in everything(tmp_path) if path.is_file()] == []


def test_opening_the_store_makes_nothing(tmp_path: Path) -> None:
    LocalFiles(tmp_path / "uploads")
    assert list(everything(tmp_path)) == []


def test_a_folder_that_another_process_makes_meanwhile_is_as_good(
    disk: LocalFiles, monkeypatch: pytest.MonkeyPatch
) -> None:
    is_dir = Path.is_dir
    write(disk, b"soup")
    monkeypatch.setattr(Path, "is_dir", lambda path: path.name != "unfinished" and is_dir(path))
    write(disk, b"tea")


def test_the_lock_of_a_writer_ends_with_its_process(disk: LocalFiles, tmp_path: Path) -> None:
    script = (
        "import sys; from pathlib import Path; from storage_backends.files import LocalFiles\n"
        "writer = LocalFiles(Path(sys.argv[1])).writer(sys.argv[2]); writer.write(b'soup')\n"
        "print('writing', flush=True); sys.stdin.read()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", script, str(tmp_path / "data" / "uploads"), KEY],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        cwd=Path(__file__).parents[2],
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"writing\n"
        with pytest.raises(FileBusy):
            disk.writer(KEY)
        process.kill()
        process.wait()
    write(disk, b"!", at=4)
    disk.finish(KEY)
    assert read(disk) == b"soup!"


def test_a_disk_that_fails_leaves_no_file_open(disk: LocalFiles, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*arguments: object) -> None:
        raise OSError("the disk is out")

    monkeypatch.setattr(os, "ftruncate", fail)
    with pytest.raises(FilesNotReady, match="the disk is out"):
        disk.writer(KEY)
    monkeypatch.undo()
    disk.writer(KEY).close()


def test_a_link_in_the_place_of_a_file_is_not_followed(disk: LocalFiles, tmp_path: Path) -> None:
    write(disk, b"soup")
    disk.finish(KEY)
    uploads, secret = tmp_path / "data" / "uploads", tmp_path / "secret"
    secret.write_bytes(b"of somebody")
    (uploads / "unfinished" / "abxyz").symlink_to(secret)
    (uploads / "ab" / "finished").symlink_to(secret)
    for at in (0, 1):
        with pytest.raises(FilesNotReady):
            disk.writer("ab/xyz", at)
    with pytest.raises(FileMissing):
        disk.open("ab/finished")
    assert dict(disk.sizes()) == {KEY: 4}
    assert secret.read_bytes() == b"of somebody"


def test_without_a_place_there_are_no_files() -> None:
    files = NoFiles()
    files.check()
    with pytest.raises(Exception, match="disabled"):
        files.writer(KEY)
    for work in (files.open, files.finish):
        with pytest.raises(FileMissing):
            work(KEY)
    files.remove(KEY)
    assert list(files.sizes()) == []


@pytest.mark.parametrize("missing", [os.R_OK, os.W_OK, os.X_OK])
def test_the_folder_has_to_be_open_in_every_way(
    disk: LocalFiles, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, missing: int
) -> None:
    write(disk, b"soup")
    disk.check()
    uploads = tmp_path / "data" / "uploads"
    for closed in (uploads, uploads / "unfinished"):  # not with `chmod`: the administrator may do everything
        monkeypatch.setattr(os, "access", lambda path, mode: path != closed or not mode & missing)  # noqa: B023
        with pytest.raises(FilesNotReady):
            disk.check()
