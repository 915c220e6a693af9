"""Exports of the organization.

Made by scripts/build_chat.py, not by hand.
"""

from collections.abc import Sequence

from chatcore.application.archives import exports
from chatcore.chat.given import number
from chatcore.chat.part import Part
from chatcore.domain.groups.actors import Actor
from chatcore.events.payloads.exports import ConsentObject, ExportObject


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
