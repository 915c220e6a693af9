"""The organization's custom profile fields: listing, defining, ordering and removing them.

`chatcore.application.people.profiles` changes the values of these fields.
"""

from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from typing import Annotated, Any

from chatcore.application.arguments import about
from chatcore.application.organization.lists import changing_list
from chatcore.application.services import Services
from chatcore.application.units import Unit, unit_of_work
from chatcore.application.visibility.users import announce_value
from chatcore.domain.errors import BadRequest
from chatcore.domain.groups.actors import Actor
from chatcore.domain.ids import FieldId
from chatcore.domain.organization import profile_fields as rules
from chatcore.domain.organization.audit import AuditKind
from chatcore.domain.organization.profile_fields import FieldType, ProfileField
from chatcore.events.happened import ProfileFieldsChanged
from chatcore.events.payloads.configuration import ProfileFieldObject, field_object
from chatcore.storage import Snapshot, Transaction


def list_fields(svc: Services) -> Sequence[ProfileFieldObject]:
    """List all fields in their order."""
    return svc.storage.read(field_objects)


def field_objects(snapshot: Snapshot) -> list[ProfileFieldObject]:
    """Return all fields as they are sent."""
    return [field_object(definition) for definition in snapshot.profile_fields.all()]


@dataclass(frozen=True, slots=True, kw_only=True)
class NewField:
    """A field to define. For a site that the server knows, the server provides the name and hint."""

    field_type: int
    name: str = ""
    hint: str = ""
    field_data: object = None
    display_in_profile_summary: bool = False
    required: bool = False
    editable_by_user: bool = True


@unit_of_work
def create_field(unit: Unit, me: Actor, new: NewField) -> FieldId:
    """Define a field, after all others.

    :raises InsufficientRole: the actor is not an administrator
    :raises BadRequest: an invalid definition, or one that conflicts with the existing fields
    """
    with _changing_fields(unit, me):
        others = unit.tx.profile_fields.all()
        definition = _define_field(new, order=max((other.order for other in others), default=-1) + 1)
        rules.require_fits_in(definition, others)
        return unit.tx.profile_fields.add(definition)


def _define_field(new: NewField, order: int) -> ProfileField:
    """Return the new field, as yet without an id; a known external account brings its name and hint."""
    kind = rules.field_type(new.field_type)
    data = rules.read_field_data(kind, new.field_data)
    account = rules.known_account(kind, data)
    return ProfileField(
        id=FieldId(0),
        type=kind,
        name=rules.checked_name(new.name) if account is None else account.name,
        hint=rules.checked_hint(new.hint) if account is None else account.hint,
        order=order,
        field_data=data,
        display_in_profile_summary=new.display_in_profile_summary,
        required=new.required,
        editable_by_user=new.editable_by_user,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldChange:
    """The requested changes of a field; None leaves a part unchanged. The kind of a field cannot change."""

    name: str | None = None
    hint: str | None = None
    field_data: object = None
    display_in_profile_summary: bool | None = None
    required: bool | None = None
    editable_by_user: bool | None = None


@unit_of_work
def update_field(unit: Unit, me: Actor, field_id: int, change: FieldChange) -> None:
    """Change a field's definition. Users who had chosen a removed option have no value any more.

    :raises InsufficientRole: the actor is not an administrator
    :raises BadRequest: no such field, or an invalid definition
    """
    with _changing_fields(unit, me):
        others = list(unit.tx.profile_fields.all())
        old = rules.find(others, field_id)
        others.remove(old)
        new = _apply_change(old, change)
        rules.require_fits_in(new, others)
        unit.tx.profile_fields.update(new)
        if old.type == FieldType.OPTIONS:
            removed_options = [key for key in old.field_data if key not in new.field_data]
            _remove_values(unit.tx, old, removed_options)


def _apply_change(old: ProfileField, change: FieldChange) -> ProfileField:
    """Return the field with the changes. A field for a known kind of account has its name and hint from that
    kind.

    :raises BadRequest: an invalid value, or a field for a known kind of account gets other texts or data
    """
    parts: dict[str, Any] = {}
    for name in ("display_in_profile_summary", "required", "editable_by_user"):
        if (value := getattr(change, name)) is not None:
            parts[name] = value
    if change.name is not None:
        parts["name"] = rules.checked_name(change.name)
    if change.hint is not None:
        parts["hint"] = rules.checked_hint(change.hint)
    if change.field_data is not None:
        parts["field_data"] = rules.read_field_data(old.type, change.field_data)
    new = replace(old, **parts)
    is_fixed = rules.known_account(old.type, old.field_data) is not None
    if is_fixed and (old.name, old.hint, old.field_data) != (new.name, new.hint, new.field_data):
        raise BadRequest("Default custom field cannot be updated.")
    account = rules.known_account(new.type, new.field_data)
    return new if account is None else replace(new, name=account.name, hint=account.hint)


def _remove_values(tx: Transaction, definition: ProfileField, values: Sequence[str]) -> None:
    """Remove these values from all users who have them."""
    user_ids = tx.profile_values.users_with(definition.id, values) if values else ()
    if user_ids:
        tx.profile_values.remove(user_ids, definition.id)
    for user_id in user_ids:
        announce_value(tx, user_id, definition, None)


@unit_of_work
def remove_field(unit: Unit, me: Actor, field_id: Annotated[int, about("The field's id.")]) -> None:
    """Remove a custom profile field with everybody's values.

    :raises InsufficientRole, BadRequest: the actor is not an administrator; no such field
    """
    with _changing_fields(unit, me):
        # The store and clients drop the values with the field.
        unit.tx.profile_fields.remove(rules.find(unit.tx.profile_fields.all(), field_id).id)


@unit_of_work
def reorder_fields(
    unit: Unit, me: Actor, order: Annotated[Sequence[int], about("All ids, in the new order.")]
) -> None:
    """Set the order of the custom profile fields.

    :raises InsufficientRole, BadRequest: the actor is not an administrator; a field is missing from the order
    """
    with _changing_fields(unit, me):
        known = {definition.id: definition for definition in unit.tx.profile_fields.all()}
        for position, field_id in enumerate(rules.order_fields(known.values(), order)):
            unit.tx.profile_fields.update(replace(known[field_id], order=position))


def _changing_fields(unit: Unit, me: Actor) -> AbstractContextManager[None]:
    kind = AuditKind.PROFILE_FIELDS_CHANGED
    return changing_list(unit, me, unit.tx.profile_fields.all, ProfileFieldsChanged(), kind)
