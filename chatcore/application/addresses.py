"""Whom an address names: the one place that tells for a text which account is meant."""

from chatcore.application.accessible import Knows, accessible_users
from chatcore.application.services import Services
from chatcore.domain.groups import Actor
from chatcore.domain.users import User, may_see_email, placeholder_id
from chatcore.storage import Snapshot


def holder_of(svc: Services, snapshot: Snapshot, email: str) -> User | None:
    """The user with this address, whoever asks: the placeholder, or the real one."""
    return _by_placeholder(svc, snapshot, email) or snapshot.users.find_by_email(email)


def find_user(
    svc: Services, snapshot: Snapshot, actor: Actor | None, target: int | str, knows: Knows | None = None
) -> User | None:
    """The user whom an id or address names for the actor, active or not.

    The placeholder finds everybody, a real address only who shows it to the actor. To a limited guest the
    address of somebody whom it does not know is one that nobody has: otherwise it could find out whose the
    messages of unknown people are. Whoever asks for many looks up once which people the actor *knows*.
    """
    if isinstance(target, int):
        return snapshot.users.find(target)
    if (user := _by_placeholder(svc, snapshot, target)) is not None:
        return user
    user = snapshot.users.find_by_email(target)
    if user is None or not may_see_email(actor, user):
        return None
    knows = knows or known_people(snapshot, actor)
    return user if user.is_bot or knows(user.id) else None


def known_people(snapshot: Snapshot, actor: Actor | None) -> Knows:
    """Whether the actor may know of somebody who is no bot."""
    return accessible_users(snapshot, snapshot.organization.get(), actor, ())


def _by_placeholder(svc: Services, snapshot: Snapshot, email: str) -> User | None:
    user_id = placeholder_id(email, svc.settings.host)
    return None if user_id is None else snapshot.users.find(user_id)
