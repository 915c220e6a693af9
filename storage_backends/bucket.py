"""Files in a bucket of an S3-compatible service. An unfinished file is on the disk of one machine."""

import io
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, BinaryIO, Final

from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError
from botocore.session import Session

from chatcore.storage.files import FileMissing, FilesNotReady, FileWriter
from storage_backends.files import LocalFiles, checked_key, is_key

CONFIG: Final = Config(
    connect_timeout=5,
    read_timeout=20,
    retries={"mode": "standard", "total_max_attempts": 3},
    # Many services besides Amazon's refuse uploads with these checksums.
    request_checksum_calculation="when_required",
    response_checksum_validation="when_required",
)
MAX_CLIENTS: Final = 32
BUFFER: Final = 256 * 1024
"""Bytes of a file that are read at once."""

_MISSING: Final = frozenset({"404", "NoSuchKey"})


@contextmanager
def _refusals(key: str) -> Iterator[None]:
    """Translate the service's refusals.

    :raises FileMissing: it has no such file
    :raises FilesNotReady: it cannot be reached, or refuses
    """
    try:
        yield
    except ClientError as error:
        if error.response["Error"]["Code"] in _MISSING:
            raise FileMissing(key) from error
        raise FilesNotReady(str(error)) from error
    except BotoCoreError as error:
        raise FilesNotReady(str(error)) from error


class BucketFiles:
    """Files as objects of a bucket, whose names are the keys, after a prefix.

    `s3://bucket/prefix` names the place. The address of the service, the region and the credentials are found
    as in all programs with botocore: in the environment (`AWS_ENDPOINT_URL_S3`), in the files of its user, or
    by the role of the machine. *unfinished* holds files until they are finished.

    :raises ValueError: the client refuses its own settings
    """

    def __init__(self, url: str, unfinished: LocalFiles) -> None:
        self._bucket, _, prefix = url.removeprefix("s3://").partition("/")
        self._prefix = f"{prefix.strip('/')}/" if prefix.strip("/") else ""
        self._unfinished = unfinished
        self._session = Session()
        self._lock = threading.Lock()
        self._clients: dict[int, Any] = {}
        try:
            _ = self._client  # making one takes longer than a request should keep the loop
        except BotoCoreError as error:
            raise ValueError(str(error)) from error

    @property
    def _client(self) -> Any:
        """Return this thread's client; among greenlets, a connection belongs to the loop of its thread."""
        thread = threading.get_native_id()
        if (client := self._clients.get(thread)) is None:
            with self._lock:  # botocore's sessions are not made for several threads
                client = self._session.create_client("s3", config=CONFIG)
            if len(self._clients) >= MAX_CLIENTS:
                self._clients.clear()
            self._clients[thread] = client
        return client

    def writer(self, key: str, at: int = 0) -> FileWriter:
        return self._unfinished.writer(key, at)

    def finish(self, key: str) -> None:
        """Copy the finished file to the bucket, then remove it here."""
        try:
            self._unfinished.finish(key)
            file = self._unfinished.open(key)
        except FileMissing:
            self.open(key).close()  # another request may have finished it
            return
        with file, _refusals(key):
            self._client.put_object(**self._place(key), Body=file)
        self._unfinished.remove(key)

    def open(self, key: str) -> BinaryIO:
        """Open an object as a file; its bytes are requested as they are read."""
        place = self._place(checked_key(key))

        def read_from(position: int) -> Any:
            with _refusals(key):
                return self._client.get_object(**place, Range=f"bytes={position}-")["Body"]

        with _refusals(key):
            whole = self._client.get_object(**place)
        return io.BufferedReader(_Object(key, whole["Body"], whole["ContentLength"], read_from), BUFFER)

    def remove(self, key: str) -> None:
        self._unfinished.remove(key)
        with _refusals(key):
            self._client.delete_object(**self._place(key))

    def sizes(self) -> Iterator[tuple[str, int]]:
        """Yield the keys and sizes of the objects after the prefix that are named like files."""
        pages = self._client.get_paginator("list_objects_v2").paginate(
            Bucket=self._bucket, Prefix=self._prefix
        )
        with _refusals(self._prefix):
            for page in pages:
                for entry in page.get("Contents", ()):
                    if is_key(key := entry["Key"].removeprefix(self._prefix)):
                        yield key, entry["Size"]

    def free_space(self) -> int | None:
        return self._unfinished.free_space()

    def check(self) -> None:
        """Check the folder of unfinished files. The bucket is asked by requests that need it."""
        self._unfinished.check()

    def _place(self, key: str) -> dict[str, str]:
        """Return the parameters of the client that name an object."""
        return {"Bucket": self._bucket, "Key": self._prefix + key}


class _Object(io.RawIOBase):
    """An object that is read in order; reading at another position asks for the rest from there on."""

    def __init__(self, key: str, body: Any, size: int, read_from: Callable[[int], Any]) -> None:
        self._key = key
        self._body = body
        self._body_at = 0
        self._size = size
        self._read_from = read_from
        self._position = 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        """Read on in the open answer, or request another one from the position if it has moved."""
        if self._position >= self._size:
            return 0
        if self._body_at != self._position:
            self._body.close()
            self._body, self._body_at = self._read_from(self._position), self._position
        with _refusals(self._key):
            data = self._body.read(len(buffer))
        buffer[: len(data)] = data
        self._position += len(data)
        self._body_at = self._position
        return len(data)

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        start = {io.SEEK_SET: 0, io.SEEK_CUR: self._position, io.SEEK_END: self._size}[whence]
        if (position := start + offset) < 0:
            raise ValueError(f"negative position {position}")
        self._position = position
        return position

    def close(self) -> None:
        self._body.close()
        super().close()
