"""Configuration by administrators for all users."""

from collections.abc import Mapping

from chatcore.application.organization import (
    domains,
    profile_fields,
    user_defaults,
)
from chatcore.application.organization import (
    settings as organization_settings,
)
from chatcore.application.organization.profile_fields import FieldChange, NewField
from chatcore.application.people import welcome
from chatcore.application.visibility.group_settings import SettingChange
from chatcore.chat.given import (
    Setting,
    a_field_type,
    number,
    optional,
    setting_changes_by_name,
    text,
    truth,
    values_by_name,
)
from chatcore.chat.made import configuration as made
from chatcore.domain.choices import Value
from chatcore.domain.groups.actors import Actor
from chatcore.domain.ids import FieldId, MessageId
from chatcore.domain.organization.profile_fields import FieldType


class Organization(made.Organization):
    """Settings of the organization; `domain.organization.settings.SETTINGS` lists their names and values."""

    def settings(self) -> Mapping[str, Value]:
        """Return the settings, by the names of `chatcore.domain.organization.settings.SETTINGS`.

        None means no limit for a number of seconds or of MiB, and no channel for a channel.
        """
        return organization_settings.organization_settings(self._svc)

    def change(
        self,
        changes: Mapping[str, object] = {},
        *,
        permissions: Mapping[str, SettingChange | Setting] = {},
        by: Actor | None = None,
    ) -> None:
        """Change settings and permissions of the organization, as an administrator: all requested changes, or
        none.

        *changes* has names and values of `chatcore.domain.organization.settings.SETTINGS`, *permissions*
        those of `chatcore.domain.groups.permissions.ORGANIZATION_PERMISSIONS`. *by* is None for the
        organization's own tools, which need no permission.

        :raises InsufficientRole: the actor is not an administrator, or not an owner for settings of owners
        :raises InvalidParameter: no such setting, or an invalid value
        :raises BadRequest: an invalid name, no such channel, or an invalid value of a permission
        :raises ExpectationMismatch: a permission does not have the old value that the caller expects
        """
        organization_settings.change_organization(
            self._svc,
            values_by_name(changes=changes),
            setting_changes_by_name(permissions=permissions),
            by=self._acting_if_any(by),
        )

    def user_defaults(self) -> Mapping[str, Value]:
        """Return the settings of new people, by the names of `domain.people.setting_values.PRESET`."""
        return user_defaults.user_defaults(self._svc)

    def change_user_defaults(self, changes: Mapping[str, object], *, by: Actor | None = None) -> None:
        """Change the settings with which new people start, as an administrator: all requested changes, or
        none. Existing accounts keep theirs.

        *changes* has names and values of `chatcore.domain.people.setting_values.PRESET`. *by* is None for
        the organization's own tools, which need no permission.

        :raises InsufficientRole: the actor is not an administrator
        :raises InvalidParameter: no such setting, or an invalid value
        """
        user_defaults.change_user_defaults(
            self._svc, self._acting_if_any(by), values_by_name(changes=changes)
        )

    def try_welcome(self, actor: Actor, message: str) -> MessageId:
        """Send the actor (an administrator) a text as the end of the welcome message, to try it out.

        :raises InsufficientRole: the actor is not an administrator
        :raises InvalidParameter: a text that is too long
        :raises BadRequest: an empty text, or an organization without a notification bot
        """
        return welcome.try_custom_text(self._svc, self._acting(actor), text(message=message))


class Domains(made.Domains):
    """The organization's domains of addresses; they count if `emails_restricted_to_domains` is set."""

    def add(self, actor: Actor, name: str, *, allow_subdomains: bool = False) -> None:
        """Add a domain, with or without its subdomains.

        :raises InsufficientRole: the actor is not an owner
        :raises BadRequest: an invalid name, a domain that is there already, or too many
        """
        domains.add_domain(
            self._svc,
            self._acting(actor),
            text(name=name),
            allow_subdomains=truth(allow_subdomains=allow_subdomains),
        )


class ProfileFields(made.ProfileFields):
    """Custom profile fields; a *field_type* is one of `domain.organization.profile_fields.FieldType`, or its
    name or number.
    """

    def create(
        self,
        actor: Actor,
        *,
        field_type: FieldType | str | int,
        name: str = "",
        hint: str = "",
        field_data: object = None,
        display_in_profile_summary: bool = False,
        required: bool = False,
        editable_by_user: bool = True,
    ) -> FieldId:
        """Define a field, after all others.

        For an account at a site that the server knows, the server supplies name and hint.

        :raises InsufficientRole: the actor is not an administrator
        :raises BadRequest: an invalid definition, or one that conflicts with the existing fields
        """
        return profile_fields.create_field(
            self._svc,
            self._acting(actor),
            NewField(
                field_type=a_field_type(field_type=field_type),
                name=text(name=name),
                hint=text(hint=hint),
                field_data=field_data,
                display_in_profile_summary=truth(display_in_profile_summary=display_in_profile_summary),
                required=truth(required=required),
                editable_by_user=truth(editable_by_user=editable_by_user),
            ),
        )

    def update(
        self,
        actor: Actor,
        field_id: int,
        *,
        name: str | None = None,
        hint: str | None = None,
        field_data: object = None,
        display_in_profile_summary: bool | None = None,
        required: bool | None = None,
        editable_by_user: bool | None = None,
    ) -> None:
        """Change a field's definition. Users who had chosen a removed option have no value any more.

        None leaves a property unchanged. The kind of a field cannot change.

        :raises InsufficientRole: the actor is not an administrator
        :raises BadRequest: no such field, or an invalid definition
        """
        profile_fields.update_field(
            self._svc,
            self._acting(actor),
            number(field_id=field_id),
            FieldChange(
                name=optional(text, name=name),
                hint=optional(text, hint=hint),
                field_data=field_data,
                display_in_profile_summary=optional(
                    truth, display_in_profile_summary=display_in_profile_summary
                ),
                required=optional(truth, required=required),
                editable_by_user=optional(truth, editable_by_user=editable_by_user),
            ),
        )
