"""Files on a local disk, and files in memory for stores that are in memory too."""

import errno
import fcntl
import io
import os
import re
import shutil
import stat
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import wraps
from pathlib import Path
from typing import BinaryIO, Concatenate, ParamSpec, Protocol, TypeVar

from chatcore.disk import OF_ITSELF, open_regular, put_in_place, sync
from chatcore.storage.files import FileBusy, FileMissing, FilesFull, FilesNotReady

UNFINISHED = "unfinished"
P = ParamSpec("P")
T = TypeVar("T")
N = TypeVar("N", bound="_Named")
_KEY = re.compile(r"[0-9a-f]{2}/[A-Za-z0-9_-]{1,100}")


REFUSALS = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EFBIG})
"""Errors of a disk that is full or read-only. The store works again when the disk does."""


@contextmanager
def _using_disk(name: str) -> Iterator[None]:
    """Translate the disk's errors, with the name of the folder.

    :raises FilesFull: it is full or read-only
    :raises FilesNotReady: the folder is closed to this user, the disk is broken or away, or another cause
    """
    try:
        yield
    except OSError as error:
        refusal = FilesFull if error.errno in REFUSALS else FilesNotReady
        raise refusal(f"{name}: {error.strerror or error}") from error


class _Named(Protocol):
    name: str
    """The folder, for people."""


def _on_disk(method: Callable[Concatenate[N, P], T]) -> Callable[Concatenate[N, P], T]:
    """Let a method translate the disk's errors."""

    @wraps(method)
    def call(self: N, /, *arguments: P.args, **named: P.kwargs) -> T:
        with _using_disk(self.name):
            return method(self, *arguments, **named)

    return call


def is_key(name: str) -> bool:
    """Whether a file can have the name as its key."""
    return _KEY.fullmatch(name) is not None


def checked_key(key: str) -> str:
    """Check that a key does not lead outside the folder."""
    if not is_key(key):
        raise ValueError(f"{key!r} is not a valid key of a file")
    return key


class LocalFiles:
    """Files below one folder that only its owner can read: `ab/…`, and `unfinished/ab…` while they grow.

    A writer holds a lock of the operating system, which ends with the process, however the process ends.
    """

    def __init__(self, folder: Path, name: str = "the folder of uploaded files") -> None:
        self._folder = folder
        self.name = name

    @_on_disk
    def writer(self, key: str, at: int = 0) -> "LocalWriter":
        """Open an unfinished file to continue it from the byte *at*: lock it, and cut it off there. At 0, the
        file is made if there is none.
        """
        path = self._unfinished_path(key)
        _make_private(path.parent)
        flags = os.O_WRONLY | os.O_CLOEXEC | OF_ITSELF | (0 if at else os.O_CREAT)
        try:
            descriptor = os.open(path, flags, 0o600)
        except FileNotFoundError as error:
            raise FileMissing(key) from error
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if os.fstat(descriptor).st_size < at:
                raise FileMissing(key)
            os.ftruncate(descriptor, at)
            os.lseek(descriptor, at, os.SEEK_SET)
        except BlockingIOError as error:
            os.close(descriptor)
            raise FileBusy(key) from error
        except BaseException:
            os.close(descriptor)
            raise
        return LocalWriter(descriptor, self.name)

    @_on_disk
    def finish(self, key: str) -> None:
        source, target = self._unfinished_path(key), self._finished_path(key)
        _make_private(target.parent)
        try:
            put_in_place(source, target)
        except FileNotFoundError as error:
            if not target.exists():
                raise FileMissing(key) from error
            sync(target.parent)  # an attempt before this one may have failed after it gave the name

    @_on_disk
    def open(self, key: str) -> BinaryIO:
        try:
            return open_regular(self._finished_path(key))
        except FileNotFoundError as error:
            raise FileMissing(key) from error

    @_on_disk
    def remove(self, key: str) -> None:
        self._unfinished_path(key).unlink(missing_ok=True)
        self._finished_path(key).unlink(missing_ok=True)

    def sizes(self) -> Iterator[tuple[str, int]]:
        with _using_disk(self.name):
            for path in self._folder.glob("[0-9a-f][0-9a-f]/*"):
                if is_key(key := f"{path.parent.name}/{path.name}"):
                    with suppress(FileNotFoundError):  # removed meanwhile
                        status = path.lstat()
                        if stat.S_ISREG(status.st_mode):
                            yield key, status.st_size

    @_on_disk
    def free_space(self) -> int | None:
        return shutil.disk_usage(self._existing_folder()).free

    @_on_disk
    def check(self) -> None:
        for folder in (self._existing_folder(), self._folder / UNFINISHED):
            if folder.exists() and not os.access(folder, os.R_OK | os.W_OK | os.X_OK):
                raise OSError(errno.EACCES, os.strerror(errno.EACCES))

    def _existing_folder(self) -> Path:
        """Return the folder, or the one in which it will be made."""
        return next(folder for folder in (self._folder, *self._folder.absolute().parents) if folder.exists())

    def _unfinished_path(self, key: str) -> Path:
        return self._folder / UNFINISHED / checked_key(key).replace("/", "")

    def _finished_path(self, key: str) -> Path:
        return self._folder / checked_key(key)


class LocalWriter:
    def __init__(self, descriptor: int, name: str) -> None:
        self._descriptor = descriptor
        self.name = name

    @_on_disk
    def write(self, data: bytes) -> None:
        left = memoryview(data)
        while left:
            left = left[os.write(self._descriptor, left) :]

    @_on_disk
    def cut(self, at: int) -> None:
        os.ftruncate(self._descriptor, at)
        os.lseek(self._descriptor, at, os.SEEK_SET)

    @_on_disk
    def sync(self) -> None:
        os.fsync(self._descriptor)

    @_on_disk
    def close(self) -> None:
        os.close(self._descriptor)


def _make_private(folder: Path) -> None:
    """Make a folder, and its missing parents, without access for other users."""
    if not folder.is_dir():
        _make_private(folder.parent)
        with suppress(FileExistsError):
            folder.mkdir(mode=0o700)
            sync(folder.parent)


class FilesInMemory:
    """Files in memory. They end with the process, like the store that they belong to."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._unfinished: dict[str, bytearray] = {}
        self._finished: dict[str, bytes] = {}
        self._busy: set[str] = set()

    def writer(self, key: str, at: int = 0) -> "MemoryWriter":
        """Do what `LocalFiles.writer` does, with bytes in memory."""
        checked_key(key)
        with self._lock:
            if key in self._busy:
                raise FileBusy(key)
            if at == 0:
                self._unfinished.setdefault(key, bytearray())
            data = self._unfinished.get(key)
            if data is None or len(data) < at:
                raise FileMissing(key)
            del data[at:]
            self._busy.add(key)
        return MemoryWriter(data, lambda: self._busy.discard(key))

    def finish(self, key: str) -> None:
        checked_key(key)
        with self._lock:
            if key in self._unfinished:
                self._finished[key] = bytes(self._unfinished.pop(key))
            if key not in self._finished:
                raise FileMissing(key)

    def open(self, key: str) -> BinaryIO:
        with self._lock:
            if checked_key(key) not in self._finished:
                raise FileMissing(key)
            return io.BytesIO(self._finished[key])

    def remove(self, key: str) -> None:
        with self._lock:
            self._unfinished.pop(checked_key(key), None)
            self._finished.pop(key, None)

    def sizes(self) -> Iterator[tuple[str, int]]:
        with self._lock:
            return iter([(key, len(data)) for key, data in self._finished.items()])

    def free_space(self) -> int | None:
        return None

    def check(self) -> None:
        """Do nothing: memory is always there."""


class MemoryWriter:
    def __init__(self, data: bytearray, let_go: Callable[[], None]) -> None:
        self._data = data
        self.close = let_go

    def write(self, data: bytes) -> None:
        self._data += data

    def cut(self, at: int) -> None:
        del self._data[at:]

    def sync(self) -> None:
        """Do nothing: memory cannot be made more durable."""
