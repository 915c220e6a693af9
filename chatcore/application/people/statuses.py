"""Reading and setting the statuses of users."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from chatcore.application.delivery.emoji import emoji_names
from chatcore.application.people.settings import change_settings
from chatcore.application.services import Services
from chatcore.application.units import Unit, View, read_only, unit_of_work
from chatcore.application.visibility.statuses import status_as_sent
from chatcore.application.visibility.users import find_known, no_such_user
from chatcore.domain.errors import BadRequest, InsufficientPermission
from chatcore.domain.groups.actors import Actor
from chatcore.domain.organization.audit import AuditKind
from chatcore.domain.people.presence import PRESENCE_ENABLED
from chatcore.domain.people.statuses import NO_EMOJI, Status, changed_parts, checked_status_text
from chatcore.domain.people.users import User
from chatcore.events.audience import Everyone
from chatcore.events.happened import StatusChanged


@read_only
def status_of(view: View, me: Actor, user_id: int) -> Mapping[str, Any]:
    """Return a user's status; empty if nothing is set.

    :raises BadRequest: no such user, or one whom a limited guest does not know
    """
    user = find_known(view, me, user_id)
    return status_as_sent(user, view.snapshot.statuses.find(user.id))


@dataclass(frozen=True, slots=True, kw_only=True)
class NewStatus:
    """The parts of a status to set; None leaves a part unchanged, an empty text clears it."""

    away: bool | None = None
    status_text: str | None = None
    emoji_name: str | None = None
    emoji_code: str | None = None
    reaction_type: str | None = None


def set_status(svc: Services, actor: Actor, new: NewStatus) -> None:
    """Set the actor's own status.

    :raises BadRequest: a bot, nothing to set, a text that is too long, or no such emoji
    """
    if actor.is_bot:
        raise BadRequest("Bots are not allowed to set a status.")
    _store_own_status(svc, actor, _check_parts(new))


@unit_of_work
def _store_own_status(unit: Unit, me: Actor, new: NewStatus) -> None:
    _change_status(unit, unit.tx.users.get(me.user_id), new)


def set_status_of(svc: Services, actor: Actor, user_id: int, new: NewStatus) -> None:
    """Set another person's status, as an administrator.

    :raises BadRequest: the actor is not an administrator, no such person, a deactivated one, or as for
        `set_status`
    """
    _store_status_of(svc, actor, user_id, _check_parts(new))


def _check_parts(new: NewStatus) -> NewStatus:
    """Return the parts as they are stored.

    :raises BadRequest: nothing to set, a text that is too long, or an emoji without its name
    """
    if new == NewStatus():
        raise BadRequest("Client did not pass any new values.")
    if new.emoji_name is None and (new.emoji_code is not None or new.reaction_type is not None):
        raise BadRequest("Client must pass emoji_name if they pass either emoji_code or reaction_type.")
    return new if new.status_text is None else replace(new, status_text=checked_status_text(new.status_text))


@unit_of_work
def _store_status_of(unit: Unit, me: Actor, user_id: int, new: NewStatus) -> None:
    if not me.role.is_administrator:
        raise InsufficientPermission
    user = unit.tx.users.find(user_id)
    if user is None or user.is_bot:
        raise no_such_user()
    if not user.is_active:
        raise BadRequest("User is deactivated")
    if _change_status(unit, user, new) and user.id != me.user_id:
        unit.record(AuditKind.STATUS_CHANGED, user.id)


def _change_status(unit: Unit, user: User, new: NewStatus) -> bool:
    """Store and announce a status, and the setting that `away` stands for; return whether any of it differs
    from before.
    """
    old = unit.tx.statuses.find(user.id)
    status = _with_emoji(unit, old, new)
    if new.status_text is not None:
        status = replace(status, status_text=new.status_text)
    changed = changed_parts(old, status)
    if new.away is not None and change_settings(unit, user, {PRESENCE_ENABLED: not new.away}):
        changed["away"] = new.away
    unit.tx.statuses.put(user.id, status)
    if changed:
        unit.tx.announce(StatusChanged(user_id=user.id, changes=changed), Everyone())
    return bool(changed)


def _with_emoji(view: View, old: Status, new: NewStatus) -> Status:
    """Return the old status with the new emoji, or without an emoji if its name is empty."""
    if new.emoji_name is None:
        return old
    if not new.emoji_name:
        return old.with_emoji(NO_EMOJI)
    known = emoji_names(view, new.emoji_name)
    return old.with_emoji(known.read(new.emoji_name, new.emoji_code, new.reaction_type))
