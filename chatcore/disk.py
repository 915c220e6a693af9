"""The local disk."""

import os
from pathlib import Path
from typing import BinaryIO


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
