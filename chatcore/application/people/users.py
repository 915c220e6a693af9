"""Reading users, each as the reader may see them."""

from collections.abc import Collection
from typing import Annotated

import msgspec

from chatcore.application.arguments import UserNumber, about
from chatcore.application.units import View, read_only
from chatcore.application.visibility.known_users import accessible_users, known_to
from chatcore.application.visibility.users import find_known, profile_data_of, user_shape_for
from chatcore.application.visibility.viewers import newest_in_history
from chatcore.domain.errors import LoginRequired
from chatcore.domain.groups.actors import Actor
from chatcore.domain.ids import UserId
from chatcore.domain.organization.organization import Organization
from chatcore.domain.people.users import User
from chatcore.events.payloads.users import ProfileData, UserShape
from chatcore.storage import Snapshot

ClientGravatar = Annotated[
    bool, about("Omit avatar addresses that the client can compute, if the server allows it.")
]
IncludeCustomProfileFields = Annotated[bool, about("Include values of custom profile fields.")]


class OwnUserShape(UserShape, kw_only=True, frozen=True):
    """The actor's own account in the form of `GET users/me`."""

    max_message_id: int


def _profile_of(view: View, me: Actor, user: User) -> ProfileData:
    """Return a user's values of custom profile fields, of people only those whom the actor may know of."""
    knows = known_to(view.snapshot, view.snapshot.organization.get(), me)
    return profile_data_of(view.snapshot, [user.id], knows=knows)(user.id)


@read_only
def own_user(view: View, me: Actor) -> OwnUserShape:
    """Get the caller's account."""
    user = view.snapshot.users.get(me.user_id)
    profile = _profile_of(view, me, user)
    shape = user_shape_for(user, me, view.svc.settings.host, client_gravatar=False, profile_data=profile)
    newest = newest_in_history(view.snapshot, me) or -1  # the API's value for an empty history
    return OwnUserShape(**msgspec.structs.asdict(shape), max_message_id=newest)


@read_only
def list_users(
    view: View,
    me: Actor | None,
    *,
    client_gravatar: bool = True,
    include_custom_profile_fields: bool = False,
    user_ids: Collection[int] | None = None,
) -> list[UserShape]:
    """List all users, or the existing ones of *user_ids*: people and bots, including deactivated ones, but
    not the server's own bot.

    :raises LoginRequired: no actor, and the organization is not open to the web
    """
    organization = _require_access(view.snapshot, me)
    users: Collection[User]
    if user_ids is None:
        users = view.snapshot.users.all()
    else:
        users = view.snapshot.users.by_ids([UserId(user_id) for user_id in user_ids]).values()
    accessible = accessible_users(view.snapshot, organization, me, users)
    profiles = None
    if include_custom_profile_fields and me is not None:
        found_ids = None if user_ids is None else [user.id for user in users]
        profiles = profile_data_of(view.snapshot, found_ids, knows=known_to(view.snapshot, organization, me))
    settings = view.svc.settings
    return [
        user_shape_for(
            user,
            me,
            settings.host,
            client_gravatar=client_gravatar and settings.gravatar,
            profile_data=None if profiles is None else profiles(user.id),
        )
        for user in users
        if accessible(user.id) and user.id != organization.notification_bot_id
    ]


@read_only
def get_user(
    view: View,
    me: Actor,
    user_id: UserNumber,
    *,
    client_gravatar: ClientGravatar = True,
    include_custom_profile_fields: IncludeCustomProfileFields = False,
) -> UserShape:
    """Get one user.

    :raises BadRequest: no such user, or one whom a limited guest does not know
    """
    return _known_user_shape(
        view, me, user_id, client_gravatar=client_gravatar, with_profile=include_custom_profile_fields
    )


@read_only
def get_user_by_email(
    view: View,
    me: Actor,
    email: Annotated[str, about("The user's address, or the placeholder that stands for it.")],
    *,
    client_gravatar: ClientGravatar = True,
    include_custom_profile_fields: IncludeCustomProfileFields = False,
) -> UserShape:
    """Get one user by address: the real one if the caller may see it, or the placeholder.

    :raises BadRequest: no such user, or one whom a limited guest does not know
    """
    return _known_user_shape(
        view, me, email, client_gravatar=client_gravatar, with_profile=include_custom_profile_fields
    )


def _known_user_shape(
    view: View, me: Actor, target: int | str, *, client_gravatar: bool, with_profile: bool
) -> UserShape:
    user = find_known(view, me, target)
    settings = view.svc.settings
    profile = _profile_of(view, me, user) if with_profile else None
    omits_gravatar = client_gravatar and settings.gravatar
    return user_shape_for(user, me, settings.host, client_gravatar=omits_gravatar, profile_data=profile)


def _require_access(snapshot: Snapshot, actor: Actor | None) -> Organization:
    """Return the organization, if the actor or a spectator (None) may read in it.

    :raises LoginRequired: a spectator, and the organization is not open to the web
    """
    organization = snapshot.organization.get()
    if actor is None and not organization.enable_spectator_access:
        raise LoginRequired
    return organization
