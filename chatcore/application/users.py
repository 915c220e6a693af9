"""Reading users, each as the reader may see them, and one's own alert words."""

from collections.abc import Callable, Collection, Sequence
from typing import Any

import msgspec

from chatcore.application.accessible import Knows, accessible_users, known_to
from chatcore.application.addresses import find_user
from chatcore.application.gather import current, newest_received
from chatcore.application.services import Services
from chatcore.domain.alert_words import read_words
from chatcore.domain.characters import check_characters
from chatcore.domain.errors import BadRequest, LoginRequired
from chatcore.domain.groups import Actor
from chatcore.domain.ids import UserId
from chatcore.domain.organization import Organization
from chatcore.domain.profile_fields import FieldType, ProfileValue
from chatcore.domain.roles import SECONDS_PER_DAY
from chatcore.domain.users import User, placeholder_email
from chatcore.events.audience import Users
from chatcore.events.shapes.users import (
    Person,
    UserShape,
    joined_text,
    known_profile,
    person,
    unknown_person,
    user_shape,
)
from chatcore.events.types import AlertWordsChanged
from chatcore.storage import Snapshot, Transaction

MAX_ALERT_WORDS = 1000
"""How many alert words one user can have."""


class OwnUserShape(UserShape, kw_only=True):
    """One's own account, as `GET users/me` has it."""

    max_message_id: int


# -- users as somebody sees them --------------------------------------------------------------------


ProfileData = dict[str, Any]
"""A user's values of the custom profile fields, as clients get them: by the field's id as text."""


def shape_for(
    user: User,
    viewer: Actor | None,
    host: str,
    *,
    client_gravatar: bool,
    with_is_active: bool = True,
    profile_data: ProfileData | None = None,
) -> UserShape:
    """A user as the viewer sees them; without an account less of it, and only the day of joining.

    *profile_data* None leaves it out.
    """
    who = person(user, host)
    shape = user_shape(
        who if viewer is not None else _without_address(who, host),
        viewer,
        client_gravatar=client_gravatar,
        with_is_active=with_is_active,
        profile_data=profile_data,
    )
    if viewer is None:
        shape.timezone = ""
        shape.date_joined = joined_text(user.date_joined - user.date_joined % SECONDS_PER_DAY)
    return shape


def unknown_user(user: User, host: str, *, with_is_active: bool = True) -> UserShape:
    """What stands for a user that a limited guest does not know."""
    nobody = unknown_person(user.id, host)
    return user_shape(nobody, None, with_is_active=with_is_active, profile_data={})


def people_for(
    snapshot: Snapshot, viewer: Actor | None, users: Collection[User], host: str
) -> dict[UserId, Person]:
    """The people of messages by id, as the viewer may see them."""
    if viewer is None:
        return {user.id: _without_address(person(user, host), host) for user in users}
    knows = accessible_users(snapshot, snapshot.organization.get(), viewer, users)
    return {
        user.id: person(user, host) if knows(user.id) else unknown_person(user.id, host) for user in users
    }


def _without_address(who: Person, host: str) -> Person:
    """For who is not logged in: that everybody may see an address does not mean the whole web.

    Bots are nobody's private matter.
    """
    if who.is_bot:
        return who
    placeholder = placeholder_email(who.id, host)
    return msgspec.structs.replace(who, email=placeholder, api_email=placeholder)


def profile_data_of(
    snapshot: Snapshot, user_ids: Collection[UserId] | None = None, *, knows: Knows | None = None
) -> Callable[[UserId], ProfileData]:
    """What those users (None: all) have in their profiles; with *knows*, as a limited guest may know it."""
    values = snapshot.profile_values.of_users(user_ids)

    def profile(user_id: UserId) -> ProfileData:
        return {str(field_id): value_shape(value) for field_id, value in values.get(user_id, {}).items()}

    if knows is None:
        return profile
    listing = fields_listing_users(snapshot)
    return lambda user_id: known_profile(profile(user_id), listing, knows)


def fields_listing_users(snapshot: Snapshot) -> tuple[str, ...]:
    """The profile fields whose values list users, as profile data names them."""
    return tuple(str(one.id) for one in snapshot.profile_fields.all() if one.type == FieldType.PERSON)


def _profile_of(snapshot: Snapshot, actor: Actor, user: User) -> ProfileData:
    knows = known_to(snapshot, snapshot.organization.get(), actor)
    return profile_data_of(snapshot, [user.id], knows=knows)(user.id)


def value_shape(value: ProfileValue) -> dict[str, str]:
    if value.rendered_value is None:
        return {"value": value.value}
    return {"value": value.value, "rendered_value": value.rendered_value}


# -- use cases --------------------------------------------------------------------------------------


def own_user(svc: Services, actor: Actor) -> OwnUserShape:
    """The actor's own account."""

    def read(snapshot: Snapshot) -> OwnUserShape:
        user = snapshot.users.get(actor.user_id)
        shape = shape_for(
            user,
            actor,
            svc.settings.host,
            client_gravatar=False,
            profile_data=_profile_of(snapshot, actor, user),
        )
        return OwnUserShape(
            **msgspec.structs.asdict(shape), max_message_id=newest_received(snapshot, actor) or -1
        )

    return svc.storage.read(read)


def list_users(
    svc: Services,
    actor: Actor | None,
    *,
    client_gravatar: bool = True,
    include_custom_profile_fields: bool = False,
    user_ids: Collection[int] | None = None,
) -> list[UserShape]:
    """Every user, or those of *user_ids* that there are: people and bots, deactivated ones too, but not
    the server's own bot.

    :raises LoginRequired: nobody is logged in, and the organization is not open to the web
    """

    def read(snapshot: Snapshot) -> list[UserShape]:
        organization = _require_access(snapshot, actor)
        users: Collection[User]
        if user_ids is None:
            users = snapshot.users.all()
        else:
            users = snapshot.users.by_ids([UserId(user_id) for user_id in user_ids]).values()
        accessible = accessible_users(snapshot, organization, actor, users)
        profiles = None
        if include_custom_profile_fields and actor is not None:
            asked = None if user_ids is None else [user.id for user in users]
            profiles = profile_data_of(snapshot, asked, knows=known_to(snapshot, organization, actor))
        return [
            shape_for(
                user,
                actor,
                svc.settings.host,
                client_gravatar=client_gravatar and svc.settings.gravatar,
                profile_data=None if profiles is None else profiles(user.id),
            )
            for user in users
            if accessible(user.id) and user.id != organization.notification_bot_id
        ]

    return svc.storage.read(read)


def get_user(
    svc: Services,
    actor: Actor,
    user_id: int,
    *,
    client_gravatar: bool = True,
    include_custom_profile_fields: bool = False,
) -> UserShape:
    """One user, active or not.

    :raises BadRequest: no such user, or one that a limited guest does not know
    """

    def read(snapshot: Snapshot) -> UserShape:
        user = find_known(svc, snapshot, actor, user_id)
        return shape_for(
            user,
            actor,
            svc.settings.host,
            client_gravatar=client_gravatar and svc.settings.gravatar,
            profile_data=_profile_of(snapshot, actor, user) if include_custom_profile_fields else None,
        )

    return svc.storage.read(read)


def get_user_by_email(
    svc: Services,
    actor: Actor,
    email: str,
    *,
    client_gravatar: bool = True,
    include_custom_profile_fields: bool = False,
) -> UserShape:
    """The user with this address: the placeholder finds everybody, a real one only who shows it to the actor.

    :raises BadRequest: no such user, or one that a limited guest does not know
    """

    def read(snapshot: Snapshot) -> UserShape:
        user = find_known(svc, snapshot, actor, email)
        return shape_for(
            user,
            actor,
            svc.settings.host,
            client_gravatar=client_gravatar and svc.settings.gravatar,
            profile_data=_profile_of(snapshot, actor, user) if include_custom_profile_fields else None,
        )

    return svc.storage.read(read)


def find_known(svc: Services, snapshot: Snapshot, actor: Actor, target: int | str) -> User:
    """The user with this id or address, active or not.

    :raises BadRequest: no such user, or one that a limited guest does not know
    """
    user = find_user(svc, snapshot, actor, target)
    if user is None or not accessible_users(snapshot, snapshot.organization.get(), actor, [user])(user.id):
        raise no_such_user()
    return user


def no_such_user() -> BadRequest:
    """The one answer for somebody who is not there and for one of whom the actor may not know."""
    return BadRequest("No such user")


def _require_access(snapshot: Snapshot, actor: Actor | None) -> Organization:
    organization = snapshot.organization.get()
    if actor is None and not organization.enable_spectator_access:
        raise LoginRequired
    return organization


# -- alert words ------------------------------------------------------------------------------------


def alert_words(svc: Services, actor: Actor) -> list[str]:
    """The actor's alert words, in the order in which they were added."""
    return svc.storage.read(lambda snapshot: list(snapshot.alert_words.of_user(actor.user_id)))


def add_alert_words(svc: Services, actor: Actor, words: Sequence[str]) -> list[str]:
    """Add alert words; one that is there in another spelling stays as it is. All words after it.

    :raises BadRequest: a word that is too long or has control characters, or too many words
    """
    wanted = read_words(list(words), svc.limits)
    for word in wanted:
        check_characters(word, "alert word")

    def write(tx: Transaction) -> list[str]:
        me = current(tx, actor, svc.now).user_id
        before = list(tx.alert_words.of_user(me))
        known = {word.lower() for word in before}
        new = [word for word in wanted if word.lower() not in known]
        if len(before) + len(new) > MAX_ALERT_WORDS:
            raise BadRequest(f"You cannot have more than {MAX_ALERT_WORDS} alert words.")
        if not new:
            return before
        tx.alert_words.add(me, new)
        return _announce_alert_words(tx, me)

    return svc.storage.write(write)


def remove_alert_words(svc: Services, actor: Actor, words: Sequence[str]) -> list[str]:
    """Remove alert words, letter case ignored. All words after it."""
    unwanted = {word.strip().lower() for word in words}

    def write(tx: Transaction) -> list[str]:
        me = current(tx, actor, svc.now).user_id
        before = list(tx.alert_words.of_user(me))
        gone = [word for word in before if word.lower() in unwanted]
        if not gone:
            return before
        tx.alert_words.remove(me, gone)
        return _announce_alert_words(tx, me)

    return svc.storage.write(write)


def _announce_alert_words(tx: Transaction, user_id: UserId) -> list[str]:
    words = list(tx.alert_words.of_user(user_id))
    tx.announce(AlertWordsChanged(), Users((user_id,)))
    return words
