"""Uploaded files."""

from chatcore.application import file_access, uploads
from chatcore.chat.given import Pieces, all_pieces
from chatcore.chat.noun import Noun, use_case
from chatcore.domain.groups import Actor
from chatcore.domain.uploads import UNNAMED, Attachment, original_name


class Files(Noun):
    def upload(self, actor: Actor, name: str, pieces: Pieces, *, content_type: str = "") -> Attachment:
        """Store a file, given whole or read a piece at a time; send its `url` in a message to share it.

        Whatever *pieces* raises is raised here, and nothing remains.

        :raises FileTooLarge, QuotaExceeded, UploadsDisabled, TooManyUploads, RateLimited:
        """
        return uploads.upload(
            self._svc, actor, original_name(name) or UNNAMED, content_type, all_pieces("pieces", pieces)
        )

    open = use_case(file_access.open_file)
    list = use_case(uploads.own_files)
    delete = use_case(uploads.delete_file)
    temporary_url = use_case(file_access.temporary_url)
    open_temporary = use_case(file_access.open_temporary)
