"""User groups.

Settings have the names of `domain.groups.permissions.GROUP_PERMISSIONS`; each is a `GroupSetting`.
"""

from collections.abc import Mapping

from chatcore.application.groups import editing
from chatcore.application.groups import members as group_members
from chatcore.application.groups.editing import GroupChanges, NewGroup
from chatcore.application.groups.members import MemberChanges
from chatcore.application.visibility.group_settings import SettingChange
from chatcore.chat.given import (
    Numbers,
    Setting,
    UserIds,
    number,
    numbers,
    optional,
    setting_changes_by_name,
    settings_by_name,
    text,
    truth,
    user_ids_of,
)
from chatcore.chat.made import groups as made
from chatcore.domain.groups.actors import Actor
from chatcore.domain.ids import GroupId


class Groups(made.Groups):
    def create(
        self,
        actor: Actor,
        *,
        name: str,
        description: str,
        members: UserIds,
        subgroups: Numbers = (),
        settings: Mapping[str, Setting] = {},
    ) -> GroupId:
        """Create a group. The creator is a member only if listed among the members.

        Omitted settings have their defaults.

        :raises BadRequest: no permission, an invalid or taken name, a user, group or value that cannot be
            used, or too many groups
        :raises InvalidParameter: no such setting
        :raises RateLimited: more groups than the actor may create on one day
        """
        return editing.create(
            self._svc,
            self._acting(actor),
            NewGroup(
                name=text(name=name),
                description=text(description=description),
                members=user_ids_of(members=members),
                subgroups=numbers(subgroups=subgroups),
                settings=settings_by_name(settings=settings),
            ),
        )

    def update(
        self,
        actor: Actor,
        group_id: int,
        *,
        name: str | None = None,
        description: str | None = None,
        deactivated: bool | None = None,
        settings: Mapping[str, SettingChange | Setting] = {},
    ) -> None:
        """Change a group, active or not: all requested changes, or none. Each change has its own event.

        None leaves a property unchanged. `deactivated` can only be set to False.

        :raises BadRequest: nothing to change, no permission, or an invalid value
        :raises InvalidParameter: no such setting
        :raises ExpectationMismatch: a setting does not have the old value that the client expects
        """
        editing.update(
            self._svc,
            self._acting(actor),
            number(group_id=group_id),
            GroupChanges(
                name=optional(text, name=name),
                description=optional(text, description=description),
                deactivated=optional(truth, deactivated=deactivated),
                settings=setting_changes_by_name(settings=settings),
            ),
        )

    def update_members(
        self,
        actor: Actor,
        group_id: int,
        *,
        add: Numbers = (),
        delete: Numbers = (),
        add_subgroups: Numbers = (),
        delete_subgroups: Numbers = (),
    ) -> None:
        """Change the members of a group: all requested changes, or none. Each part requires its own
        permission.

        Permissions are checked against the state before the change.

        :raises BadRequest: nothing to change, no permission, a user to add who is already a member, or one to
            remove who is not
        """
        group_members.update_members(
            self._svc,
            self._acting(actor),
            number(group_id=group_id),
            MemberChanges(
                add=numbers(add=add),
                delete=numbers(delete=delete),
                add_subgroups=numbers(add_subgroups=add_subgroups),
                delete_subgroups=numbers(delete_subgroups=delete_subgroups),
            ),
        )
