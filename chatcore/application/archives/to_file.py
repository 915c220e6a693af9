"""Writing an archive to a file, of the whole organization or of one person."""

import os
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from chatcore.application.archives.one_person import note_export
from chatcore.application.archives.writing import ReportProgress, write_archive
from chatcore.application.services import Services
from chatcore.disk import open_private, put_in_place
from chatcore.domain.archives.exports import EVERYTHING, ONE_PERSON
from chatcore.domain.ids import UserId
from chatcore.storage.archives.tables import OnePerson


@dataclass(frozen=True, slots=True)
class Exported:
    """The content of a new archive."""

    messages: int
    size: int
    """Bytes of the file."""
    problem: str | None
    """The first reason for which it cannot be restored as it is."""


def export_to_file(
    svc: Services,
    file: Path,
    *,
    person: int | None = None,
    progress: ReportProgress = lambda messages: None,
) -> Exported:
    """Write the organization to a new file, which only its owner can read; a failed export leaves no file.

    *progress* is called with the number of messages written so far.

    :param person: the only one whose data is written, which the audit log notes; None for everybody
    :raises FileExistsError: the file exists
    :raises OSError: it cannot be written
    :raises BadRequest: no such person
    """
    if os.path.lexists(file):
        raise FileExistsError(f"{file} exists already")
    if person is not None:
        note_export(svc, person)
    scope = None if person is None else OnePerson(UserId(person))
    scope_name = EVERYTHING if person is None else ONE_PERSON
    unfinished = file.with_name(f"{file.name}.unfinished")
    try:
        unfinished.unlink(missing_ok=True)  # left by an interrupted export
        with open_private(unfinished) as out:
            written = write_archive(svc, out, scope, scope_name=scope_name, progress=progress)
        put_in_place(unfinished, file)
    except BaseException:
        with suppress(OSError):
            unfinished.unlink()
        raise
    return Exported(written.manifest.tables["message"].rows, file.stat().st_size, written.problem)
