"""The exports that administrators request: requesting, listing, deleting and reading them."""

import os
import secrets
from collections.abc import Sequence
from dataclasses import replace
from typing import Annotated

from chatcore.application.arguments import Id, about
from chatcore.application.files.access import OpenFile
from chatcore.application.services import Services
from chatcore.application.units import Unit, View, read_only, unit_of_work
from chatcore.domain.archives import exports as rules
from chatcore.domain.archives.exports import NOT_STORED, Export, ExportType
from chatcore.domain.errors import BadRequest
from chatcore.domain.files.uploads import Attachment, NoSuchFile
from chatcore.domain.groups.actors import Actor
from chatcore.domain.ids import AttachmentId, ExportId, UserId
from chatcore.domain.organization.administration import require_administrator
from chatcore.domain.organization.audit import AuditKind
from chatcore.events.audience import Users
from chatcore.events.happened import ExportsChanged
from chatcore.events.payloads.exports import ConsentObject, ExportObject, export_object
from chatcore.storage.files import FileMissing

CONTENT_TYPE = "application/zip"


@read_only
def list_exports(view: View, me: Actor) -> Sequence[ExportObject]:
    """List the exports of the organization.

    :returns: exports, oldest first
    :raises InsufficientRole: the actor is no administrator
    """
    require_administrator(me)
    return _export_objects(view)


def request_export(svc: Services, actor: Actor, export_type: int) -> ExportId:
    """Request an export, which a process writes beside its other work.

    :raises InsufficientRole: the actor is no administrator
    :raises BadRequest: too many exports, or too large an organization
    """
    try:
        wanted = ExportType(export_type)
    except ValueError as error:
        raise BadRequest("Invalid export_type") from error
    export_id = _add_export(svc, actor, wanted)
    svc.alarms.exports.ring()
    return export_id


@unit_of_work
def _add_export(unit: Unit, me: Actor, wanted: ExportType) -> ExportId:
    require_administrator(me)
    exports = unit.tx.exports
    before = exports.all()
    rules.require_few_exports(before, unit.now, unit.limits)
    messages = unit.tx.tables.count_messages(unit.limits.max_messages_per_export + 1)
    rules.require_size(messages, unit.tx.attachments.space_used(), unit.limits)
    exports.remove([export.id for export in before if rules.is_forgotten(export, unit.now)])
    export = exports.add(
        Export(
            id=NOT_STORED,
            acting_user_id=me.user_id,
            export_type=wanted,
            requested_at=unit.now,
            token=secrets.token_urlsafe(18),
        )
    )
    unit.record(AuditKind.EXPORT_REQUESTED, export.id, after={"export_type": wanted.name.lower()})
    announce_exports(unit, {me.user_id})
    return export.id


def delete_export(svc: Services, actor: Actor, export_id: Annotated[Id, about("The export's id.")]) -> None:
    """Delete the archive of an export.

    :raises InsufficientRole: the actor is no administrator
    :raises BadRequest: no such export, or none that has an archive
    """
    svc.files.remove(_note_deletion(svc, actor, export_id).file_key)


@unit_of_work
def _note_deletion(unit: Unit, me: Actor, export_id: int) -> Export:
    require_administrator(me)
    found = unit.tx.exports.find(export_id)
    if found is not None and found.user_id is not None:
        found = None  # those of one person are deleted by themselves
    export = rules.require_can_delete(found)
    unit.tx.exports.update(replace(export, deleted_at=unit.now))
    unit.record(AuditKind.EXPORT_DELETED, export.id)
    announce_exports(unit, {me.user_id, export.acting_user_id})
    return export


@read_only
def list_consents(view: View, me: Actor) -> Sequence[ConsentObject]:
    """List the people with their consents to the export of private data.

    :raises InsufficientRole: the actor is no administrator
    """
    require_administrator(me)
    people = rules.active_people(view.snapshot.users.all())
    return [{"user_id": user.id, "consented": rules.consents(user)} for user in people]


def open_export(svc: Services, actor: Actor, token: str, name: str) -> OpenFile:
    """Open the archive of an export, by the parts of its address; the caller closes it.

    :raises NoSuchFile: no such archive, or one that is not for the actor
    """
    export = _find_available(svc, actor, token, name)
    try:
        file = svc.files.open(export.file_key)
    except FileMissing as error:
        raise NoSuchFile from error
    size = file.seek(0, os.SEEK_END)
    file.seek(0)
    archive = Attachment(
        id=AttachmentId(0),  # an archive has no row among the uploads
        path_id=f"exports/{token}/{name}",
        owner_id=export.acting_user_id,
        name=export.file_name,
        content_type=CONTENT_TYPE,
        is_shown=False,
        size=size,
        created=export.requested_at * 1000,
    )
    return OpenFile(archive, file)


@read_only
def _find_available(view: View, me: Actor, token: str, name: str) -> Export:
    export = view.snapshot.exports.find_by_token(token)
    if export is None or not export.is_available or export.file_name != name:
        raise NoSuchFile
    if not may_open(view, me, export):
        raise NoSuchFile
    return export


def may_open(view: View, me: Actor, export: Export) -> bool:
    """Whether the actor may download an archive now, by the actor's role and the consent of the person."""
    user_id = export.user_id
    person = None if user_id in {None, me.user_id} else view.snapshot.users.find(user_id)
    return rules.may_open(export, me.user_id, me.role, person)


def announce_exports(unit: Unit, user_ids: set[UserId]) -> None:
    """Send the list of exports to those who have requested or deleted one, and are administrators."""
    users = unit.tx.users.by_ids(user_ids)
    told = [user_id for user_id in sorted(user_ids) if users[user_id].role.is_administrator]
    unit.tx.announce(ExportsChanged(exports=list(_export_objects(unit))), Users(tuple(told)))


def _export_objects(view: View) -> Sequence[ExportObject]:
    return [
        export_object(export, view.svc.settings.external_url)
        for export in view.snapshot.exports.all()
        if export.user_id is None
    ]
