"""The local disk."""

import os
from pathlib import Path


def put_in_place(unfinished: Path, path: Path) -> None:
    """Give a written file its name in one step, instead of an older file if there is one. The content and the
    name are durable afterwards.

    :raises OSError: the disk refuses
    """
    sync(unfinished)
    unfinished.rename(path)
    for folder in dict.fromkeys((unfinished.parent, path.parent)):
        sync(folder)


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
