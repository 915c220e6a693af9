"""Exports of one person's data, which the person requests, or an administrator with the person's consent."""

import secrets
from collections.abc import Sequence
from dataclasses import replace

from chatcore.application import units
from chatcore.application.archives.exports import may_open
from chatcore.application.arguments import UserNumber
from chatcore.application.services import Services
from chatcore.application.units import Unit, View, read_only, unit_of_work
from chatcore.application.visibility.users import no_such_user
from chatcore.domain.archives import exports as rules
from chatcore.domain.archives.exports import NOT_STORED, Export, ExportType
from chatcore.domain.errors import BadRequest
from chatcore.domain.groups.actors import Actor
from chatcore.domain.ids import ExportId, UserId
from chatcore.domain.organization.administration import require_administrator, require_no_bot
from chatcore.domain.organization.audit import AuditKind
from chatcore.events.payloads.exports import PersonExportObject, person_export_object


def request_own_data(svc: Services, actor: Actor) -> ExportId:
    """Request an export of the caller's own data, which a message of the notification bot tells of when it
    is complete. It takes the place of the one before, and is deleted after a week.

    :raises BadRequest: a bot, an export that is being written already, or too many lately
    """
    return _request_export(svc, actor, actor.user_id)


def request_data_of(svc: Services, actor: Actor, user_id: UserNumber) -> ExportId:
    """Request an export of the data of a person who consents to the export of private data. Only the caller
    can download it.

    :raises InsufficientRole: the actor is not an administrator
    :raises BadRequest: no such person, one who does not consent, an export that is being written already, or
        too many lately
    """
    return _request_export(svc, actor, user_id)


def _request_export(svc: Services, actor: Actor, user_id: int) -> ExportId:
    export_id, replaced = _add_export(svc, actor, user_id)
    for export in replaced:
        svc.files.remove(export.file_key)
    svc.alarms.exports.ring()
    return export_id


@unit_of_work
def _add_export(unit: Unit, me: Actor, user_id: int) -> tuple[ExportId, Sequence[Export]]:
    """Add an export of a person's data; return its id, and the exports that it replaces."""
    exports = unit.tx.exports
    person_id = _find_person(unit, me, user_id)
    before = exports.all()
    rules.require_few_exports_of_person(before, person_id, me, unit.now, unit.limits)
    exports.remove([export.id for export in before if rules.is_forgotten(export, unit.now)])
    replaced = [
        export
        for export in before
        if export.is_available and (export.user_id, export.acting_user_id) == (person_id, me.user_id)
    ]
    for export in replaced:
        exports.update(replace(export, deleted_at=unit.now))
    added = exports.add(
        Export(
            id=NOT_STORED,
            acting_user_id=me.user_id,
            export_type=ExportType.PERSON,
            user_id=person_id,
            requested_at=unit.now,
            token=secrets.token_urlsafe(18),
        )
    )
    unit.record(AuditKind.DATA_EXPORTED, person_id)
    return added.id, replaced


def _find_person(view: View, me: Actor, user_id: int) -> UserId:
    """Return the id of the person, whose data the actor may export.

    :raises InsufficientRole, BadRequest: as `request_data_of` does
    """
    require_no_bot(me)
    if user_id != me.user_id:
        require_administrator(me)
    user = view.snapshot.users.find(user_id)
    if user is None or user.is_bot:
        raise no_such_user()
    if user_id != me.user_id and not rules.consents(user):
        raise BadRequest("This person does not allow administrators to export private data.")
    return user.id


@read_only
def list_data_exports(view: View, me: Actor) -> Sequence[PersonExportObject]:
    """List the exports of people's data that the caller has requested, oldest first; those of others only
    while the caller is an administrator and the person consents.
    """
    return [
        person_export_object(export, view.svc.settings.external_url)
        for export in view.snapshot.exports.all()
        if export.user_id is not None and export.acting_user_id == me.user_id and may_open(view, me, export)
    ]


def note_export(svc: Services, user_id: int) -> None:
    """Note in the audit log that whoever runs the server exports a person's data.

    :raises BadRequest: no such person
    """
    units.write(svc, _note_export, user_id)


def _note_export(unit: Unit, user_id: int) -> None:
    user = unit.tx.users.find(user_id)
    if user is None or user.is_bot:
        raise no_such_user()
    unit.record(AuditKind.DATA_EXPORTED, user.id)


def delete_outdated(svc: Services) -> None:
    """Delete the archives of people's data that are too old."""
    exports = svc.storage.read(lambda snapshot: snapshot.exports.all())
    for export in exports:
        if rules.is_outdated(export, svc.now):
            svc.files.remove(export.file_key)
            units.write(svc, _note_deletion, export)


def _note_deletion(unit: Unit, export: Export) -> None:
    unit.tx.exports.update(replace(export, deleted_at=unit.now))
