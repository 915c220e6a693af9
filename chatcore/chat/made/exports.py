"""Exports of the organization.

Made by scripts/build_chat.py, not by hand.
"""

from collections.abc import Sequence

from chatcore.application.archives import exports, one_person
from chatcore.chat.given import number, user_id_of
from chatcore.chat.part import Part
from chatcore.domain.groups.actors import Actor
from chatcore.domain.ids import ExportId
from chatcore.events.payloads.exports import ConsentObject, ExportObject, PersonExportObject


class Exports(Part):
    """Exports that administrators request; `Chat.deliver_on_time` has them written."""

    def list(self, actor: Actor) -> Sequence[ExportObject]:
        """List the exports of the organization.

        :returns: exports, oldest first
        :raises InsufficientRole: the actor is no administrator
        """
        return exports.list_exports(self._svc, self._acting(actor))

    def delete(self, actor: Actor, export_id: int) -> None:
        """Delete the archive of an export.

        :raises InsufficientRole: the actor is no administrator
        :raises BadRequest: no such export, or none that has an archive
        """
        exports.delete_export(self._svc, self._acting(actor), number(export_id=export_id))

    def consents(self, actor: Actor) -> Sequence[ConsentObject]:
        """List the people with their consents to the export of private data.

        :raises InsufficientRole: the actor is no administrator
        """
        return exports.list_consents(self._svc, self._acting(actor))

    def request_own_data(self, actor: Actor) -> ExportId:
        """Request an export of the caller's own data, which a message of the notification bot tells of when
        it is complete. It takes the place of the one before, and is deleted after a week.

        :raises BadRequest: a bot, an export that is being written already, or too many lately
        """
        return one_person.request_own_data(self._svc, self._acting(actor))

    def request_data_of(self, actor: Actor, user_id: int | Actor) -> ExportId:
        """Request an export of the data of a person who consents to the export of private data. Only the
        caller can download it.

        :raises InsufficientRole: the actor is not an administrator
        :raises BadRequest: no such person, one who does not consent, an export that is being written already,
            or too many lately
        """
        return one_person.request_data_of(self._svc, self._acting(actor), user_id_of(user_id=user_id))

    def list_data(self, actor: Actor) -> Sequence[PersonExportObject]:
        """List the exports of people's data that the caller has requested, oldest first; those of others
        only while the caller is an administrator and the person consents.
        """
        return one_person.list_data_exports(self._svc, self._acting(actor))
