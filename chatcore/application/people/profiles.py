"""Values of users in custom profile fields."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated

from chatcore.application.arguments import about
from chatcore.application.delivery.rendering import render_alone
from chatcore.application.services import Services
from chatcore.application.units import Unit, View, read_only, unit_of_work
from chatcore.application.visibility.known_users import accessible_users
from chatcore.application.visibility.users import announce_value
from chatcore.domain.errors import BadRequest, invalid_user_id
from chatcore.domain.groups.actors import Actor
from chatcore.domain.ids import FieldId, UserId
from chatcore.domain.organization import profile_fields as rules
from chatcore.domain.organization.audit import AuditKind
from chatcore.domain.organization.profile_fields import RENDERED, ProfileField, ProfileValue
from chatcore.domain.people.users import User

MAX_ENTRIES = 1000
"""Maximum number of values in one request."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A value for a field, as a client sends it; None or an empty value removes the present one."""

    field_id: int
    value: object


Rendered = Mapping[str, str]
"""HTML by the text from which it was rendered."""


def update_own(svc: Services, actor: Actor, entries: Sequence[Entry]) -> None:
    """Change values in the actor's profile: all of them, or none if one is refused.

    :raises BadRequest: a bot, an unknown field, one that only administrators edit, or an invalid value
    """
    require_profile(actor)
    rendered = render_values(svc, actor, entries)
    _store_own_values(svc, actor, entries, rendered)


@unit_of_work
def _store_own_values(unit: Unit, me: Actor, entries: Sequence[Entry], rendered: Rendered) -> None:
    change_values(unit, me, me.user_id, entries, rendered)


def remove_own(
    svc: Services,
    actor: Actor,
    field_ids: Annotated[
        Sequence[int], about("Ids of fields with their values, or ids alone to clear them.")
    ],
) -> None:
    """Remove the caller's values of custom profile fields.

    :raises BadRequest: a bot, an unknown field, or one that only administrators edit
    """
    update_own(svc, actor, [Entry(field_id, None) for field_id in field_ids])


def require_profile(account: Actor | User) -> None:
    """Refuse bots, which have no profile.

    :raises BadRequest: a bot
    """
    if account.is_bot:
        raise BadRequest("Bots have no profile.")


def render_values(svc: Services, actor: Actor, entries: Sequence[Entry]) -> Rendered:
    """Return the HTML of the values that are markup.

    It is rendered before the unit of work that stores the values, and only for values that will be stored.

    :raises BadRequest: an unknown field, one that the actor may not edit, or an invalid value
    """
    if len(entries) > MAX_ENTRIES:
        raise BadRequest(f"Too many profile fields (maximum {MAX_ENTRIES}).")
    if not entries:
        return {}
    return render_alone(svc, _find_texts_to_render(svc, actor, entries))


@read_only
def _find_texts_to_render(view: View, me: Actor, entries: Sequence[Entry]) -> Collection[str]:
    """Check all values, and return those that are markup."""
    fields = view.snapshot.profile_fields.all()
    texts: dict[FieldId, str] = {}
    for entry in entries:
        definition = _require_editable(fields, me, entry.field_id)
        text = rules.read_value(definition, entry.value)
        if definition.type in RENDERED and isinstance(text, str):
            texts[definition.id] = text
    return texts.values()


def _require_editable(fields: Collection[ProfileField], actor: Actor, field_id: int) -> ProfileField:
    """Return the definition of the field; raise a `BadRequest` if the actor may not change its value."""
    definition = rules.find(fields, field_id)
    if not (definition.editable_by_user or actor.role.is_administrator):
        raise BadRequest("You are not allowed to change this field. Contact an administrator to update it.")
    return definition


def change_values(
    unit: Unit, actor: Actor, user_id: UserId, entries: Sequence[Entry], rendered: Rendered
) -> None:
    """Store and announce the changed values of a user's profile.

    :raises BadRequest: an unknown field, one that the actor may not edit, or an invalid value
    """
    fields = unit.tx.profile_fields.all()
    values_before = unit.tx.profile_values.of_users([user_id]).get(user_id, {})
    texts_before = {field_id: value.value for field_id, value in values_before.items()}
    wanted: dict[FieldId, ProfileValue | None] = {}
    last_entries = {entry.field_id: entry for entry in entries}  # the last value for a field counts
    for entry in last_entries.values():
        definition = _require_editable(fields, actor, entry.field_id)
        wanted[definition.id] = _value_to_store(unit, actor, definition, entry.value, rendered)
    changed = []
    for field_id, value in wanted.items():
        if texts_before.get(field_id) == (None if value is None else value.value):
            continue
        changed.append(field_id)
        if value is None:
            unit.tx.profile_values.remove([user_id], field_id)
        else:
            unit.tx.profile_values.put(user_id, field_id, value)
        announce_value(unit.tx, user_id, rules.find(fields, field_id), value)
    if changed and actor.user_id != user_id:
        unit.record(AuditKind.PROFILE_CHANGED, user_id, after={"field_ids": changed})


def _value_to_store(
    view: View, actor: Actor, definition: ProfileField, raw: object, rendered: Rendered
) -> ProfileValue | None:
    """Return a value of a field as it is stored, with its HTML if it is markup, or None for an empty one."""
    value = rules.read_value(definition, raw)
    if value is None:
        return None
    if isinstance(value, list):
        _require_people(view, actor, value)
        return ProfileValue(rules.people_text(value))
    if definition.type not in RENDERED:
        return ProfileValue(value)
    if value not in rendered:
        raise BadRequest(f"Field id {definition.id} not found.")  # the field was created after rendering
    return ProfileValue(value, rendered[value])


def _require_people(view: View, actor: Actor, user_ids: Sequence[UserId]) -> None:
    """Refuse people that a profile cannot list.

    :raises BadRequest: an unknown or deactivated user, a bot, or one whom the actor may not know of
    """
    users = view.snapshot.users.by_ids(user_ids)
    accessible = accessible_users(view.snapshot, view.snapshot.organization.get(), actor, users.values())
    for user_id in user_ids:
        user = users.get(user_id)
        if user is None or not accessible(user_id):
            raise invalid_user_id(user_id)
        if not user.is_active:
            raise BadRequest(f"User with ID {user_id} is deactivated")
        if user.is_bot:
            raise BadRequest(f"User with ID {user_id} is a bot")
