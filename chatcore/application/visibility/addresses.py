"""Lookup of accounts by address: the only place that decides which account a text names."""

from collections.abc import Collection, Iterable

from chatcore.application.services import Services
from chatcore.application.units import View
from chatcore.application.visibility.known_users import accessible_users
from chatcore.domain.characters import is_storable
from chatcore.domain.groups.actors import Actor
from chatcore.domain.ids import UserId
from chatcore.domain.people.users import User, may_see_email, placeholder_id
from chatcore.events.sending.listener import Knows
from chatcore.storage import Snapshot
from chatcore.storage.slices import in_slices


def holder_of(view: View, email: str) -> User | None:
    """Return the user with this placeholder or real address, for any caller."""
    if not is_storable(email):
        return None
    return _by_placeholder(view, email) or view.snapshot.users.find_by_email(email)


def find_user(view: View, actor: Actor | None, target: int | str, knows: Knows | None = None) -> User | None:
    """Return the user whom an id or address names for the actor, active or not.

    A placeholder address finds everybody, a real address only users who show it to the actor. For a limited
    guest, the address of an unknown user is like one that nobody has: otherwise the guest could identify the
    senders of messages by unknown people. To look up many users, pass *knows*, so that the people known to
    the actor are read once.
    """
    if isinstance(target, int):
        return view.snapshot.users.find(target)
    if (user := _by_placeholder(view, target)) is not None:
        return user
    user = view.snapshot.users.find_by_email(target)
    if user is None:
        return None
    return user if _shows_address(user, actor, knows or known_people(view.snapshot, actor)) else None


def find_users(view: View, actor: Actor, targets: Collection[int] | Collection[str]) -> dict[int | str, User]:
    """Return the people of many ids or addresses, with a few statements.

    Ids and addresses that name nobody for the actor are left out, and so are people whom a limited guest does
    not know, as if no such id existed. Bots may address everybody, and everybody may address bots.
    """
    unique: Iterable[int | str] = dict.fromkeys(targets)
    ids = {target: _id_in(view.svc, target) for target in in_slices(unique)}
    by_id = view.snapshot.users.by_ids({UserId(number) for number in ids.values() if number is not None})
    addresses = {target.lower() for target in ids if isinstance(target, str)}
    by_address = view.snapshot.users.by_emails(addresses) if addresses else {}
    knows = known_people(view.snapshot, actor)
    people: dict[int | str, User] = {}
    for target, number in in_slices(ids.items()):
        user = None if number is None else by_id.get(UserId(number))
        if user is None and isinstance(target, str):
            holder = by_address.get(target.lower())
            user = holder if holder is not None and _shows_address(holder, actor, knows) else None
        if user is not None and (actor.is_bot or user.is_bot or knows(user.id)):
            people[target] = user
    return people


def _shows_address(user: User, actor: Actor | None, knows: Knows) -> bool:
    return may_see_email(actor, user) and (user.is_bot or knows(user.id))


def known_people(snapshot: Snapshot, actor: Actor | None) -> Knows:
    """Return a predicate for people, whether the actor may know of them; it does not apply to bots."""
    return accessible_users(snapshot, snapshot.organization.get(), actor, ())


def _id_in(svc: Services, target: int | str) -> int | None:
    """Return the id itself, or the id in a placeholder address."""
    return target if isinstance(target, int) else placeholder_id(target, svc.settings.host)


def _by_placeholder(view: View, email: str) -> User | None:
    user_id = placeholder_id(email, view.svc.settings.host)
    return None if user_id is None else view.snapshot.users.find(user_id)
