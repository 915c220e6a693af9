"""Exports of the organization."""

from typing import BinaryIO

from chatcore.application.archives import exports
from chatcore.chat.given import number, text
from chatcore.chat.made import exports as made
from chatcore.domain.archives.exports import ExportType
from chatcore.domain.groups.actors import Actor
from chatcore.domain.ids import ExportId


class Exports(made.Exports):
    """Exports that administrators request; `Chat.deliver_on_time` has them written."""

    def request(self, actor: Actor, export_type: int = ExportType.PUBLIC) -> ExportId:
        """Request an export: 1 of public data, 2 also of the private data of people who have consented.

        :raises InsufficientRole: the actor is no administrator
        :raises BadRequest: too many exports, or too large an organization
        """
        return exports.request_export(self._svc, self._acting(actor), number(export_type=export_type))

    def open(self, actor: Actor, token: str, name: str) -> BinaryIO:
        """Open an archive by the last two parts of its address; the caller closes it.

        :raises NoSuchFile: no such archive, or the actor is no administrator
        """
        return exports.open_export(self._svc, self._acting(actor), text(token=token), text(name=name)).file
