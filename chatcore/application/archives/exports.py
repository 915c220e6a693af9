"""The exports that administrators request: requesting, listing, deleting and reading them."""

import secrets
from collections.abc import Sequence
from dataclasses import replace

from chatcore.application.files.access import OpenFile
from chatcore.application.services import Services
from chatcore.application.units import refresh_actor
from chatcore.domain.archives import exports as rules
from chatcore.domain.archives.exports import Export, ExportType
from chatcore.domain.errors import BadRequest, InsufficientRole
from chatcore.domain.files.uploads import Attachment, NoSuchFile
from chatcore.domain.groups.actors import Actor
from chatcore.domain.ids import AttachmentId, ExportId, UserId
from chatcore.domain.organization.administration import require_administrator
from chatcore.events.audience import Users
from chatcore.events.shapes.exports import ConsentObject, ExportObject, export_shape
from chatcore.events.types import ExportsChanged
from chatcore.storage import Snapshot, Transaction
from chatcore.storage.files import FileMissing

CONTENT_TYPE = "application/zip"


def list_exports(svc: Services, actor: Actor) -> Sequence[ExportObject]:
    """Return all exports, oldest first.

    :raises InsufficientRole: the actor is no administrator
    """

    def read(snapshot: Snapshot) -> Sequence[ExportObject]:
        require_administrator(refresh_actor(snapshot, actor, svc.now))
        return _shapes(svc, snapshot)

    return svc.storage.read(read)


def request_export(svc: Services, actor: Actor, export_type: int) -> ExportId:
    """Request an export, which a process writes beside its other work.

    :raises InsufficientRole: the actor is no administrator
    :raises BadRequest: too many exports, or too large an organization
    """
    try:
        wanted = ExportType(export_type)
    except ValueError as error:
        raise BadRequest("Invalid export_type") from error

    def write(tx: Transaction) -> ExportId:
        user_id = require_export_rights(svc, tx, actor)
        before = tx.exports.all()
        rules.require_room(before, svc.now, svc.limits)
        messages = tx.tables.count_messages(svc.limits.max_messages_per_export + 1)
        rules.require_size(messages, tx.attachments.space_used(), svc.limits)
        tx.exports.remove([one.id for one in before if rules.is_forgotten(one, svc.now)])
        export = tx.exports.add(user_id, wanted, secrets.token_urlsafe(18), svc.now)
        announce(svc, tx, {user_id})
        return export.id

    export_id = svc.storage.write(write)
    svc.alarms.exports.ring()
    return export_id


def delete_export(svc: Services, actor: Actor, export_id: int) -> None:
    """Delete the archive of an export.

    :raises InsufficientRole: the actor is no administrator
    :raises BadRequest: no such export, or none that has an archive
    """

    def write(tx: Transaction) -> Export:
        user_id = require_export_rights(svc, tx, actor)
        export = rules.require_can_delete(tx.exports.find(export_id))
        tx.exports.update(replace(export, deleted_at=svc.now))
        announce(svc, tx, {user_id, export.acting_user_id})
        return export

    svc.files.remove(rules.file_key(svc.storage.write(write).token))


def list_consents(svc: Services, actor: Actor) -> Sequence[ConsentObject]:
    """Return the people, each with whether they consent to the export of their private data.

    :raises InsufficientRole: the actor is no administrator
    """

    def read(snapshot: Snapshot) -> Sequence[ConsentObject]:
        require_administrator(refresh_actor(snapshot, actor, svc.now))
        people = rules.active_people(snapshot.users.all())
        return [{"user_id": user.id, "consented": rules.consents(user)} for user in people]

    return svc.storage.read(read)


def open_export(svc: Services, actor: Actor, token: str, name: str) -> OpenFile:
    """Open the archive of an export, by the parts of its address; the caller closes it.

    :raises NoSuchFile: no such archive, or the actor is no administrator
    """

    def read(snapshot: Snapshot) -> Export:
        require_administrator(refresh_actor(snapshot, actor, svc.now))
        export = snapshot.exports.find_by_token(token)
        if export is None or not export.is_available or export.file_name != name:
            raise NoSuchFile
        return export

    try:
        export = svc.storage.read(read)
        file = svc.files.open(rules.file_key(export.token))
    except (FileMissing, InsufficientRole) as error:
        raise NoSuchFile from error
    size = file.seek(0, 2)
    file.seek(0)
    archive = Attachment(
        id=AttachmentId(0),
        path_id=f"exports/{token}/{name}",
        owner_id=export.acting_user_id,
        name=export.file_name,
        content_type=CONTENT_TYPE,
        is_shown=False,
        size=size,
        created=export.requested_at * 1000,
    )
    return OpenFile(archive, file)


def require_export_rights(svc: Services, snapshot: Snapshot, actor: Actor) -> UserId:
    """Return the account of an administrator.

    :raises InsufficientRole: the actor is no administrator
    """
    me = refresh_actor(snapshot, actor, svc.now)
    require_administrator(me)
    return me.user_id


def announce(svc: Services, tx: Transaction, user_ids: set[UserId]) -> None:
    """Send the list of exports to those who have requested or deleted one."""
    tx.announce(ExportsChanged(exports=list(_shapes(svc, tx))), Users(tuple(sorted(user_ids))))


def _shapes(svc: Services, snapshot: Snapshot) -> Sequence[ExportObject]:
    return [export_shape(export, svc.settings.external_url) for export in snapshot.exports.all()]
