"""User groups.

Made by scripts/build_chat.py, not by hand.
"""

from collections.abc import Sequence

from chatcore.application.groups import editing, listing, members
from chatcore.chat.given import Numbers, number, numbers, truth, user_id_of
from chatcore.chat.part import Part
from chatcore.domain.groups.actors import Actor
from chatcore.domain.ids import GroupId, UserId
from chatcore.events.payloads.groups import GroupShape


class Groups(Part):
    def list(self, actor: Actor, *, include_deactivated: bool = False) -> Sequence[GroupShape]:
        """List the user groups of the organization.

        :returns: groups by id, with their direct members and subgroups
        :raises BadRequest: a guest
        """
        return listing.list_groups(
            self._svc, self._acting(actor), include_deactivated=truth(include_deactivated=include_deactivated)
        )

    def deactivate(self, actor: Actor, group_id: int) -> None:
        """Deactivate a user group.

        :effect: the group keeps its name, members and settings
        :raises BadRequest: no permission, or it is deactivated already
        :raises GroupInUse: an active setting or group uses it
        """
        editing.deactivate(self._svc, self._acting(actor), number(group_id=group_id))

    def members(self, actor: Actor, group_id: int, *, direct_only: bool = False) -> Sequence[UserId]:
        """List the members of a user group, including those of its subgroups.

        :returns: ids of the active members, ascending; with *direct_only* without those of subgroups
        :raises BadRequest: a guest, or no such group
        """
        return listing.members(
            self._svc,
            self._acting(actor),
            number(group_id=group_id),
            direct_only=truth(direct_only=direct_only),
        )

    def is_member(
        self, actor: Actor, group_id: int, user_id: int | Actor, *, direct_only: bool = False
    ) -> bool:
        """Get whether a user is a member of a user group.

        :returns: whether the user is an active member; with *direct_only* not by a subgroup
        :raises BadRequest: a guest, or no such group or user
        """
        return listing.is_member(
            self._svc,
            self._acting(actor),
            number(group_id=group_id),
            user_id_of(user_id=user_id),
            direct_only=truth(direct_only=direct_only),
        )

    def subgroups(self, actor: Actor, group_id: int, *, direct_only: bool = False) -> Sequence[GroupId]:
        """List the subgroups of a user group, including their subgroups.

        :returns: ids, ascending; with *direct_only* without those of subgroups
        :raises BadRequest: a guest, or no such group
        """
        return listing.subgroups(
            self._svc,
            self._acting(actor),
            number(group_id=group_id),
            direct_only=truth(direct_only=direct_only),
        )

    def update_subgroups(
        self, actor: Actor, group_id: int, *, delete: Numbers = (), add: Numbers = ()
    ) -> None:
        """Change the subgroups of a user group.

        :raises BadRequest: as `update_members` does
        """
        members.update_subgroups(
            self._svc,
            self._acting(actor),
            number(group_id=group_id),
            delete=numbers(delete=delete),
            add=numbers(add=add),
        )
