"""Channel folders, navigation views and default channel groups: the order of channels in clients.

Made by scripts/build_chat.py, not by hand.
"""

from collections.abc import Sequence

from chatcore.application.channels import default_groups, folders, navigation_views
from chatcore.chat.given import Numbers, number, numbers, optional, text, truth
from chatcore.chat.part import Part
from chatcore.domain.groups.actors import Actor
from chatcore.domain.ids import FolderId
from chatcore.events.payloads.channels import DefaultGroupObject
from chatcore.events.payloads.folders import FolderObject, NavigationViewObject


class ChannelFolders(Part):
    """Folders of channels; `channels.update` puts a channel into one."""

    def list(self, *, include_archived: bool = False) -> Sequence[FolderObject]:
        """List the folders in their order."""
        return folders.list_folders(self._svc, include_archived=truth(include_archived=include_archived))

    def create(self, actor: Actor, name: str, description: str = "") -> FolderId:
        """Create a channel folder after all others.

        :raises InsufficientRole: the actor is not an administrator
        :raises BadRequest: a name or description outside the rules, a taken name, or one folder too many
        """
        return folders.create_folder(
            self._svc, self._acting(actor), text(name=name), text(description=description)
        )

    def update(
        self,
        actor: Actor,
        folder_id: int,
        *,
        name: str | None = None,
        description: str | None = None,
        is_archived: bool | None = None,
    ) -> None:
        """Change, archive or unarchive a channel folder.

        :raises InsufficientRole: the actor is not an administrator
        :raises BadRequest: no such folder, a value outside the rules, a taken name, or a folder to archive
            that has channels
        """
        folders.update_folder(
            self._svc,
            self._acting(actor),
            number(folder_id=folder_id),
            name=optional(text, name=name),
            description=optional(text, description=description),
            is_archived=optional(truth, is_archived=is_archived),
        )

    def reorder(self, actor: Actor, order: Numbers) -> None:
        """Set the order of the channel folders.

        :param order: ids of all folders, also of archived ones
        :raises InsufficientRole, BadRequest: the actor is not an administrator; the order does not name each
            folder exactly once
        """
        folders.reorder_folders(self._svc, self._acting(actor), numbers(order=order))


class NavigationViews(Part):
    """Entries of the navigation in the actor's clients."""

    def list(self, actor: Actor) -> Sequence[NavigationViewObject]:
        """List the caller's navigation views.

        :returns: views by fragment
        """
        return navigation_views.list_views(self._svc, self._acting(actor))

    def add(self, actor: Actor, fragment: str, *, is_pinned: bool, name: str | None = None) -> None:
        """Add a navigation view.

        :raises BadRequest: an invalid fragment or name, a built-in view with a name, another view without
            one, a fragment that has a view already, or too many views
        """
        navigation_views.add_view(
            self._svc,
            self._acting(actor),
            text(fragment=fragment),
            is_pinned=truth(is_pinned=is_pinned),
            name=optional(text, name=name),
        )

    def update(
        self, actor: Actor, fragment: str, *, is_pinned: bool | None = None, name: str | None = None
    ) -> None:
        """Change a navigation view.

        :param is_pinned: None leaves it unchanged, as *name*
        :raises NoSuchView: the actor has no view of this fragment
        :raises BadRequest: no value, an invalid name, or a built-in view with a name
        """
        navigation_views.update_view(
            self._svc,
            self._acting(actor),
            text(fragment=fragment),
            is_pinned=optional(truth, is_pinned=is_pinned),
            name=optional(text, name=name),
        )

    def remove(self, actor: Actor, fragment: str) -> None:
        """Remove a navigation view.

        :raises NoSuchView: the actor has no view of this fragment
        """
        navigation_views.remove_view(self._svc, self._acting(actor), text(fragment=fragment))


class DefaultChannelGroups(Part):
    """Groups of channels that new people can choose."""

    def list(self, actor: Actor) -> Sequence[DefaultGroupObject]:
        """List the groups, oldest first; guests see none."""
        return default_groups.list_groups(self._svc, self._acting(actor))

    def update(
        self, actor: Actor, group_id: int, *, name: str | None = None, description: str | None = None
    ) -> None:
        """Change the name or description of a default channel group.

        :param name: None leaves it unchanged, as *description*
        :raises InsufficientRole: the actor is not an administrator
        :raises BadRequest: nothing to change, no such group, an invalid or taken name, or an invalid
            description
        """
        default_groups.update_group(
            self._svc,
            self._acting(actor),
            number(group_id=group_id),
            name=optional(text, name=name),
            description=optional(text, description=description),
        )

    def remove(self, actor: Actor, group_id: int) -> None:
        """Remove a default channel group.

        :effect: the channels of the group stay as they are
        :raises InsufficientRole, BadRequest: the actor is not an administrator; no such group
        """
        default_groups.remove_group(self._svc, self._acting(actor), number(group_id=group_id))
