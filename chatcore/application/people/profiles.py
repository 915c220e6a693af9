"""Values of users in custom profile fields."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from chatcore.application.delivery.rendering import render_alone
from chatcore.application.services import Services
from chatcore.application.units import refresh_actor
from chatcore.application.visibility.known_users import accessible_users
from chatcore.application.visibility.users import announce_value
from chatcore.domain.errors import BadRequest
from chatcore.domain.groups.actors import Actor
from chatcore.domain.ids import FieldId, UserId
from chatcore.domain.organization import profile_fields as rules
from chatcore.domain.organization.profile_fields import RENDERED, ProfileField, ProfileValue
from chatcore.domain.people.users import User
from chatcore.storage import Snapshot, Transaction

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

    def write(tx: Transaction) -> None:
        me = refresh_actor(tx, actor, svc.now)
        change_values(svc, tx, me, actor.user_id, entries, rendered)

    svc.storage.write(write)


def remove_own(svc: Services, actor: Actor, field_ids: Sequence[int]) -> None:
    """Clear fields of the actor's profile.

    :raises BadRequest: a bot, an unknown field, or one that only administrators edit
    """
    update_own(svc, actor, [Entry(field_id, None) for field_id in field_ids])


def require_profile(of: Actor | User) -> None:
    """Refuse bots, which have no profile.

    :raises BadRequest: a bot
    """
    if of.is_bot:
        raise BadRequest("Bots have no profile.")


def render_values(svc: Services, actor: Actor, entries: Sequence[Entry]) -> Rendered:
    """Return the HTML of the values that are markup.

    It is rendered before the unit of work that stores the values, and only for values that will be stored.

    :raises BadRequest: an unknown field, one that the actor may not edit, or an invalid value
    """
    if len(entries) > MAX_ENTRIES:
        raise BadRequest(f"Too many profile fields (maximum {MAX_ENTRIES}).")

    def read(snapshot: Snapshot) -> Mapping[FieldId, str]:
        fields = snapshot.profile_fields.all()
        texts: dict[FieldId, str] = {}
        me = refresh_actor(snapshot, actor, svc.now)
        for entry in entries:
            definition = _editable(fields, me, entry.field_id)
            text = rules.read_value(definition, entry.value)
            if definition.type in RENDERED and isinstance(text, str):
                texts[definition.id] = text
        return texts

    if not entries:
        return {}
    return render_alone(svc, svc.storage.read(read).values())


def _editable(fields: Collection[ProfileField], actor: Actor, field_id: int) -> ProfileField:
    definition = rules.find(fields, field_id)
    if not (definition.editable_by_user or actor.role.is_administrator):
        raise BadRequest("You are not allowed to change this field. Contact an administrator to update it.")
    return definition


def change_values(
    svc: Services,
    tx: Transaction,
    actor: Actor,
    user_id: UserId,
    entries: Sequence[Entry],
    rendered: Rendered,
) -> None:
    """Store and announce the changed values of a user's profile.

    :raises BadRequest: an unknown field, one that the actor may not edit, or an invalid value
    """
    fields = tx.profile_fields.all()
    before = tx.profile_values.of_users([user_id]).get(user_id, {})
    wanted: dict[FieldId, ProfileValue | None] = {}
    for entry in {entry.field_id: entry for entry in entries}.values():  # the last value for a field counts
        definition = _editable(fields, actor, entry.field_id)
        wanted[definition.id] = _value(svc, tx, actor, definition, entry.value, rendered)
    for field_id, value in wanted.items():
        old = before.get(field_id)
        if (None if old is None else old.value) == (None if value is None else value.value):
            continue
        if value is None:
            tx.profile_values.remove([user_id], field_id)
        else:
            tx.profile_values.put(user_id, field_id, value)
        announce_value(tx, user_id, rules.find(fields, field_id), value)


def _value(
    svc: Services,
    tx: Transaction,
    actor: Actor,
    definition: ProfileField,
    raw: object,
    rendered: Rendered,
) -> ProfileValue | None:
    """Return a value of a field as it is stored, or None for an empty one."""
    value = rules.read_value(definition, raw)
    if value is None:
        return None
    if isinstance(value, list):
        _require_people(svc, tx, actor, value)
        return ProfileValue(rules.people_text(value))
    if definition.type not in RENDERED:
        return ProfileValue(value)
    if value not in rendered:
        raise BadRequest(f"Field id {definition.id} not found.")  # the field was created after rendering
    return ProfileValue(value, rendered[value])


def _require_people(svc: Services, tx: Transaction, actor: Actor, user_ids: Sequence[UserId]) -> None:
    """Refuse people that a profile cannot list.

    :raises BadRequest: an unknown or deactivated user, a bot, or one whom the actor may not know of
    """
    users = tx.users.by_ids(user_ids)
    accessible = accessible_users(tx, tx.organization.get(), actor, users.values())
    for user_id in user_ids:
        user = users.get(user_id)
        if user is None or not accessible(user_id):
            raise BadRequest(f"Invalid user ID: {user_id}")
        if not user.is_active:
            raise BadRequest(f"User with ID {user_id} is deactivated")
        if user.is_bot:
            raise BadRequest(f"User with ID {user_id} is a bot")
