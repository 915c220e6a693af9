"""Unused files, which the server drops after weeks, and files for the organization's own tools.

A file is unused if no message links to it, and its owner has no draft, scheduled message, reminder or saved
snippet that names it. Until somebody sends a link, nobody else can read it, so that texts of others do not
count. Pictures of people, emoji, and exports are no uploads: their own rows have them.
"""

from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress
from typing import NamedTuple
from urllib.parse import unquote

from chatcore.application import units
from chatcore.application.files.uploads import SWEEP_SIZE, held_files, remove_file, sweep
from chatcore.application.services import Services
from chatcore.application.units import Unit, View
from chatcore.domain.errors import BadRequest
from chatcore.domain.files.uploads import Attachment
from chatcore.domain.ids import AttachmentId, MessageId, UserId
from chatcore.domain.organization.audit import AuditKind
from chatcore.domain.retention.holds import MustBeKept
from chatcore.storage import StorageNotReady

PAGE = 1000
"""Files that are read at a time."""


class ListedFile(NamedTuple):
    """A file, and the newest message that links to it, if there is one."""

    attachment: Attachment
    message_id: MessageId | None


# -- unused files ---------------------------------------------------------------------------------------


def drop_unused(svc: Services) -> None:
    """Remove files that have been unused for weeks, and expired uploads."""
    units.write(svc, _remove_unused)
    sweep(svc)


def _remove_unused(unit: Unit) -> None:
    """Remove some unused files, but none of people who are held; others without links are looked at again
    after as many weeks.
    """
    before = unit.now - unit.limits.unlinked_upload_lifetime
    held = unit.tx.holds.present().people
    unlinked = unit.tx.attachments.unlinked(before, SWEEP_SIZE, held=held)
    if not unlinked:
        return
    named = _named_by_owners(unit, unlinked)
    unit.tx.attachments.put_off(named, unit.now)
    for attachment in unlinked:
        if attachment.id not in named:
            remove_file(unit, attachment)


def _named_by_owners(view: View, attachments: Collection[Attachment]) -> frozenset[AttachmentId]:
    """Return the files that are named in texts which their owners have not sent yet, such as drafts."""
    by_owner: defaultdict[UserId, list[Attachment]] = defaultdict(list)
    for attachment in attachments:
        by_owner[attachment.owner_id].append(attachment)
    named: set[AttachmentId] = set()
    for owner_id, files in by_owner.items():
        for text in _unsent_texts(view, owner_id):
            named.update(file.id for file in files if file.path_id in text)
    return frozenset(named)


def _unsent_texts(view: View, user_id: UserId) -> Iterator[str]:
    """Yield the texts that a user keeps and has not sent. They are percent-decoded, as a link that was copied
    from a browser may be encoded.
    """
    snapshot = view.snapshot
    drafts = snapshot.drafts.newest(user_id, view.limits.max_drafts_per_user)
    texts = [draft.content for draft in drafts]
    for scheduled in snapshot.scheduled_messages.of_user(user_id):
        texts += [scheduled.content, scheduled.note]
    texts += [snippet.content for snippet in snapshot.saved_snippets.of_user(user_id)]
    for text in texts:
        yield unquote(text)


# -- files for the organization's own tools -------------------------------------------------------------


def list_files(
    svc: Services, *, owner_id: UserId | None = None, unused_for: int | None = None
) -> Iterator[ListedFile]:
    """Read all files, or those of an owner, in the order of their uploads; with *unused_for* only
    those that have been unused for so many seconds.
    """
    after = 0
    while page := units.read(svc, _read_page, after, owner_id, unused_for):
        files, after = page
        yield from files


def _read_page(
    view: View, after: int, owner_id: UserId | None, unused_for: int | None
) -> tuple[Sequence[ListedFile], int] | None:
    """Return some files, and where to continue; None at the end."""
    before = None if unused_for is None else view.now - unused_for
    files = view.snapshot.attachments.page(after, PAGE, owner_id=owner_id, unlinked_before=before)
    if not files:
        return None
    used = frozenset() if unused_for is None else _named_by_owners(view, files) | held_files(view, files)
    links = view.snapshot.attachments.links([file.id for file in files], newest=1)
    newest = {file_id: linking[-1].message_id for file_id, linking in links.items()}
    listed = [ListedFile(file, newest.get(file.id)) for file in files if file.id not in used]
    return listed, files[-1].id


def delete_files(svc: Services, path_ids: Collection[str]) -> Sequence[Attachment]:
    """Delete files, also those of messages, which stay unchanged; return them.

    :raises BadRequest: one of them does not exist; then none is deleted
    :raises MustBeKept: a legal hold keeps one of them; then none is deleted
    """
    found = svc.storage.read(lambda snapshot: snapshot.attachments.by_path_ids(path_ids))
    missing = {*path_ids} - {attachment.path_id for attachment in found}
    if missing:
        raise BadRequest(f"There is no file '{min(missing)}'.")
    if units.read(svc, held_files, found):
        raise MustBeKept
    return [*_delete(svc, found, must_be_unused=False)]


def delete_unused(svc: Services, unused_for: int) -> Sequence[Attachment]:
    """Delete all files that have been unused for so many seconds; return them."""
    found = [listed.attachment for listed in list_files(svc, unused_for=unused_for)]
    return [*_delete(svc, found, must_be_unused=True)]


def _delete(
    svc: Services, attachments: Sequence[Attachment], *, must_be_unused: bool
) -> Iterator[Attachment]:
    """Delete files in batches, rows and bytes; bytes that cannot be reached now are removed later."""
    for start in range(0, len(attachments), SWEEP_SIZE):
        yield from units.write(svc, _delete_batch, attachments[start : start + SWEEP_SIZE], must_be_unused)
        with suppress(StorageNotReady):
            sweep(svc)


def _delete_batch(
    unit: Unit, attachments: Sequence[Attachment], must_be_unused: bool
) -> Sequence[Attachment]:
    """Delete those of the files that still exist, and are unused if they have to be."""
    files = unit.tx.attachments.by_path_ids([attachment.path_id for attachment in attachments])
    if must_be_unused:
        linked = unit.tx.attachments.links([file.id for file in files], newest=1).keys()
        used = linked | _named_by_owners(unit, files) | held_files(unit, files)
        files = [file for file in files if file.id not in used]
    elif held_files(unit, files):
        raise MustBeKept
    for file in files:
        remove_file(unit, file)
    if files:
        counts = {"file_count": len(files), "bytes": sum(file.size for file in files)}
        owners = {"owner_ids": {file.owner_id for file in files}}
        unit.record(AuditKind.FILES_DELETED, before={**counts, **owners})
    return files
