"""Who is there: what clients say of their users, and what others see of it."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from chatcore.application.accessible import accessible_users
from chatcore.application.gather import current
from chatcore.application.register_fetch import Fetch
from chatcore.application.services import Services
from chatcore.application.users import find_known
from chatcore.domain import user_settings
from chatcore.domain.errors import BadRequest
from chatcore.domain.groups import Actor
from chatcore.domain.ids import UserId
from chatcore.domain.organization import Organization
from chatcore.domain.presence import (
    HISTORY_DAYS,
    MAX_ACTIVE_PEOPLE,
    NO_UPDATE,
    PRESENCE_ENABLED,
    Presence,
    after_call,
    form_of_one,
    hidden,
    modern_form,
    older_form,
)
from chatcore.domain.roles import SECONDS_PER_DAY
from chatcore.domain.users import User, api_email
from chatcore.events.audience import Everyone
from chatcore.events.types import PresenceChanged
from chatcore.storage import Snapshot, Transaction


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """Which presences and in which form: *slim* is by user id, otherwise it is by API address."""

    slim: bool = False
    history_days: int = HISTORY_DAYS
    after: int = NO_UPDATE
    """Only what has changed since this number."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Presences:
    """What a client gets."""

    presences: Mapping[str, Mapping[str, Any]]
    server_timestamp: float
    presence_last_update_id: int


# -- what clients say -------------------------------------------------------------------------------


def client_called(svc: Services, actor: Actor, *, is_active: bool) -> None:
    """Note that a client of the actor is there, which is written down only where it tells something new.

    :raises BadRequest: a bot
    """
    if actor.is_bot:
        raise BadRequest("Bots have no presence.")

    def write(tx: Transaction) -> None:
        user = tx.users.get(current(tx, actor, svc.now).user_id)
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
    """What is known, and what is to be noted if that is anything."""
    old = snapshot.presences.find(user.id)
    if not user_settings.value(user, PRESENCE_ENABLED) or snapshot.organization.get().presence_disabled:
        return old, None
    return old, after_call(old, is_active=is_active, now=svc.now)


def hide(svc: Services, tx: Transaction, user: User) -> None:
    """From now on the user is not to be seen as present."""
    old = tx.presences.find(user.id)
    if old is not None and not old.is_offline(svc.now):
        new = hidden(old, svc.now)
        tx.presences.put(user.id, new)
        _announce(svc, tx, user, new)


def _announce(svc: Services, tx: Transaction, user: User, presence: Presence) -> None:
    if tx.users.count_active_people() <= MAX_ACTIVE_PEOPLE:
        tx.announce(changed(svc, user, presence), Everyone())


def announce_last(svc: Services, tx: Transaction, user: User) -> None:
    """Tell others of somebody who is back when they were last there."""
    last = listed(svc, tx, tx.organization.get(), Wanted()).get(user.id)
    if last is not None:
        _announce(svc, tx, user, last)


def changed(svc: Services, user: User, presence: Presence) -> PresenceChanged:
    """The event by which others learn of a user's presence."""
    return PresenceChanged(
        user_id=user.id,
        email=api_email(user, svc.settings.host),
        active_at=presence.active_at,
        connected_at=presence.connected_at,
        at=svc.clock(),
    )


# -- what others see --------------------------------------------------------------------------------


def presences(svc: Services, actor: Actor, wanted: Wanted) -> Presences:
    """When the people whom the actor may know of were last there."""
    return svc.storage.read(lambda snapshot: _seen(svc, snapshot, actor, wanted))


def presence_of(svc: Services, actor: Actor, target: int | str) -> Mapping[str, Mapping[str, object]]:
    """The presence of the user with an id or address.

    :raises BadRequest: no such person, or one that was never there
    """

    def read(snapshot: Snapshot) -> Mapping[str, Mapping[str, object]]:
        user = find_known(svc, snapshot, actor, target)
        presence = snapshot.presences.find(user.id)
        if presence is None or not user.is_active or snapshot.organization.get().presence_disabled:
            raise BadRequest(f"No presence data for {target}")
        return form_of_one(presence, svc.now)

    return svc.storage.read(read)


def state(fetch: Fetch) -> dict[str, object]:
    """The same in the initial state; nobody's without an account."""
    seen = Presences(presences={}, server_timestamp=fetch.svc.clock(), presence_last_update_id=NO_UPDATE)
    if fetch.actor is not None:
        wanted = Wanted(
            slim=fetch.registration.slim_presence,
            history_days=fetch.registration.presence_history_limit_days,
        )
        users = {user.id: user for user in fetch.users}
        seen = _seen(fetch.svc, fetch.snapshot, fetch.actor, wanted, users)
    return asdict(seen)


def listed(
    svc: Services, snapshot: Snapshot, organization: Organization, wanted: Wanted
) -> Mapping[UserId, Presence]:
    """Those of the presences that are wanted, of users of any kind."""
    if organization.presence_disabled:
        return {}
    oldest = max(0, svc.now - wanted.history_days * SECONDS_PER_DAY)
    return snapshot.presences.since(wanted.after, oldest)


def _seen(
    svc: Services,
    snapshot: Snapshot,
    actor: Actor,
    wanted: Wanted,
    users: Mapping[UserId, User] | None = None,
) -> Presences:
    """*users* are all there are, where they were read already."""
    organization = snapshot.organization.get()
    found = listed(svc, snapshot, organization, wanted)
    if users is None:
        users = snapshot.users.by_ids(found.keys())
    knows = accessible_users(snapshot, organization, actor, users.values())
    forms: dict[str, Mapping[str, Any]] = {}
    for user_id, presence in found.items():
        user = users[user_id]
        if not (user.is_active and knows(user_id)):
            continue
        if wanted.slim:
            forms[str(user_id)] = modern_form(presence)
        else:
            forms[api_email(user, svc.settings.host)] = older_form(presence)
    return Presences(
        presences=forms,
        server_timestamp=svc.clock(),
        presence_last_update_id=snapshot.presences.newest_update(),
    )
