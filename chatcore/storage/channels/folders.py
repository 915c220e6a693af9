"""Channel folders."""

from collections.abc import Sequence
from typing import Protocol

from chatcore.domain.channels.folders import Folder, NewFolder
from chatcore.domain.ids import FolderId


class ChannelFolders(Protocol):
    def all(self) -> Sequence[Folder]:
        """Return all folders in their order, including archived ones."""

    def add(self, new: NewFolder) -> Folder:
        """Add a folder after all others. Its id was never used before."""

    def update(self, folder: Folder) -> None:
        """Write a folder that was read before."""

    def reorder(self, folder_ids: Sequence[FolderId]) -> None:
        """Number all folders by their places in this list."""
