"""Shapes of users for a given viewer, and of their profiles."""

from collections.abc import Callable, Collection, Mapping

import msgspec

from chatcore.application.units import View
from chatcore.application.visibility.addresses import find_user
from chatcore.application.visibility.known_users import accessible_users
from chatcore.domain.errors import BadRequest
from chatcore.domain.groups.actors import Actor
from chatcore.domain.ids import FieldId, UserId
from chatcore.domain.organization.profile_fields import FieldType, ProfileField, ProfileValue
from chatcore.domain.people.users import User, placeholder_email
from chatcore.domain.times import SECONDS_PER_DAY
from chatcore.events.audience import Audience, Everyone
from chatcore.events.happened import PersonChanged
from chatcore.events.payloads.parts import ValueObject
from chatcore.events.payloads.users import (
    Person,
    ProfileData,
    UserShape,
    joined_text,
    known_profile,
    person,
    unknown_person,
    user_shape,
)
from chatcore.events.sending.listener import Knows
from chatcore.storage import Snapshot, Transaction

EVERYONE = Everyone()


def user_shape_for(
    user: User,
    viewer: Actor | None,
    host: str,
    *,
    client_gravatar: bool,
    with_is_active: bool = True,
    profile_data: ProfileData | None = None,
) -> UserShape:
    """Return a user as the viewer may see them; a viewer without an account gets fewer fields, and only the
    day of joining.

    If *profile_data* is None, the shape has no such field.
    """
    who = person(user, host)
    shape = user_shape(
        who if viewer is not None else _without_address(who, host),
        viewer,
        client_gravatar=client_gravatar,
        with_is_active=with_is_active,
        profile_data=profile_data,
    )
    if viewer is not None:
        return shape
    day_joined = joined_text(user.date_joined - user.date_joined % SECONDS_PER_DAY)
    return msgspec.structs.replace(shape, timezone="", date_joined=day_joined)


def unknown_user(user: User, host: str, *, with_is_active: bool = True) -> UserShape:
    """Return the placeholder for a user who is not visible to a limited guest."""
    nobody = unknown_person(user.id, host)
    return user_shape(nobody, None, with_is_active=with_is_active, profile_data={})


def people_for(
    snapshot: Snapshot, viewer: Actor | None, users: Collection[User], host: str
) -> dict[UserId, Person]:
    """Return the people of messages by id, as the viewer may see them."""
    if viewer is None:
        return {user.id: _without_address(person(user, host), host) for user in users}
    knows = accessible_users(snapshot, snapshot.organization.get(), viewer, users)
    return {
        user.id: person(user, host) if knows(user.id) else unknown_person(user.id, host) for user in users
    }


def _without_address(who: Person, host: str) -> Person:
    """Return the person for a reader who is not logged in: an address that everybody may see is not open to
    the web.

    Addresses of bots are not private.
    """
    if who.is_bot:
        return who
    placeholder = placeholder_email(who.id, host)
    return msgspec.structs.replace(who, email=placeholder, api_email=placeholder)


def profile_data_of(
    snapshot: Snapshot, user_ids: Collection[UserId] | None = None, *, knows: Knows | None = None
) -> Callable[[UserId], ProfileData]:
    """Return a function from a user's id to the user's profile values, for those users (None: all). With
    *knows*, lists of users in the values contain only users whom a limited guest may know of.
    """
    return profile_data_from(snapshot, snapshot.profile_values.of_users(user_ids), knows=knows)


def profile_data_from(
    snapshot: Snapshot,
    values: Mapping[UserId, Mapping[FieldId, ProfileValue]],
    *,
    knows: Knows | None = None,
) -> Callable[[UserId], ProfileData]:
    """Return a function like `profile_data_of` of values that have been read."""

    def profile(user_id: UserId) -> ProfileData:
        return {str(field_id): value_object(value) for field_id, value in values.get(user_id, {}).items()}

    if knows is None:
        return profile
    listing = fields_listing_users(snapshot)
    return lambda user_id: known_profile(profile(user_id), listing, knows)


def fields_listing_users(snapshot: Snapshot) -> tuple[str, ...]:
    """Return the profile fields whose values list users, by their keys in profile data."""
    return tuple(str(field.id) for field in snapshot.profile_fields.all() if field.type == FieldType.PERSON)


def value_object(value: ProfileValue) -> ValueObject:
    if value.rendered_value is None:
        return {"value": value.value}
    return {"value": value.value, "rendered_value": value.rendered_value}


def find_known(view: View, actor: Actor, target: int | str) -> User:
    """Return the user with this id or address, active or not.

    :raises BadRequest: no such user, or one whom a limited guest does not know
    """
    user = find_user(view, actor, target)
    if user is None:
        raise no_such_user()
    knows = accessible_users(view.snapshot, view.snapshot.organization.get(), actor, [user])
    if not knows(user.id):
        raise no_such_user()
    return user


def no_such_user() -> BadRequest:
    """Return the one answer for a missing user and for an invisible one."""
    return BadRequest("No such user")


def announce_value(
    tx: Transaction,
    user_id: UserId,
    definition: ProfileField,
    value: ProfileValue | None,
    to: Audience = EVERYONE,
) -> None:
    """Announce a new or removed value to the users who know the user."""
    sent: ValueObject = {"value": None} if value is None else value_object(value)
    changed = PersonChanged(
        user_id=user_id,
        changes={"custom_profile_field": {"id": definition.id, **sent}},
        lists_users=definition.type == FieldType.PERSON,
    )
    tx.announce(changed, to)
