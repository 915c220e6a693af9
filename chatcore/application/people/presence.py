"""Presence: reports by clients of their users, and reading those of others."""

from collections.abc import Mapping

from chatcore.application.services import Services
from chatcore.application.units import refresh_actor
from chatcore.application.visibility.presences import Presences, Wanted, changed, listed, seen
from chatcore.application.visibility.users import find_known
from chatcore.domain.errors import BadRequest
from chatcore.domain.groups.actors import Actor
from chatcore.domain.people import setting_values
from chatcore.domain.people.presence import (
    MAX_ACTIVE_PEOPLE,
    PRESENCE_ENABLED,
    Presence,
    after_call,
    form_of_one,
    hidden,
)
from chatcore.domain.people.users import User
from chatcore.events.audience import Everyone
from chatcore.storage import Snapshot, Transaction

# -- reports by clients -----------------------------------------------------------------------------


def client_called(svc: Services, actor: Actor, *, is_active: bool) -> None:
    """Record that a client of the actor is active; the store is written only if the presence changes enough.

    :raises BadRequest: a bot
    """
    if actor.is_bot:
        raise BadRequest("Bots have no presence.")

    def write(tx: Transaction) -> None:
        user = tx.users.get(refresh_actor(tx, actor, svc.now).user_id)
        old, new = _old_and_new(svc, tx, user, is_active=is_active)
        if new is not None:
            tx.presences.put(user.id, new)
            if old is None or old.is_offline(svc.now):
                _announce(svc, tx, user, new)

    def is_new(snapshot: Snapshot) -> bool:
        user = snapshot.users.get(actor.user_id)
        return _old_and_new(svc, snapshot, user, is_active=is_active)[1] is not None

    if svc.storage.read(is_new):
        svc.storage.write(write)


def _old_and_new(
    svc: Services, snapshot: Snapshot, user: User, *, is_active: bool
) -> tuple[Presence | None, Presence | None]:
    """Return the stored presence, and the one to store; None for either if it does not exist."""
    old = snapshot.presences.find(user.id)
    if not setting_values.value(user, PRESENCE_ENABLED) or snapshot.organization.get().presence_disabled:
        return old, None
    return old, after_call(old, is_active=is_active, now=svc.now)


def hide(svc: Services, tx: Transaction, user: User) -> None:
    """Hide the user's presence from now on."""
    old = tx.presences.find(user.id)
    if old is not None and not old.is_offline(svc.now):
        new = hidden(old, svc.now)
        tx.presences.put(user.id, new)
        _announce(svc, tx, user, new)


def _announce(svc: Services, tx: Transaction, user: User, presence: Presence) -> None:
    if tx.users.count_active_people() <= MAX_ACTIVE_PEOPLE:
        tx.announce(changed(svc, user, presence), Everyone())


def announce_last(svc: Services, tx: Transaction, user: User) -> None:
    """Announce the last presence of a user who shows it again."""
    last = listed(svc, tx, tx.organization.get(), Wanted()).get(user.id)
    if last is not None:
        _announce(svc, tx, user, last)


# -- reading ----------------------------------------------------------------------------------------


def presences(svc: Services, actor: Actor, wanted: Wanted) -> Presences:
    """Return the presences of the users who are visible to the actor."""
    return svc.storage.read(lambda snapshot: seen(svc, snapshot, actor, wanted))


def presence_of(svc: Services, actor: Actor, target: int | str) -> Mapping[str, Mapping[str, object]]:
    """Return the presence of the user with an id or address.

    :raises BadRequest: no such person, or one that was never present
    """

    def read(snapshot: Snapshot) -> Mapping[str, Mapping[str, object]]:
        user = find_known(svc, snapshot, actor, target)
        presence = snapshot.presences.find(user.id)
        if presence is None or not user.is_active or snapshot.organization.get().presence_disabled:
            raise BadRequest(f"No presence data for {target}")
        return form_of_one(presence, svc.now)

    return svc.storage.read(read)
