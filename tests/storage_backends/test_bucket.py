"""Files in a bucket pass the suite of stores of files; and the ways in which a service fails them."""

import io
from pathlib import Path
from typing import Any

import pytest
from botocore.exceptions import IncompleteReadError
from botocore.response import StreamingBody

from chatcore import BadSetting, FileTooLarge, Settings, open_chat
from chatcore.domain.limits import Limits
from chatcore.storage.conformance.files import *  # noqa: F403
from chatcore.storage.conformance.files import KEY, OTHER, read, write
from chatcore.storage.files import FilesNotReady
from storage_backends.bucket import BucketFiles
from storage_backends.files import LocalFiles
from tests.storage_backends.buckets import URL, bucket, names, s3_address

__all__ = ["bucket", "s3_address"]

LARGE = Limits().max_file_upload_size_mib * 2**20 + 1


@pytest.fixture
def files(bucket: Any, tmp_path: Path) -> BucketFiles:
    return BucketFiles(URL, LocalFiles(tmp_path / "growing"))


def test_a_finished_file_is_in_the_bucket_alone(files: BucketFiles, bucket: Any, tmp_path: Path) -> None:
    write(files, b"soup")
    assert names(bucket) == []
    files.finish(KEY)
    assert names(bucket) == [f"club/{KEY}"]
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []


def test_another_machine_reads_what_one_has_finished(files: BucketFiles, tmp_path: Path) -> None:
    write(files, b"soup")
    files.finish(KEY)
    other = BucketFiles(f"{URL}/", LocalFiles(tmp_path / "another"))
    assert read(other) == b"soup"
    other.finish(KEY)
    other.remove(KEY)
    with pytest.raises(FileMissing):  # noqa: F405
        files.open(KEY)


def test_files_are_read_in_any_order(files: BucketFiles) -> None:
    data = bytes(range(256)) * 4096
    write(files, data)
    files.finish(KEY)
    with files.open(KEY) as file:
        for start in (700_000, 5, len(data) - 3, 0, 300_000):
            assert file.seek(start) == start
            assert file.read(1000) == data[start : start + 1000]
        assert file.seek(-5, io.SEEK_END) == len(data) - 5
        assert file.read() == data[-5:]
        assert file.read() == b""


def test_the_size_and_the_bytes_of_a_file_take_one_request(
    files: BucketFiles, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(files, b"soup")
    files.finish(KEY)
    asked: list[object] = []
    files._client.meta.events.register("before-call.s3", lambda **_: asked.append(None))  # noqa: SLF001
    with files.open(KEY) as file:
        assert file.seek(0, io.SEEK_END) == 4
        assert file.seek(0) == 0
        assert file.read() == b"soup"
    assert len(asked) == 1


def test_a_service_that_breaks_off_refuses(files: BucketFiles, monkeypatch: pytest.MonkeyPatch) -> None:
    write(files, b"soup")
    files.finish(KEY)
    monkeypatch.setattr(StreamingBody, "read", break_off)
    with files.open(KEY) as file, pytest.raises(FilesNotReady):
        file.read()


def break_off(*_: object) -> None:
    raise IncompleteReadError(actual_bytes=1, expected_bytes=4)


def test_a_client_that_refuses_its_settings_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_ENDPOINT_URL_S3", "storage.example.com")
    settings = Settings(uploads_url=URL, data_dir=tmp_path)
    with pytest.raises(BadSetting, match=r"uploads_url.*storage\.example\.com"):
        open_chat(f"sqlite:///{tmp_path}/club.db", owner_email="ada@example.com", settings=settings)


def test_a_service_that_is_gone_refuses_for_a_time(
    files: BucketFiles, bucket: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    write(files, b"soup")
    files.finish(KEY)
    monkeypatch.setenv("AWS_ENDPOINT_URL_S3", "http://127.0.0.1:9")
    gone = BucketFiles(URL, LocalFiles(tmp_path / "growing"))
    write(gone, b"tea", key=OTHER)
    for work in (gone.finish, gone.open, gone.remove):
        with pytest.raises(FilesNotReady):
            work(OTHER)
    write(gone, b"tea", key=OTHER)
    files.finish(OTHER)  # the service is there again, and the machine has kept the file
    assert read(files, OTHER) == b"tea"


def test_a_bucket_that_does_not_exist_refuses(bucket: Any, tmp_path: Path) -> None:
    nowhere = BucketFiles("s3://elsewhere", LocalFiles(tmp_path))
    write(nowhere, b"soup")
    with pytest.raises(FilesNotReady, match="NoSuchBucket"):
        nowhere.finish(KEY)


def test_uploads_of_an_organization_are_in_its_bucket(bucket: Any, tmp_path: Path) -> None:
    settings = Settings(uploads_url=URL, data_dir=tmp_path)
    with open_chat(f"sqlite:///{tmp_path}/club.db", owner_email="ada@example.com", settings=settings) as chat:
        ada = chat.users.actor("ada@example.com")
        kept = chat.files.upload(ada, "beds.txt", b"leek, kale")
        assert len(names(bucket)) == 1
        with chat.files.open(ada, kept.path_id).file as file:
            assert file.read() == b"leek, kale"
        chat.files.delete(ada, kept.id)
        assert names(bucket) == []
        with pytest.raises(FileTooLarge):
            chat.files.upload(ada, "large.bin", bytes(LARGE))
        assert names(bucket) == []


@pytest.mark.parametrize(
    "url", ["https://uploads", "s3://", "s3://a", "s3://Uploads", "uploads", "s3://bucket/a b"]
)
def test_other_places_are_refused(url: str) -> None:
    with pytest.raises(BadSetting, match=r"uploads_url.*use 's3://bucket'"):
        Settings(uploads_url=url)
