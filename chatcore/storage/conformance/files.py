"""Conformance tests for every `FileStore`, as functions that take `files`: an empty file store.

Import them beside a fixture of that name, in a separate test module.
"""

from chatcore.storage.conformance.makers import error_of
from chatcore.storage.files import FileBusy, FileMissing, FileStore

KEY = "ab/Q29mZmVl_b3IgdGVhPw-sm4X"
OTHER = "ab/b3RoZXI_"


def write(files: FileStore, data: bytes, at: int = 0, key: str = KEY) -> None:
    writer = files.writer(key, at)
    writer.write(data)
    writer.sync()
    writer.close()


def read(files: FileStore, key: str = KEY) -> bytes:
    with files.open(key) as file:
        return file.read()


def test_a_file_can_be_read_when_it_is_finished(files: FileStore) -> None:
    write(files, b"soup")
    error_of(FileMissing, lambda: files.open(KEY))
    files.finish(KEY)
    files.check()
    assert read(files) == b"soup"
    with files.open(KEY) as file:
        file.seek(2)
        assert file.read(1) == b"u"


def test_an_empty_file_is_a_file(files: FileStore) -> None:
    files.writer(KEY).close()
    files.finish(KEY)
    assert read(files) == b""


def test_finishing_again_changes_nothing(files: FileStore) -> None:
    write(files, b"soup")
    files.finish(KEY)
    files.finish(KEY)
    assert read(files) == b"soup"


def test_missing_uploads_cannot_be_finished(files: FileStore) -> None:
    error_of(FileMissing, lambda: files.finish(KEY))
    error_of(FileMissing, lambda: files.open(KEY))


def test_writing_continues_at_the_offset_and_drops_later_bytes(files: FileStore) -> None:
    write(files, b"soup and salad")
    write(files, b" or bread", at=4)
    write(files, b"!", at=13)
    files.finish(KEY)
    assert read(files) == b"soup or bread!"


def test_beginning_again_drops_everything(files: FileStore) -> None:
    write(files, b"soup")
    write(files, b"tea")
    files.finish(KEY)
    assert read(files) == b"tea"


def test_writing_does_not_go_on_behind_the_end(files: FileStore) -> None:
    error_of(FileMissing, lambda: files.writer(KEY, 1))
    write(files, b"soup")
    error_of(FileMissing, lambda: files.writer(KEY, 5))
    files.writer(KEY, 4).close()


def test_a_file_has_one_writer_at_a_time(files: FileStore) -> None:
    first = files.writer(KEY)
    first.write(b"soup")
    error_of(FileBusy, lambda: files.writer(KEY))
    error_of(FileBusy, lambda: files.writer(KEY, 2))
    files.writer(OTHER).close()
    first.close()
    files.writer(KEY, 4).close()


def test_files_are_removed_finished_or_not(files: FileStore) -> None:
    write(files, b"soup")
    write(files, b"tea", key=OTHER)
    files.finish(OTHER)
    for key in (KEY, OTHER, KEY):
        files.remove(key)
        error_of(FileMissing, lambda key=key: files.open(key))  # type: ignore[misc]
    error_of(FileMissing, lambda: files.finish(KEY))


def test_finished_files_are_listed_with_their_sizes(files: FileStore) -> None:
    assert list(files.sizes()) == []
    write(files, b"soup")
    files.finish(KEY)
    write(files, b"salad", key=OTHER)
    assert list(files.sizes()) == [(KEY, 4)]
    files.finish(OTHER)
    assert dict(files.sizes()) == {KEY: 4, OTHER: 5}
    files.remove(KEY)
    assert list(files.sizes()) == [(OTHER, 5)]


def test_a_file_that_is_being_read_can_be_removed(files: FileStore) -> None:
    write(files, b"soup")
    files.finish(KEY)
    with files.open(KEY) as file:
        files.remove(KEY)
        assert file.read() == b"soup"


def test_no_key_leads_elsewhere(files: FileStore) -> None:
    for key in (
        "",
        "soup",
        "../etc/passwd",
        "ab/../../x",
        "/etc/passwd",
        "AB/x",
        "ab/x/y",
        "ab/x\0",
        "ab/x\n",
    ):
        for work in (files.writer, files.finish, files.open, files.remove):
            error_of(ValueError, lambda work=work, key=key: work(key))  # type: ignore[misc]
