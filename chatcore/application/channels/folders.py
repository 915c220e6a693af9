"""Channel folders: listing, creating, changing and ordering them."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Annotated

from chatcore.application.arguments import about
from chatcore.application.delivery.rendering import render_alone
from chatcore.application.services import Services
from chatcore.application.units import Unit, unit_of_work
from chatcore.domain.channels import folders as rules
from chatcore.domain.channels.folders import NewFolder
from chatcore.domain.errors import BadRequest
from chatcore.domain.groups.actors import Actor
from chatcore.domain.ids import FolderId
from chatcore.domain.organization.administration import require_administrator
from chatcore.events.audience import Everyone
from chatcore.events.happened import ChannelFolderAdded, ChannelFolderChanged, ChannelFoldersReordered
from chatcore.events.payloads.folders import FolderObject, folder_object
from chatcore.storage import Snapshot


def list_folders(svc: Services, *, include_archived: bool = False) -> Sequence[FolderObject]:
    """List the folders in their order."""
    folders = svc.storage.read(folder_objects)
    return [folder for folder in folders if include_archived or not folder["is_archived"]]


def folder_objects(snapshot: Snapshot) -> list[FolderObject]:
    """Return all folders as they are sent."""
    return [folder_object(folder) for folder in snapshot.channel_folders.all()]


def create_folder(
    svc: Services,
    actor: Actor,
    name: Annotated[str, about("The name, which no other folder in use has.")],
    description: Annotated[str, about("The purpose of the folder, in Markdown.")] = "",
) -> FolderId:
    """Create a channel folder after all others.

    :raises InsufficientRole: the actor is not an administrator
    :raises BadRequest: a name or description outside the rules, a taken name, or one folder too many
    """
    require_administrator(actor)
    description = rules.checked_description(description, svc.limits)
    new = NewFolder(
        name=rules.checked_name(name, svc.limits),
        description=description,
        rendered_description=render_alone(svc, [description])[description],
        date_created=svc.now,
        creator_id=actor.user_id,
    )
    return _add_folder(svc, actor, new)


@unit_of_work
def _add_folder(unit: Unit, me: Actor, new: NewFolder) -> FolderId:
    require_administrator(me)
    known = unit.tx.channel_folders.all()
    limit = unit.limits.max_channel_folders
    rules.require_free_name(known, new.name)
    if len(known) >= limit:
        raise BadRequest(f"There can be {limit} channel folders at most, archived ones too.")
    folder = unit.tx.channel_folders.add(new)
    unit.tx.announce(ChannelFolderAdded(folder=folder_object(folder)), Everyone())
    return folder.id


def update_folder(
    svc: Services,
    actor: Actor,
    folder_id: Annotated[int, about("The folder's id.")],
    *,
    name: Annotated[str | None, about("The name.")] = None,
    description: Annotated[str | None, about("The purpose of the folder, in Markdown.")] = None,
    is_archived: Annotated[
        bool | None, about("Whether the folder is archived; only a folder without channels can be.")
    ] = None,
) -> None:
    """Change, archive or unarchive a channel folder.

    :raises InsufficientRole: the actor is not an administrator
    :raises BadRequest: no such folder, a value outside the rules, a taken name, or a folder to archive that
        has channels
    """
    require_administrator(actor)
    changes: dict[str, str | bool] = {}
    if name is not None:
        changes["name"] = rules.checked_name(name, svc.limits)
    if description is not None:
        description = rules.checked_description(description, svc.limits)
        changes["description"] = description
        changes["rendered_description"] = render_alone(svc, [description])[description]
    if is_archived is not None:
        changes["is_archived"] = is_archived
    _change_folder(svc, actor, folder_id, changes)


@unit_of_work
def _change_folder(unit: Unit, me: Actor, folder_id: int, changes: Mapping[str, str | bool]) -> None:
    require_administrator(me)
    known = unit.tx.channel_folders.all()
    old = rules.find(known, folder_id)
    folder = replace(old, **changes)  # type: ignore[arg-type]
    if not folder.is_archived:
        rules.require_free_name([other for other in known if other.id != old.id], folder.name)
    elif not old.is_archived and unit.tx.channels.any_in_folder(old.id):
        raise BadRequest("You need to remove all the channels from this folder to archive it.")
    differing = {name: value for name, value in changes.items() if getattr(old, name) != value}
    if differing:
        unit.tx.channel_folders.update(folder)
        unit.tx.announce(ChannelFolderChanged(folder_id=old.id, data=differing), Everyone())


@unit_of_work
def reorder_folders(
    unit: Unit,
    me: Actor,
    order: Annotated[Sequence[int], about("All ids in the new order, including those of archived folders.")],
) -> None:
    """Set the order of the channel folders.

    :param order: ids of all folders, also of archived ones
    :raises InsufficientRole, BadRequest: the actor is not an administrator; the order does not name each
        folder exactly once
    """
    require_administrator(me)
    known = unit.tx.channel_folders.all()
    wanted = rules.order_folders(known, order)
    if list(wanted) != [folder.id for folder in known]:
        unit.tx.channel_folders.reorder(wanted)
        unit.tx.announce(ChannelFoldersReordered(order=tuple(wanted)), Everyone())
