"""Channel folders."""

from collections.abc import Sequence
from typing import Annotated

from chatcore.application.arguments import about
from chatcore.application.channels import folders
from chatcore.application.services import Services
from chatcore.events.payloads.folders import FolderObject
from chatcore.http.parameters.declaring import Params
from chatcore.http.pipeline.auth import Caller
from chatcore.http.pipeline.routing import Answer


class ListParams(Params, kw_only=True, frozen=True):
    include_archived: Annotated[bool, about("Whether to list archived folders too.")] = False


class FoldersAnswer(Answer, frozen=True, kw_only=True):
    channel_folders: Sequence[FolderObject]


def list_folders(svc: Services, caller: Caller, p: ListParams) -> FoldersAnswer:
    """List the channel folders in their order."""
    return FoldersAnswer(channel_folders=folders.list_folders(svc, include_archived=p.include_archived))
