"""Muting people: their messages are read on arrival for the users who have muted them."""

from typing import Annotated

from chatcore.application.arguments import about
from chatcore.application.messages.marking import mark_sender_as_read
from chatcore.application.services import Services
from chatcore.application.units import Unit, unit_of_work
from chatcore.application.visibility.users import find_known
from chatcore.domain.errors import BadRequest
from chatcore.domain.groups.actors import Actor
from chatcore.domain.ids import Position, UserId
from chatcore.events.audience import Users
from chatcore.events.happened import MutedUsersChanged
from chatcore.events.payloads.settings import MutedUserObject
from chatcore.storage import Snapshot

MAX_MUTED_USERS = 1000

OtherUser = Annotated[int, about("The id of the other user.")]


def muted_user_objects(snapshot: Snapshot, actor: Actor) -> list[MutedUserObject]:
    """Return the people muted by the actor, and since when."""
    muted = snapshot.muted_users.of_user(actor.user_id)
    return [{"id": muted_id, "timestamp": at} for muted_id, at in muted.items()]


def mute_user(svc: Services, actor: Actor, user_id: OtherUser) -> None:
    """Mute a user: all messages from this user are marked as read.

    :effect: unread messages of the user become read in steps, and new ones are read on arrival
    :raises BadRequest: the actor, an unknown user, a user who is muted already, or too many
    """
    # Muting is one unit of work; afterwards unread messages are marked in steps between which other writers
    # run. If the process is killed in between, the user stays muted and the remaining messages stay unread.
    mark_sender_as_read(svc, actor, *_mute_user(svc, actor, user_id))


@unit_of_work
def _mute_user(unit: Unit, me: Actor, user_id: int) -> tuple[UserId, Position]:
    """Return the user who is muted from now on, and the position of the event."""
    if user_id == me.user_id:
        raise BadRequest("Cannot mute self")
    muted = find_known(unit, me, user_id).id
    before = unit.tx.muted_users.of_user(me.user_id)
    if muted in before:
        raise BadRequest("User already muted")
    if len(before) >= MAX_MUTED_USERS:
        raise BadRequest(f"You cannot mute more than {MAX_MUTED_USERS} users.")
    if unit.tx.muted_users.count_periods(me.user_id) >= unit.limits.max_mutings_per_user:
        raise BadRequest("You have muted users too often.")
    position = _announce(unit, me)
    unit.tx.muted_users.add(me.user_id, muted, unit.now, position)
    return muted, position


@unit_of_work
def unmute_user(unit: Unit, me: Actor, user_id: OtherUser) -> None:
    """Unmute a user; messages that are read stay read.

    :raises BadRequest: the user is not muted
    """
    muted = UserId(user_id)
    if muted not in unit.tx.muted_users.of_user(me.user_id):  # also users no longer known
        raise BadRequest("User is not muted")
    position = _announce(unit, me)
    unit.tx.muted_users.remove(me.user_id, muted, position)


def _announce(unit: Unit, me: Actor) -> Position:
    """Announce the change; return its position in the log, from which on it applies to messages."""
    return unit.tx.announce(MutedUsersChanged(), Users((me.user_id,)))
