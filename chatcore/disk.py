"""The local disk."""

import errno
import os
import stat
from pathlib import Path
from typing import BinaryIO, Final


def put_in_place(unfinished: Path, path: Path) -> None:
    """Give a written file its name in one step, instead of an older file if there is one. The content and the
    name are durable afterwards.

    :raises OSError: the disk refuses
    """
    sync(unfinished)
    unfinished.rename(path)
    for folder in dict.fromkeys((unfinished.parent, path.parent)):
        sync(folder)


def open_private(path: Path) -> BinaryIO:
    """Make a new file that only its owner can read, and open it for writing.

    :raises OSError: it is there, or the disk refuses
    """
    return os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600), "wb")


OF_ITSELF: Final = os.O_NOFOLLOW | os.O_NONBLOCK
"""Flags for a file that may have been replaced: a link leads nowhere, and a pipe keeps nobody waiting."""


def open_regular(path: Path) -> BinaryIO:
    """Open a file for reading, but neither a link nor a pipe, folder or device in its place.

    :raises FileNotFoundError: there is no file
    :raises OSError: the disk refuses
    """
    try:
        file = open(path, "rb", opener=_open_itself)  # noqa: SIM115 - the caller closes it
    except OSError as error:
        if error.errno in (errno.ELOOP, errno.EISDIR, errno.ENXIO):
            raise _no_file(path) from error
        raise
    if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
        file.close()
        raise _no_file(path)
    return file


def _open_itself(path: str, flags: int) -> int:
    return os.open(path, flags | OF_ITSELF)


def _no_file(path: Path) -> FileNotFoundError:
    return FileNotFoundError(errno.ENOENT, "Not a regular file", str(path))


def sync(path: Path) -> None:
    """Make the contents of a file durable, or the names in a folder.

    :raises OSError: the disk refuses
    """
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        # gevent's `os.close` closes a folder later, and keeps its number in a table of all threads; it
        # fails for another folder that has the number by now.
        os.closerange(descriptor, descriptor + 1)
