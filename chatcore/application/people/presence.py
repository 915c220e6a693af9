"""Presence: clients report that of their users, and read that of others."""

from collections.abc import Mapping

from chatcore.application.services import Services
from chatcore.application.units import Unit, View, read_only, unit_of_work
from chatcore.application.visibility.presences import (
    Presences,
    WantedPresences,
    make_presence_changed,
    select_presences,
    visible_presences,
)
from chatcore.application.visibility.users import find_known
from chatcore.domain.errors import BadRequest
from chatcore.domain.groups.actors import Actor
from chatcore.domain.people import setting_values
from chatcore.domain.people.presence import (
    MAX_ACTIVE_PEOPLE,
    PRESENCE_ENABLED,
    Presence,
    form_of_one,
    hidden,
    presence_after_report,
)
from chatcore.domain.people.users import User
from chatcore.events.audience import Everyone

# -- reports by clients -----------------------------------------------------------------------------


def report_activity(svc: Services, actor: Actor, *, is_active: bool) -> None:
    """Record that a client of the actor is active; the store is written only if the presence changes enough.

    :raises BadRequest: a bot
    """
    if actor.is_bot:
        raise BadRequest("Bots have no presence.")
    if _would_change(svc, actor, is_active=is_active):
        _store_activity(svc, actor, is_active=is_active)


@read_only
def _would_change(view: View, me: Actor, *, is_active: bool) -> bool:
    _, new = _old_and_new(view, view.snapshot.users.get(me.user_id), is_active=is_active)
    return new is not None


@unit_of_work
def _store_activity(unit: Unit, me: Actor, *, is_active: bool) -> None:
    user = unit.tx.users.get(me.user_id)
    old, new = _old_and_new(unit, user, is_active=is_active)
    if new is not None:
        unit.tx.presences.put(user.id, new)
        if old is None or old.is_offline(unit.now):
            _announce(unit, user, new)


def _old_and_new(view: View, user: User, *, is_active: bool) -> tuple[Presence | None, Presence | None]:
    """Return the stored presence, None if there is none; and the one to store, None to leave it unchanged."""
    old = view.snapshot.presences.find(user.id)
    if not setting_values.value(user, PRESENCE_ENABLED) or view.snapshot.organization.get().presence_disabled:
        return old, None
    return old, presence_after_report(old, is_active=is_active, now=view.now)


def hide_presence(unit: Unit, user: User) -> None:
    """Hide the user's presence from now on."""
    old = unit.tx.presences.find(user.id)
    if old is not None and not old.is_offline(unit.now):
        new = hidden(old, unit.now)
        unit.tx.presences.put(user.id, new)
        _announce(unit, user, new)


def _announce(unit: Unit, user: User, presence: Presence) -> None:
    """Announce a presence, except in a large organization; see `MAX_ACTIVE_PEOPLE`."""
    if unit.tx.users.count_active_people() <= MAX_ACTIVE_PEOPLE:
        unit.tx.announce(make_presence_changed(unit.svc, user, presence), Everyone())


def announce_last_presence(unit: Unit, user: User) -> None:
    """Announce the last presence of a user who shows it again."""
    last = select_presences(unit, unit.tx.organization.get(), WantedPresences()).get(user.id)
    if last is not None:
        _announce(unit, user, last)


# -- reading ----------------------------------------------------------------------------------------


@read_only
def presences(view: View, me: Actor, wanted: WantedPresences) -> Presences:
    """Return the presences of the users who are visible to the actor."""
    return visible_presences(view, me, wanted)


@read_only
def presence_of(view: View, me: Actor, target: int | str) -> Mapping[str, Mapping[str, object]]:
    """Return the presence of the user with an id or address.

    :raises BadRequest: no such person, or one that was never present
    """
    user = find_known(view, me, target)
    presence = view.snapshot.presences.find(user.id)
    if presence is None or not user.is_active or view.snapshot.organization.get().presence_disabled:
        raise BadRequest(f"No presence data for {target}")
    return form_of_one(presence, view.now)
