"""A process that begins to write an export, and is killed at it: `python dying_program.py URL FOLDER`."""

import os
import signal
import sys
from pathlib import Path
from typing import Any

from chatcore.application.archives.working import write_requested
from chatcore.bootstrap import make_services
from storage_backends import LocalFiles, open_storage
from tests.worlds.archives import settings

KILLED_AFTER = 1000
"""Bytes of the archive."""


class DyingWriter:
    """A writer of a file whose process is killed after some bytes."""

    def __init__(self, writer: Any) -> None:
        self._writer = writer
        self._written = 0
        self.close = writer.close

    def write(self, data: bytes) -> None:
        self._writer.write(data)
        self._written += len(data)
        if self._written > KILLED_AFTER:
            os.kill(os.getpid(), signal.SIGKILL)


class DyingFiles(LocalFiles):
    def writer(self, key: str, at: int = 0) -> Any:
        return DyingWriter(super().writer(key, at))


def main(url: str, folder: Path) -> None:
    svc = make_services(settings(url, folder), open_storage(url))
    object.__setattr__(svc, "files", DyingFiles(folder / "uploads"))
    write_requested(svc)


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
