"""Uploaded files.

Made by scripts/build_chat.py, not by hand.
"""

from chatcore.application.files import access, thumbnails, uploads
from chatcore.application.files.access import OpenFile
from chatcore.application.files.thumbnails import OpenThumbnail
from chatcore.application.files.uploads import OwnFiles
from chatcore.chat.given import number, text
from chatcore.chat.part import Part
from chatcore.domain.groups.actors import Actor


class Files(Part):
    def open(self, actor: Actor | None, path_id: str) -> OpenFile:
        """Open a file that the actor may read; without an actor, a web-public file.

        :raises NoSuchFile: no such file for the actor
        :raises LoginRequired: no actor, and no such file is open to the web
        :raises RateLimited: the file was read too often without an account
        """
        return access.open_file(self._svc, self._acting_if_any(actor), text(path_id=path_id))

    def open_thumbnail(self, actor: Actor | None, path_id: str, name: str) -> OpenThumbnail:
        """Open a thumbnail of an image that the actor may read, by the name of its format (`840x560.webp`).

        It is made now if it is missing.

        :raises NoSuchFile: no such file for the actor, no image, or no such format
        :raises LoginRequired: no actor, and no such file is open to the web
        :raises RateLimited: the file was read too often without an account, or the thumbnail is being made
        """
        return thumbnails.open_thumbnail(
            self._svc, self._acting_if_any(actor), text(path_id=path_id), text(name=name)
        )

    def list(self, actor: Actor) -> OwnFiles:
        """Return the actor's files, with the newest messages that link to them."""
        return uploads.own_files(self._svc, self._acting(actor))

    def delete(self, actor: Actor, attachment_id: int) -> None:
        """Delete one of the caller's uploaded files.

        :effect: messages that link to the file stay unchanged
        :raises BadRequest: the actor has no file with this id
        :raises MustBeKept: a hold is on the actor, or on a message that links to the file
        """
        uploads.delete_file(self._svc, self._acting(actor), number(attachment_id=attachment_id))

    def temporary_url(self, actor: Actor, path_id: str) -> str:
        """Return an address from which the file can be read for a short while without an account.

        :raises NoSuchFile: no such file for the actor
        """
        return access.temporary_url(self._svc, self._acting(actor), text(path_id=path_id))

    def open_temporary(self, token: str, name: str) -> OpenFile:
        """Open the file of a temporary address.

        :raises BadRequest: an invalid or expired token, or one for a file of another name
        :raises NoSuchFile: the file was removed meanwhile
        """
        return access.open_temporary(self._svc, text(token=token), text(name=name))
