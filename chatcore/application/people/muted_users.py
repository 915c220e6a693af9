"""Muting people: their messages are read on arrival for the users who have muted them."""

from chatcore.application.messages.marking import mark_sender_as_read
from chatcore.application.services import Services
from chatcore.application.units import refresh_actor
from chatcore.application.visibility.users import find_known
from chatcore.domain.errors import BadRequest
from chatcore.domain.groups.actors import Actor
from chatcore.domain.ids import Position, UserId
from chatcore.events.audience import Users
from chatcore.events.shapes.users import MutedUserObject
from chatcore.events.types import MutedUsersChanged
from chatcore.storage import Snapshot, Transaction

MAX_MUTED_USERS = 1000
"""Maximum number of people that one user can mute."""


def muted_user_shapes(snapshot: Snapshot, actor: Actor) -> list[MutedUserObject]:
    """Return the people muted by the actor, and since when."""
    muted = snapshot.muted_users.of_user(actor.user_id)
    return [{"id": muted_id, "timestamp": at} for muted_id, at in muted.items()]


def mute_user(svc: Services, actor: Actor, user_id: int) -> None:
    """Mute a user, active or not: their unread messages become read, and new ones are read on arrival.

    Muting is one unit of work; afterwards unread messages are marked in steps between which other writers
    run. If the process is killed in between, the user stays muted and the remaining messages stay unread.

    :raises BadRequest: the actor, an unknown user, a user who is muted already, or too many
    """

    def write(tx: Transaction) -> tuple[UserId, Position]:
        me = refresh_actor(tx, actor, svc.now)
        if user_id == actor.user_id:
            raise BadRequest("Cannot mute self")
        muted = find_known(svc, tx, me, user_id).id
        before = tx.muted_users.of_user(actor.user_id)
        if muted in before:
            raise BadRequest("User already muted")
        if len(before) >= MAX_MUTED_USERS:
            raise BadRequest(f"You cannot mute more than {MAX_MUTED_USERS} users.")
        if tx.muted_users.count_periods(actor.user_id) >= svc.limits.max_mutings_per_user:
            raise BadRequest("You have muted users too often.")
        position = _announce(tx, actor)
        tx.muted_users.add(actor.user_id, muted, svc.now, position)
        return muted, position

    mark_sender_as_read(svc, actor, *svc.storage.write(write))


def unmute_user(svc: Services, actor: Actor, user_id: int) -> None:
    """Unmute a user; messages that were read stay read.

    :raises BadRequest: the user is not muted
    """

    def write(tx: Transaction) -> None:
        refresh_actor(tx, actor, svc.now)
        muted = UserId(user_id)
        if muted not in tx.muted_users.of_user(actor.user_id):  # also users no longer known
            raise BadRequest("User is not muted")
        position = _announce(tx, actor)
        tx.muted_users.remove(actor.user_id, muted, position)

    svc.storage.write(write)


def _announce(tx: Transaction, actor: Actor) -> Position:
    """Announce the change; return its position in the log, from which on it applies to messages."""
    return tx.announce(MutedUsersChanged(), Users((actor.user_id,)))
