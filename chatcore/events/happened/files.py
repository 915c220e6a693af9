"""Events about uploaded files."""

from typing import Literal, TypeAlias

from chatcore.domain.files.uploads import Attachment
from chatcore.events.happened.base import Event

FilesOp: TypeAlias = Literal["add", "update", "remove"]


class FilesChanged(Event, frozen=True, kw_only=True, tag="files_changed"):
    """Files were uploaded (`add`), are linked to by other messages (`update`), or were removed (`remove`).

    Clients receive one event per file, with the messages that link to it when the event is sent.
    """

    type = "attachment"
    op: FilesOp
    files: tuple[Attachment, ...]
    space_used: int
    """Bytes of all files of the organization."""

    @property
    def position_count(self) -> int:
        return len(self.files)
