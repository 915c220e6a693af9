"""Uploaded files."""

from chatcore.application.files import uploads
from chatcore.chat.given import Pieces, all_pieces, text
from chatcore.chat.made import files as made
from chatcore.domain.files.uploads import UNNAMED, Attachment, original_name
from chatcore.domain.groups.actors import Actor


class Files(made.Files):
    def upload(self, actor: Actor, name: str, pieces: Pieces, *, content_type: str = "") -> Attachment:
        """Store a file, passed whole or in pieces; send its `url` in a message to share it.

        Exceptions of *pieces* propagate, and nothing is stored.

        :raises FileTooLarge, QuotaExceeded, UploadsDisabled, TooManyUploads, RateLimited:
        """
        return uploads.upload(
            self._svc,
            self._acting(actor),
            original_name(text(name=name)) or UNNAMED,
            text(content_type=content_type),
            all_pieces(pieces=pieces),
        )
