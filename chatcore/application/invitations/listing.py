"""The invitations that wait: listed, revoked, and announced."""

from collections.abc import Sequence

from chatcore.application.mail import outbox
from chatcore.application.services import Services
from chatcore.application.units import refresh_actor
from chatcore.application.visibility.bot_managers import human_administrators
from chatcore.domain.errors import BadRequest
from chatcore.domain.groups.actors import Actor
from chatcore.domain.ids import UserId
from chatcore.domain.invitations.invitations import (
    Invitation,
    NoSuchInvitation,
    may_invite_as,
    may_manage,
)
from chatcore.domain.mail.confirmations import Proof
from chatcore.domain.organization.administration import require_may_appoint
from chatcore.events.audience import Users
from chatcore.events.shapes.invitations import InvitationShape, invitation_shape
from chatcore.events.types import InvitationsChanged
from chatcore.storage import Snapshot, Transaction


def list_invitations(
    svc: Services, actor: Actor, *, organization_url: str | None = None
) -> Sequence[InvitationShape]:
    """Return the valid invitations of the actor, of an administrator those of all, by id. Links are those at
    *organization_url*, by which a client has connected.

    A link to a role above that of the actor is left out: by it the actor could have that role.

    :raises BadRequest: a guest or a bot
    """

    def read(snapshot: Snapshot) -> Sequence[InvitationShape]:
        me = refresh_actor(snapshot, actor, svc.now)
        if me.is_guest or me.is_bot:
            raise BadRequest("Not allowed for guest users and bots")
        return [
            invitation_shape(
                invitation,
                outbox.link(svc, Proof.JOIN, invitation.nonce, organization_url)
                if invitation.is_link
                else None,
            )
            for invitation in snapshot.invitations.all()
            if invitation.is_valid(svc.now) and _knows(me, invitation)
        ]

    return svc.storage.read(read)


def revoke(svc: Services, actor: Actor, invitation_id: int) -> None:
    """Revoke an invitation to an address: its link is not valid any more.

    :raises NoSuchInvitation: none that the actor knows of
    :raises InsufficientRole: an invitation of an owner, and the actor is none
    """
    _revoke(svc, actor, invitation_id, is_link=False)


def revoke_link(svc: Services, actor: Actor, invitation_id: int) -> None:
    """Revoke a link by which people can join.

    :raises NoSuchInvitation: none that the actor knows of
    :raises InsufficientRole: an invitation of an owner, and the actor is none
    """
    _revoke(svc, actor, invitation_id, is_link=True)


def _revoke(svc: Services, actor: Actor, invitation_id: int, *, is_link: bool) -> None:
    def write(tx: Transaction) -> None:
        me = refresh_actor(tx, actor, svc.now)
        invitation = managed(tx, me, invitation_id, is_link=is_link)
        tx.invitations.remove(invitation.id)
        announce(tx, invitation.inviter_id)

    svc.storage.write(write)


def managed(snapshot: Snapshot, me: Actor, invitation_id: int, *, is_link: bool) -> Invitation:
    """Return an invitation that the actor may send again or revoke.

    :raises NoSuchInvitation: none that the actor knows of
    :raises InsufficientRole: an invitation of an owner, and the actor is none
    """
    invitation = snapshot.invitations.find(invitation_id)
    if (
        invitation is None
        or invitation.is_link != is_link
        or me.is_guest
        or me.is_bot
        or not may_manage(invitation, me)
    ):
        raise NoSuchInvitation
    require_may_appoint(me, invitation.role)
    return invitation


def is_valid(svc: Services, snapshot: Snapshot, invitation: Invitation) -> bool:
    """Whether an invitation can be used: it has not expired, and its inviter could still make it."""
    inviter = snapshot.users.actors([invitation.inviter_id], svc.now).get(invitation.inviter_id)
    return invitation.is_valid(svc.now) and invitation.may_be_used(snapshot.organization.get(), inviter)


def announce(tx: Transaction, *inviters: UserId) -> None:
    """Notify the inviters and all administrators that there are other invitations."""
    people = {*inviters, *human_administrators(tx)}
    tx.announce(InvitationsChanged(), Users(tuple(sorted(people))))


def _knows(me: Actor, invitation: Invitation) -> bool:
    return may_manage(invitation, me) and (not invitation.is_link or may_invite_as(me, invitation.role))
