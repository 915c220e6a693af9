"""Writing an archive of the whole organization to a file."""

import os
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from chatcore.application.archives.writing import ReportProgress, write_archive
from chatcore.application.services import Services
from chatcore.disk import open_private, put_in_place


@dataclass(frozen=True, slots=True)
class Exported:
    """The content of a new archive."""

    messages: int
    size: int
    """Bytes of the file."""
    problem: str | None
    """The first reason for which it cannot be restored as it is."""


def export_to_file(
    svc: Services, file: Path, *, progress: ReportProgress = lambda messages: None
) -> Exported:
    """Write the organization to a new file, which only its owner can read; a failed export leaves no file.

    *progress* is called with the number of messages written so far.

    :raises FileExistsError: the file exists
    :raises OSError: it cannot be written
    """
    if os.path.lexists(file):
        raise FileExistsError(f"{file} exists already")
    unfinished = file.with_name(f"{file.name}.unfinished")
    try:
        unfinished.unlink(missing_ok=True)  # left by an interrupted export
        with open_private(unfinished) as out:
            written = write_archive(svc, out, progress=progress)
        put_in_place(unfinished, file)
    except BaseException:
        with suppress(OSError):
            unfinished.unlink()
        raise
    return Exported(written.manifest.tables["message"].rows, file.stat().st_size, written.problem)
