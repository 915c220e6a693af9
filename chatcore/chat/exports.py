"""Exports of the organization."""

from collections.abc import Sequence
from typing import BinaryIO

from chatcore.application.archives import exports
from chatcore.chat.given import number, text
from chatcore.chat.part import Part
from chatcore.domain.archives.exports import ExportType
from chatcore.domain.groups.actors import Actor
from chatcore.domain.ids import ExportId
from chatcore.events.shapes.exports import ConsentObject, ExportObject


class Exports(Part):
    """Exports that administrators request; `Chat.deliver_on_time` has them written."""

    def list(self, actor: Actor) -> Sequence[ExportObject]:
        """Return all exports, oldest first.

        :raises InsufficientRole: the actor is no administrator
        """
        return exports.list_exports(self._svc, self._acting(actor))

    def request(self, actor: Actor, export_type: int = ExportType.PUBLIC) -> ExportId:
        """Request an export: 1 of public data, 2 also of the private data of people who have consented.

        :raises InsufficientRole: the actor is no administrator
        :raises BadRequest: too many exports, or too large an organization
        """
        return exports.request_export(self._svc, self._acting(actor), number(export_type=export_type))

    def delete(self, actor: Actor, export_id: int) -> None:
        """Delete the archive of an export.

        :raises InsufficientRole: the actor is no administrator
        :raises BadRequest: no such export, or none that has an archive
        """
        exports.delete_export(self._svc, self._acting(actor), number(export_id=export_id))

    def consents(self, actor: Actor) -> Sequence[ConsentObject]:
        """Return the people, each with whether they consent to the export of their private data.

        :raises InsufficientRole: the actor is no administrator
        """
        return exports.list_consents(self._svc, self._acting(actor))

    def open(self, actor: Actor, token: str, name: str) -> BinaryIO:
        """Open an archive by the last two parts of its address; the caller closes it.

        :raises NoSuchFile: no such archive, or the actor is no administrator
        """
        return exports.open_export(self._svc, self._acting(actor), text(token=token), text(name=name)).file
