"""Writing the exports that administrators have requested, by whichever process comes first.

The writer of the file holds its lock, which ends with the process; so another process takes up the export of
one that was killed, and never writes beside one that lives.
"""

import logging
from contextlib import closing, suppress
from dataclasses import replace
from math import inf
from typing import Final

from chatcore.application import units
from chatcore.application.archives.exports import announce_exports
from chatcore.application.archives.writing import write_archive
from chatcore.application.delivery import notices
from chatcore.application.due import read_due
from chatcore.application.services import Services
from chatcore.application.units import Unit, View
from chatcore.domain.archives.exports import Export, ExportType, accounts_with_consent, may_open
from chatcore.domain.errors import BadRequest, ChatError
from chatcore.domain.files.uploads import require_disk
from chatcore.domain.organization.organization import EditHistoryVisibility
from chatcore.domain.people.users import EmailVisibility, placeholder_email
from chatcore.markup import Facts
from chatcore.runtime.work import Work
from chatcore.storage import StorageNotReady
from chatcore.storage.archives.tables import OnePerson, Scope
from chatcore.storage.files import FileBusy, FileMissing, FilesNotReady, FileWriter
from chatcore.storage.slices import let_others

log = logging.getLogger("chatcore.archives")

MAX_ATTEMPTS: Final = 3
"""Times that an export is begun before it counts as failed."""
BYTES_BETWEEN_CHECKS: Final = 16 * 2**20
"""Bytes that are written between two looks at the free space of the disk."""


class Stopped(Exception):
    """The process ends; the export waits for the next one."""


def write_requested(svc: Services) -> float:
    """Write all exports that wait; return the seconds until the next one: infinity, as none is planned."""
    for export in read_due(svc, lambda snapshot: snapshot.exports.pending()):
        if svc.alarms.exports.stopped:
            break
        try:
            writer = svc.files.writer(export.file_key)
        except FileBusy:
            continue
        except ChatError as error:
            units.write(svc, _end_export, export, failure=error.message)
            continue
        with closing(writer):
            _attempt_export(svc, export, writer)
        let_others()
    return inf


def _attempt_export(svc: Services, export: Export, writer: FileWriter) -> None:
    """Write an export; an unexpected failure counts only after several attempts.

    :raises StorageNotReady: the store is not available at present
    """
    key = export.file_key
    begun = units.write(svc, _count_attempt, export)
    if begun is None:  # it was written before this process had the lock
        if not units.read(svc, _is_available, export):
            _remove_file(svc, key)
        return
    try:
        if begun.attempts > MAX_ATTEMPTS:
            raise ChatError("The export was begun several times, and never finished.")
        scope = units.read(svc, _find_scope, begun)
        sink = _Sink(svc, writer)
        written = write_archive(svc, sink, scope, scope_name=begun.export_type.scope_name)
        svc.run_blocking(writer.sync, Work.ARCHIVES)
        svc.run_blocking(lambda: svc.files.finish(key), Work.FILES)
    except Stopped:
        _remove_file(svc, key)
        units.write(svc, _put_back_export, export)
    except (ChatError, FilesNotReady) as error:
        _remove_file(svc, key)
        units.write(svc, _end_export, begun, failure=str(error))
    except FileMissing:  # it was removed meanwhile, as the person is being erased
        units.write(svc, _end_export, begun, failure="Its file was removed.")
    except StorageNotReady:
        raise
    except Exception:
        _remove_file(svc, key)
        log.exception("export %d could not be written", export.id)
        if begun.attempts >= MAX_ATTEMPTS:
            units.write(svc, _end_export, begun, failure="Internal server error")
    else:
        if not units.write(svc, _end_export, begun, problem=written.problem):
            _remove_file(svc, key)


def _remove_file(svc: Services, key: str) -> None:
    """Remove the bytes of an export that has ended, unless their store is out of reach."""
    with suppress(FilesNotReady):
        svc.files.remove(key)


class _Sink:
    """The archive of an export in the file store; it stops the export for want of space."""

    def __init__(self, svc: Services, writer: FileWriter) -> None:
        self._svc, self._writer = svc, writer
        self._unchecked = BYTES_BETWEEN_CHECKS

    def write(self, data: bytes) -> None:
        if self._svc.alarms.exports.stopped:
            raise Stopped
        self._unchecked += len(data)
        if self._unchecked >= BYTES_BETWEEN_CHECKS:
            self._unchecked = 0
            require_disk(0, self._svc.files.free_space(), self._svc.limits)
        self._writer.write(data)


def _find_scope(view: View, export: Export) -> Scope | OnePerson:
    """Return the part of the data that an export has.

    :raises BadRequest: the account that has requested it may not have it any more
    """
    requester = view.snapshot.users.get(export.acting_user_id)
    person = None if export.user_id is None else view.snapshot.users.find(export.user_id)
    if not requester.is_active or not may_open(export, requester.id, requester.role, person):
        raise BadRequest("You are not allowed to export this data any more.")
    if export.user_id is not None:
        return OnePerson(export.user_id)
    return scope_of(view, export.export_type)


def scope_of(view: View, export_type: ExportType) -> Scope:
    """Return the part of the organization that an export has: what all administrators may know of, and the
    private data of people who have consented, if that was requested.
    """
    users = view.snapshot.users.all()
    people = accounts_with_consent(users) if export_type is ExportType.STANDARD else frozenset()
    hidden = [
        user.id for user in users if not user.is_bot and user.email_visibility == EmailVisibility.NOBODY
    ]
    history = view.snapshot.organization.get().message_edit_history_visibility_policy
    return Scope(
        people=people,
        addresses={user_id: placeholder_email(user_id, view.svc.settings.host) for user_id in hidden},
        with_edits=history == EditHistoryVisibility.ALL,
    )


def _count_attempt(unit: Unit, export: Export) -> Export | None:
    """Count an attempt, unless the export has ended meanwhile."""
    current = unit.tx.exports.find(export.id)
    if current is None or not current.is_pending:
        return None
    begun = replace(current, attempts=current.attempts + 1)
    unit.tx.exports.update(begun)
    return begun


def _put_back_export(unit: Unit, export: Export) -> None:
    """Store the export as it was before an attempt that does not count."""
    unit.tx.exports.update(export)


def _is_available(view: View, export: Export) -> bool:
    current = view.snapshot.exports.find(export.id)
    return current is not None and current.is_available


def _end_export(
    unit: Unit, export: Export, *, failure: str | None = None, problem: str | None = None
) -> bool:
    """Note that an export has ended, and notify the account that has requested it, also of a *problem* for
    which it cannot be restored. Return whether it has an archive: not after a failure, nor if it was removed
    meanwhile.
    """
    current = unit.tx.exports.find(export.id)
    if current is None or not current.is_pending:
        return current is not None and current.is_available
    ended = replace(current, finished_at=unit.now)
    if failure is not None:
        ended = replace(current, failed_at=unit.now)
    unit.tx.exports.update(ended)
    if ended.user_id is None:
        announce_exports(unit, {ended.acting_user_id})
    if unit.tx.users.get(ended.acting_user_id).is_active:
        report = _report_text(unit.svc, ended, failure, problem)
        notices.to_person(unit, ended.acting_user_id, report, Facts())
    return ended.is_available


def _report_text(svc: Services, ended: Export, failure: str | None, problem: str | None) -> str:
    """Return the text in which the notification bot tells the end of an export."""
    content = _describe_content(ended)
    if failure is not None:
        return f"The export of {content} has failed:\n\n> {notices.as_code(failure)}"
    text = f"The export of {content} is complete: [download it]({svc.settings.external_url}{ended.url})."
    if ended.user_id is not None:
        text += " It is deleted after a week."
    if problem is not None:
        text += f"\n\nIt cannot be restored as it is:\n\n> {notices.as_code(problem)}"
    return text


def _describe_content(export: Export) -> str:
    """Say whose data an export holds, to the person who requested it."""
    if export.user_id is None:
        return "the organization"
    return "your data" if export.user_id == export.acting_user_id else "the data of a person"
