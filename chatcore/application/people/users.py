"""Reading users, each as the reader may see them."""

from collections.abc import Collection

import msgspec

from chatcore.application.services import Services
from chatcore.application.visibility.known_users import accessible_users, known_to
from chatcore.application.visibility.users import find_known, profile_data_of, shape_for
from chatcore.application.visibility.viewers import newest_in_history
from chatcore.domain.errors import LoginRequired
from chatcore.domain.groups.actors import Actor
from chatcore.domain.ids import UserId
from chatcore.domain.organization.organization import Organization
from chatcore.domain.people.users import User
from chatcore.events.shapes.users import ProfileData, UserShape
from chatcore.storage import Snapshot


class OwnUserShape(UserShape, kw_only=True):
    """The actor's own account in the form of `GET users/me`."""

    max_message_id: int


def _profile_of(snapshot: Snapshot, actor: Actor, user: User) -> ProfileData:
    knows = known_to(snapshot, snapshot.organization.get(), actor)
    return profile_data_of(snapshot, [user.id], knows=knows)(user.id)


def own_user(svc: Services, actor: Actor) -> OwnUserShape:
    """Return the actor's own account."""

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
            **msgspec.structs.asdict(shape), max_message_id=newest_in_history(snapshot, actor) or -1
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
    """List all users, or the existing ones of *user_ids*: people and bots, including deactivated ones, but
    not the server's own bot.

    :raises LoginRequired: no actor, and the organization is not open to the web
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
    """Return one user, active or not.

    :raises BadRequest: no such user, or one whom a limited guest does not know
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
    """Return the user with this address. A placeholder address finds everybody; a real one finds only users
    who show it to the actor.

    :raises BadRequest: no such user, or one whom a limited guest does not know
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


def _require_access(snapshot: Snapshot, actor: Actor | None) -> Organization:
    """Return the organization, if the actor or a spectator (None) may read in it.

    :raises LoginRequired: a spectator, and the organization is not open to the web
    """
    organization = snapshot.organization.get()
    if actor is None and not organization.enable_spectator_access:
        raise LoginRequired
    return organization
