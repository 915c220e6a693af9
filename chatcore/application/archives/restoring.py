"""Restoring an archive into an empty store, as a whole or not at all.

The files come first: each is complete or absent, so a repeated import, after one was killed, passes over
those that are there. All rows are one unit of work. Until it is committed the store has no organization.
"""

from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path

from chatcore.application import units
from chatcore.application.archives.format import BadArchive, FileEntry
from chatcore.application.archives.reading import PIECE_SIZE, Archive
from chatcore.application.events.restores import begin_anew
from chatcore.application.files.thumbnails import read_stored_image
from chatcore.application.invitations.inviting import draw_links
from chatcore.application.services import Services
from chatcore.application.units import Unit
from chatcore.domain.errors import BadRequest
from chatcore.domain.ids import AttachmentId, Position
from chatcore.domain.organization.audit import AuditKind
from chatcore.domain.organization.organization import Organization
from chatcore.domain.organization.settings import CHANNEL_SETTINGS
from chatcore.domain.people.api_keys import secret_fingerprint
from chatcore.domain.people.bot_roles import bots_above_owners
from chatcore.storage import Snapshot
from chatcore.storage.archives.tables import BadRows, cell
from chatcore.storage.files import FileMissing

ReportStep = Callable[[str, int], object]


@dataclass(frozen=True, slots=True)
class Restored:
    """The content of an archive that is in the store."""

    organization: str
    users: int
    channels: int
    messages: int
    files: int
    already: int
    """Number of files that an earlier run had stored."""


def restore_archive(
    svc: Services, path: Path, *, progress: ReportStep = lambda step, messages: None
) -> Restored:
    """Restore an archive into a store without an organization.

    *progress* is called with a step, `verify` or `restore`, and the number of messages.

    :raises BadArchive: damaged, of another kind, of a newer program, or with rows that do not fit together
    :raises BadRequest: the store has an organization already
    :raises FilesFull: there is no room for its files
    """
    exported = svc.storage.read(lambda snapshot: snapshot.tables.exported())
    with Archive(path, exported) as archive:
        svc.storage.read(_require_empty)
        _require_free_space(svc, archive)
        archive.verify(lambda messages: progress("verify", messages))
        stored: list[str] = []
        try:
            already = sum(_store_file(svc, archive, entry, stored) for entry in archive.files())
            units.write(svc, _load_tables, archive, progress)
        except BaseException:
            _remove_files(svc, stored)
            raise
        rows = {name: table.rows for name, table in archive.manifest.tables.items()}
        return Restored(
            organization=archive.manifest.organization,
            users=rows.get("account", 0),
            channels=rows.get("channel", 0),
            messages=rows.get("message", 0),
            files=len(stored) + already,
            already=already,
        )


def _require_empty(snapshot: Snapshot) -> None:
    if snapshot.organization.find() is not None:
        raise BadRequest("The database has an organization already; an archive needs an empty one.")


def _require_free_space(svc: Services, archive: Archive) -> None:
    free = svc.files.free_space()
    if free is not None and archive.unpacked > free:
        raise BadArchive(
            f"it unpacks to {archive.unpacked / 2**20:,.0f} MiB, and only {free / 2**20:,.0f} MiB are free"
        )


def _store_file(svc: Services, archive: Archive, entry: FileEntry, stored: list[str]) -> bool:
    """Store the bytes of a file and note its key, unless they are there already; return whether they are."""
    if _is_stored(svc, entry):
        return True
    stored.append(entry.key)
    with closing(svc.files.writer(entry.key)) as writer:
        for piece in archive.file(entry):
            writer.write(piece)
        writer.sync()
    svc.files.finish(entry.key)
    return False


def _remove_files(svc: Services, stored: Sequence[str]) -> None:
    """Remove the files of an import that failed, unless another import has restored them."""
    if units.find_organization(svc.storage) is None:
        for key in stored:
            svc.files.remove(key)


def _is_stored(svc: Services, entry: FileEntry) -> bool:
    digest = sha256()
    try:
        with svc.files.open(entry.key) as file:
            while piece := file.read(PIECE_SIZE):
                digest.update(piece)
    except FileMissing:
        return False
    return digest.hexdigest() == entry.sha256


def _load_tables(unit: Unit, archive: Archive, progress: ReportStep) -> None:
    """Load all rows, and make them the organization of this server."""
    tx = unit.tx
    _require_empty(tx)
    manifest = archive.manifest
    tx.tables.clear()
    images: list[AttachmentId] = []
    try:
        for table in tx.tables.exported():
            done = 0
            for page in archive.rows(table.name):
                left_out = tx.tables.load(table.name, page)
                images += [AttachmentId(cell(row, "attachment_id", int)) for row in left_out]
                done += len(page)
                if table.name == "message":
                    progress("restore", done)
        tx.tables.finish(Position(manifest.head), manifest.sequences)
    except BadRows as error:
        raise BadArchive(str(error)) from error
    organization = tx.organization.find()
    if organization is None:
        raise BadArchive("it has no organization")
    tx.organization.put(_fit_to_this_server(unit, organization))
    for bot, role in bots_above_owners(tx.users.all()):  # keys are new in any case
        tx.users.update(bot.id, role=role)
    draw_links(unit)
    _make_images_again(unit, images)
    missing_positions = manifest.head - tx.log.head()
    if missing_positions > 0:
        tx.draw(missing_positions)
    unit.record(AuditKind.ARCHIVE_IMPORTED, after={"made_at": manifest.made_at})
    begin_anew(tx)


def _make_images_again(unit: Unit, attachment_ids: Sequence[AttachmentId]) -> None:
    """Read the images again whose rows were left out. A file that is none any more gets no thumbnail."""
    for attachment_id in attachment_ids:
        file = unit.tx.attachments.find(attachment_id)
        image = None if file is None else read_stored_image(unit.svc, file)
        if image is not None:
            unit.tx.images.put(image)


def _fit_to_this_server(unit: Unit, organization: Organization) -> Organization:
    """Return the settings with the secret of this server, without channels that were not exported."""
    channel_ids = {channel.id for channel in unit.tx.channels.all()}
    missing = {
        name: None
        for name in CHANNEL_SETTINGS
        if getattr(organization, name) is not None and getattr(organization, name) not in channel_ids
    }
    default_ids = tuple(number for number in organization.default_channel_ids if number in channel_ids)
    return replace(
        organization,
        **missing,  # type: ignore[arg-type]
        default_channel_ids=default_ids,
        secret_fingerprint=secret_fingerprint(unit.svc.settings.secret_key),
    )
