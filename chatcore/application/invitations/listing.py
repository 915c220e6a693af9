"""The invitations that wait: listed, revoked, and announced."""

from collections.abc import Sequence
from typing import Annotated

from chatcore.application.arguments import OrganizationUrl, about
from chatcore.application.mail import outbox
from chatcore.application.services import Services
from chatcore.application.units import Unit, View, read_only, unit_of_work
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
from chatcore.domain.organization.audit import AuditKind
from chatcore.events.audience import Users
from chatcore.events.happened import InvitationsChanged
from chatcore.events.payloads.invitations import InvitationShape, invitation_shape
from chatcore.storage import Snapshot, Transaction

InvitationNumber = Annotated[int, about("The invitation's id.")]


@read_only
def list_invitations(
    view: View, me: Actor, *, organization_url: OrganizationUrl = None
) -> Sequence[InvitationShape]:
    """Return the valid invitations of the actor, of an administrator those of all, by id.

    A link to a role above that of the actor is left out: by it the actor could have that role.

    :raises BadRequest: a guest or a bot
    """
    if me.is_guest or me.is_bot:
        raise BadRequest("Not allowed for guest users and bots")
    return [
        invitation_shape(
            invitation,
            outbox.link(view.svc, Proof.JOIN, invitation.nonce, organization_url)
            if invitation.is_link
            else None,
        )
        for invitation in view.snapshot.invitations.all()
        if invitation.is_valid(view.now) and _may_list(me, invitation)
    ]


def revoke(svc: Services, actor: Actor, invitation_id: InvitationNumber) -> None:
    """Revoke an invitation that was sent by mail.

    :raises NoSuchInvitation: none that the actor knows of
    :raises InsufficientRole: an invitation of an owner, and the actor is none
    """
    _revoke_invitation(svc, actor, invitation_id, is_link=False)


def revoke_link(svc: Services, actor: Actor, invitation_id: InvitationNumber) -> None:
    """Revoke a link by which people can join.

    :raises NoSuchInvitation: none that the actor knows of
    :raises InsufficientRole: an invitation of an owner, and the actor is none
    """
    _revoke_invitation(svc, actor, invitation_id, is_link=True)


@unit_of_work
def _revoke_invitation(unit: Unit, me: Actor, invitation_id: int, *, is_link: bool) -> None:
    """Remove an invitation of either form: to an address, or a link for many people."""
    invitation = managed_invitation(unit.tx, me, invitation_id, is_link=is_link)
    unit.tx.invitations.remove(invitation.id)
    unit.record(AuditKind.INVITATION_REVOKED, invitation.id)
    announce_invitations(unit.tx, invitation.inviter_id)


def managed_invitation(snapshot: Snapshot, me: Actor, invitation_id: int, *, is_link: bool) -> Invitation:
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


def is_valid(view: View, invitation: Invitation) -> bool:
    """Whether an invitation can be used: it has not expired, and its inviter could still make it."""
    inviter = view.snapshot.users.actors([invitation.inviter_id], view.now).get(invitation.inviter_id)
    return invitation.is_valid(view.now) and invitation.may_be_used(view.snapshot.organization.get(), inviter)


def announce_invitations(tx: Transaction, *inviters: UserId) -> None:
    """Notify the inviters and all administrators that there are other invitations."""
    people = {*inviters, *human_administrators(tx)}
    tx.announce(InvitationsChanged(), Users(tuple(sorted(people))))


def _may_list(me: Actor, invitation: Invitation) -> bool:
    return may_manage(invitation, me) and (not invitation.is_link or may_invite_as(me, invitation.role))
