"""Channel folders."""

from collections.abc import Sequence
from typing import Annotated

from chatcore.application.arguments import about
from chatcore.application.channels import folders
from chatcore.application.services import Services
from chatcore.events.shapes.channels import FolderObject
from chatcore.http.auth import Caller
from chatcore.http.parameters.declaring import Params, Text
from chatcore.http.routing import Answer, Done


class ListParams(Params, kw_only=True, frozen=True):
    include_archived: Annotated[bool, about("Whether to list archived folders too.")] = False


class FoldersAnswer(Answer, frozen=True, kw_only=True):
    channel_folders: Sequence[FolderObject]


def list_folders(svc: Services, caller: Caller, p: ListParams) -> FoldersAnswer:
    """List the channel folders in their order."""
    return FoldersAnswer(channel_folders=folders.list_folders(svc, include_archived=p.include_archived))


class CreateParams(Params, kw_only=True, frozen=True):
    name: Annotated[Text, about("The name, which no other folder in use has.")]
    description: Annotated[Text, about("The purpose of the folder, in Markdown.")] = ""


class NewFolderAnswer(Answer, frozen=True, kw_only=True):
    channel_folder_id: int


def create(svc: Services, caller: Caller, p: CreateParams) -> NewFolderAnswer:
    """Create a channel folder after all others."""
    created = folders.create_folder(svc, caller.actor, p.name, p.description)
    return NewFolderAnswer(channel_folder_id=created)


class UpdateParams(Params, kw_only=True, frozen=True):
    channel_folder_id: Annotated[int, about("The folder's id.")]
    name: Annotated[Text | None, about("The name.")] = None
    description: Annotated[Text | None, about("The purpose of the folder, in Markdown.")] = None
    is_archived: Annotated[
        bool | None, about("Whether the folder is archived; only a folder without channels can be.")
    ] = None


def update(svc: Services, caller: Caller, p: UpdateParams) -> Done:
    """Change, archive or unarchive a channel folder."""
    folders.update_folder(
        svc,
        caller.actor,
        p.channel_folder_id,
        name=p.name,
        description=p.description,
        is_archived=p.is_archived,
    )
    return Done()


class ReorderParams(Params, kw_only=True, frozen=True):
    order: Annotated[list[int], about("All ids in the new order, including those of archived folders.")]


def reorder(svc: Services, caller: Caller, p: ReorderParams) -> Done:
    """Set the order of the channel folders."""
    folders.reorder_folders(svc, caller.actor, p.order)
    return Done()
