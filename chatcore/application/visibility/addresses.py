"""Whom an address names: the one place that tells for a text which account is meant."""

from collections.abc import Collection, Iterable

from chatcore.application.services import Services
from chatcore.application.visibility.known_users import Knows, accessible_users
from chatcore.domain.groups import Actor
from chatcore.domain.ids import UserId
from chatcore.domain.users import User, may_see_email, placeholder_id
from chatcore.storage import Snapshot
from chatcore.storage.turns import in_slices


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
    if user is None:
        return None
    return user if _shows_address(user, actor, knows or known_people(snapshot, actor)) else None


def find_users(
    svc: Services, snapshot: Snapshot, actor: Actor, targets: Collection[int] | Collection[str]
) -> dict[int | str, User]:
    """The people of many ids or addresses, by a few statements.

    Ids and addresses that name nobody for the actor are left out, and so are people whom a limited guest does
    not know, as if there were no such id. Bots address everybody, and everybody addresses bots.
    """
    unique: Iterable[int | str] = dict.fromkeys(targets)
    ids = {target: _id_in(svc, target) for target in in_slices(unique)}
    by_id = snapshot.users.by_ids({UserId(number) for number in ids.values() if number is not None})
    addresses = {target.lower() for target in ids if isinstance(target, str)}
    by_address = snapshot.users.by_emails(addresses) if addresses else {}
    knows = known_people(snapshot, actor)
    found: dict[int | str, User] = {}
    for target, number in in_slices(ids.items()):
        user = None if number is None else by_id.get(UserId(number))
        if user is None and isinstance(target, str):
            holder = by_address.get(target.lower())
            user = holder if holder is not None and _shows_address(holder, actor, knows) else None
        if user is not None and (actor.is_bot or user.is_bot or knows(user.id)):
            found[target] = user
    return found


def _shows_address(user: User, actor: Actor | None, knows: Knows) -> bool:
    return may_see_email(actor, user) and (user.is_bot or knows(user.id))


def known_people(snapshot: Snapshot, actor: Actor | None) -> Knows:
    """Whether the actor may know of somebody who is no bot."""
    return accessible_users(snapshot, snapshot.organization.get(), actor, ())


def _id_in(svc: Services, target: int | str) -> int | None:
    """The id that is given, or is in a placeholder."""
    return target if isinstance(target, int) else placeholder_id(target, svc.settings.host)


def _by_placeholder(svc: Services, snapshot: Snapshot, email: str) -> User | None:
    user_id = placeholder_id(email, svc.settings.host)
    return None if user_id is None else snapshot.users.find(user_id)
