"""Channel folders: named lists of channels, which administrators keep for everybody."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from chatcore.domain.channels.channels import channel_key
from chatcore.domain.characters import check_characters, check_name, length, visible
from chatcore.domain.errors import BadRequest, invalid_order, too_long
from chatcore.domain.ids import FolderId, UserId
from chatcore.domain.limits import Limits


@dataclass(frozen=True, slots=True, kw_only=True)
class NewFolder:
    """A folder that is to be added: it has no id and no place yet."""

    name: str
    description: str = ""
    rendered_description: str = ""
    date_created: int
    creator_id: UserId | None = None
    is_archived: bool = False
    """No channel is in an archived folder, or can be put into it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Folder(NewFolder):
    id: FolderId
    order: int
    """Folders are shown by ascending numbers."""


def checked_name(raw: str, limits: Limits) -> str:
    """Check the name of a folder and return it stripped.

    :raises BadRequest: empty, too long, or with forbidden characters
    """
    name = raw.strip()
    if length(name) > limits.max_channel_folder_name_length:
        limit = limits.max_channel_folder_name_length
        raise BadRequest(f"Channel folder name too long (limit: {limit} characters).")
    if not visible(name):
        raise BadRequest("Channel folder name can't be empty.")
    check_name(name, "channel folder name")
    return name


def checked_description(raw: str, limits: Limits) -> str:
    """Check the description of a folder and return it on one line.

    :raises BadRequest: too long, or with forbidden characters
    """
    description = raw.replace("\r\n", " ").replace("\n", " ")
    limit = limits.max_channel_folder_description_length
    if len(description) > limit:
        raise too_long("description", limit)
    check_characters(description, "channel folder description")
    return description


def require_free_name(folders: Collection[Folder], name: str) -> None:
    """Refuse a name that one of the folders has, ignoring case; names of archived folders are free.

    :raises BadRequest: the name is taken
    """
    key = channel_key(name)
    if any(channel_key(folder.name) == key and not folder.is_archived for folder in folders):
        raise BadRequest("Channel folder name already in use")


def find(folders: Collection[Folder], folder_id: int) -> Folder:
    """Return the folder with this id.

    :raises BadRequest: there is none
    """
    for folder in folders:
        if folder.id == folder_id:
            return folder
    raise invalid_folder()


def require_usable(folders: Collection[Folder], folder_id: int) -> FolderId:
    """Return the id of a folder into which channels can be put.

    :raises BadRequest: there is none with this id, or it is archived
    """
    folder = find(folders, folder_id)
    if folder.is_archived:
        raise invalid_folder()
    return folder.id


def order_folders(folders: Collection[Folder], order: Sequence[int]) -> Sequence[FolderId]:
    """Return a new order of all folders.

    :raises BadRequest: the order does not name each folder exactly once, including archived ones
    """
    if sorted(order) != sorted(folder.id for folder in folders):
        raise invalid_order()
    return [FolderId(folder_id) for folder_id in order]


def invalid_folder() -> BadRequest:
    return BadRequest("Invalid channel folder ID")
