"""Inviting people, by address and by link, and sending an invitation again."""

from collections.abc import Sequence
from dataclasses import dataclass

from chatcore.application.arguments import OrganizationUrl
from chatcore.application.channels import newcomers
from chatcore.application.daily_use import count_daily_use
from chatcore.application.groups import members
from chatcore.application.invitations.listing import (
    InvitationNumber,
    announce_invitations,
    is_valid,
    managed_invitation,
)
from chatcore.application.mail import outbox
from chatcore.application.services import Services
from chatcore.application.units import Unit, unit_of_work
from chatcore.domain.errors import BadRequest, InsufficientPermission, RateLimited
from chatcore.domain.groups.actors import Actor
from chatcore.domain.ids import ChannelId, GroupId, RecipientId
from chatcore.domain.invitations import invitations as rules
from chatcore.domain.invitations.invitations import (
    DEFAULT_MINUTES,
    Invitation,
    InvitationFailed,
    NoSuchInvitation,
    Skipped,
)
from chatcore.domain.mail.confirmations import Proof
from chatcore.domain.mail.mails import MailKind, require_mailable, without_links
from chatcore.domain.organization.administration import (
    require_administrator,
    require_no_bot,
    require_no_guest,
)
from chatcore.domain.organization.audit import AuditKind
from chatcore.domain.organization.organization import Organization
from chatcore.domain.organization.settings import SETTINGS
from chatcore.domain.people.daily_use import Daily
from chatcore.domain.people.users import checked_email_address
from chatcore.domain.roles import Role

CUSTOM_TEXT = "welcome_message_custom_text"
USE_A_LINK = "Create an invitation link instead."


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer:
    """The account that an invitation offers: its role, channels and groups, and its welcome."""

    expires_in_minutes: int | None = DEFAULT_MINUTES
    role: Role = Role.MEMBER
    channel_ids: Sequence[int] = ()
    group_ids: Sequence[int] = ()
    joins_defaults: bool = False
    welcome_text: str | None = None
    """Set by administrators only; None is the text of the organization."""


def invite(svc: Services, actor: Actor, addresses: str, offer: Offer, *, notify_inviter: bool = True) -> None:
    """Invite people by their addresses; see `addresses_in`.

    If an address is invalid, nobody is invited. Those that have an account or an invitation already are
    skipped; the others get a mail, and the refusal says so.

    :raises BadRequest: no permission, no address, or a channel or group to which the actor may not add people
    :raises InsufficientRole: a role above that of the actor, or a welcome text of no administrator
    :raises NoMail: the server sends no mail
    :raises InvitationFailed: some or all addresses were not invited
    """
    emails = rules.addresses_in(addresses)
    _check_offer(svc, offer)
    if skipped := _invite_addresses(svc, actor, emails, offer, notify_inviter=notify_inviter):
        raise InvitationFailed(
            "Some of those addresses have an account or an invitation already, so they were not invited."
            " The others were.",
            skipped,
            sent=True,
        )


@unit_of_work
def _invite_addresses(
    unit: Unit, me: Actor, emails: Sequence[str], offer: Offer, *, notify_inviter: bool
) -> Sequence[Skipped]:
    """Invite those who can be, and return the others; InvitationFailed if nobody can be."""
    _require_may_invite(unit, me, "can_invite_users_group")
    _require_offer(unit, me, offer)
    outbox.require_mail(unit.svc, USE_A_LINK)
    skipped = _find_skipped(unit, emails)
    skipped_emails = {address.email for address in skipped}
    invited = [email for email in emails if email not in skipped_emails]
    if not invited:
        raise InvitationFailed("We weren't able to invite anyone.", skipped)
    _count_invitations(unit, me, len(invited))
    for email in invited:
        invitation = _add_invitation(unit, me, offer, email, notify_inviter=notify_inviter)
        _write_mail(unit, invitation)
    announce_invitations(unit.tx, me.user_id)
    return skipped


def make_link(svc: Services, actor: Actor, offer: Offer, *, organization_url: OrganizationUrl = None) -> str:
    """Return a new link by which any number of people can join, at *organization_url*, by which a
    client has connected.

    :raises BadRequest: no permission, or a channel or group to which the actor may not add people
    :raises InsufficientRole: a role above that of the actor, or a welcome text of no administrator
    :raises RateLimited: more invitations than an account may make on one day
    """
    _check_offer(svc, offer)
    return _make_link(svc, actor, offer, organization_url)


@unit_of_work
def _make_link(unit: Unit, me: Actor, offer: Offer, organization_url: str | None) -> str:
    _require_may_invite(unit, me, "create_multiuse_invite_group")
    _require_offer(unit, me, offer)
    count_daily_use(unit, me, Daily.INVITATIONS)
    invitation = _add_invitation(unit, me, offer, None)
    announce_invitations(unit.tx, me.user_id)
    return outbox.link(unit.svc, Proof.JOIN, invitation.nonce, organization_url)


@unit_of_work
def resend(unit: Unit, me: Actor, invitation_id: InvitationNumber) -> None:
    """Send the mail of an invitation again.

    :effect: the invitation expires as long after this mail as after the first
    :raises NoSuchInvitation: none that the actor knows of, a link, or an expired one
    :raises InsufficientRole: an invitation of an owner, and the actor is none
    :raises BadRequest: its inviter may not invite people any more
    :raises NoMail: the server sends no mail
    :raises RateLimited: more invitations than an account may make on one day
    """
    invitation = managed_invitation(unit.tx, me, invitation_id, is_link=False)
    if not invitation.is_valid(unit.now):
        raise NoSuchInvitation
    if not is_valid(unit, invitation):
        raise BadRequest("The sender of this invitation may not invite people any more.")
    outbox.require_mail(unit.svc)
    count_daily_use(unit, me, Daily.INVITATIONS)
    expires_at = invitation.expires_at
    if expires_at is not None:  # as long after this mail as after the one before
        expires_at += unit.now - invitation.invited_at
    unit.tx.invitations.renew(invitation.id, invited_at=unit.now, expires_at=expires_at)
    unit.record(AuditKind.INVITATION_SENT_AGAIN, invitation.id)
    _write_mail(unit, invitation)
    announce_invitations(unit.tx, invitation.inviter_id)


def draw_links(unit: Unit) -> None:
    """Give all invitations new links, of the secret of this server."""
    for invitation in unit.tx.invitations.all():
        unit.tx.invitations.change_link(invitation.id, *outbox.new_link(unit.svc, Proof.JOIN))


def _require_may_invite(unit: Unit, me: Actor, permission: str) -> None:
    """Check that the actor may invite people.

    :raises BadRequest: a guest or a bot, or no permission
    :raises InvitationFailed: an account that is too new where everybody can join
    """
    organization = unit.tx.organization.get()
    require_no_bot(me)
    require_no_guest(me)
    if not organization.permits(permission, me):
        raise InsufficientPermission
    if not organization.invite_required and not me.role.is_administrator:
        joined = unit.tx.users.get(me.user_id).date_joined
        if unit.now - joined < rules.OLD_ENOUGH:
            raise InvitationFailed("Your account is too new to send invites. Ask an administrator.")


def _check_offer(svc: Services, offer: Offer) -> None:
    """Check the parts of an offer that can be judged without the store.

    :raises BadRequest: an invalid time or welcome text, or too many channels or groups
    """
    rules.expires_at(offer.expires_in_minutes, svc.now)
    if offer.welcome_text is not None:
        SETTINGS[CUSTOM_TEXT].read(CUSTOM_TEXT, offer.welcome_text)
    most = svc.limits.max_named_in_invitation
    if max(len(offer.channel_ids), len(offer.group_ids)) > most:
        raise BadRequest(f"An invitation can name {most} channels and {most} groups at most.")


def _require_offer(unit: Unit, me: Actor, offer: Offer) -> None:
    """Check that the actor may offer this.

    :raises BadRequest: a channel or group to which the actor may not add people
    :raises InsufficientRole: a role above that of the actor, or a welcome text of no administrator
    """
    rules.require_may_invite_as(me, offer.role)
    if offer.welcome_text is not None:
        require_administrator(me)
    newcomers.require_may_bring(unit.tx, me, offer.channel_ids)
    members.require_may_bring(unit.tx, me, offer.group_ids)


def _find_skipped(unit: Unit, emails: Sequence[str]) -> Sequence[Skipped]:
    """Return the addresses that are not invited, because they have an account or an invitation already.

    :raises InvitationFailed: an address that nobody can join with
    """
    invalid, known = [], []
    people = unit.tx.users.by_emails({email.lower() for email in emails})
    waiting = {
        invitation.email.lower()
        for invitation in unit.tx.invitations.to_addresses(emails)
        if invitation.email is not None and is_valid(unit, invitation)
    }
    organization = unit.tx.organization.get()
    for email in emails:
        holder = people.get(email.lower())
        if holder is not None and holder.is_active:
            known.append(Skipped(email, "Already has an account."))
        elif holder is not None:
            known.append(Skipped(email, "Account has been deactivated.", is_deactivated=True))
        elif (reason := _reason_of_refusal(unit.svc, organization, email)) is not None:
            invalid.append(Skipped(email, reason))
        elif email.lower() in waiting:
            known.append(Skipped(email, "Already has an invitation."))
    if invalid:
        raise InvitationFailed(
            "Some emails did not validate, so we didn't send any invitations.", [*invalid, *known]
        )
    return known


def _reason_of_refusal(svc: Services, organization: Organization, email: str) -> str | None:
    """Return the reason why nobody can join with an address, if there is one."""
    try:
        require_mailable(checked_email_address(email, svc.settings.host))
    except BadRequest:
        return "Invalid address."
    try:
        organization.require_address(email)
    except BadRequest as error:
        return error.message
    return None


def _count_invitations(unit: Unit, me: Actor, number: int) -> None:
    try:
        count_daily_use(unit, me, Daily.INVITATIONS, number)
    except RateLimited as error:
        raise InvitationFailed(
            "You have sent too many invitations today. No invitations were sent.", daily_limit=True
        ) from error


def _add_invitation(
    unit: Unit,
    me: Actor,
    offer: Offer,
    email: str | None,
    *,
    notify_inviter: bool = False,
) -> Invitation:
    """Store an invitation to an address, or a link for many people (*email* None)."""
    unit.tx.invitations.forget_expired(unit.now)
    if unit.tx.invitations.count() >= unit.limits.max_invitations:
        raise BadRequest(f"There can be {unit.limits.max_invitations} invitations at most.")
    nonce, token_hash = outbox.new_link(unit.svc, Proof.JOIN)
    invitation = unit.tx.invitations.add(
        Invitation(
            email=email,
            inviter_id=me.user_id,
            invited_at=unit.now,
            expires_at=rules.expires_at(offer.expires_in_minutes, unit.now),
            role=offer.role,
            channel_ids=tuple(ChannelId(RecipientId(number)) for number in dict.fromkeys(offer.channel_ids)),
            group_ids=tuple(GroupId(number) for number in dict.fromkeys(offer.group_ids)),
            joins_defaults=offer.joins_defaults,
            notifies_inviter=notify_inviter,
            welcome_text=offer.welcome_text,
            nonce=nonce,
            token_hash=token_hash,
        )
    )
    names = ("email", "role", "channel_ids", "group_ids", "joins_defaults", "expires_at")
    offered = {name: getattr(invitation, name) for name in names}
    unit.record(AuditKind.INVITATION_SENT, invitation.id, after=offered)
    return invitation


def _write_mail(unit: Unit, invitation: Invitation) -> None:
    assert invitation.email is not None
    inviter = without_links(unit.tx.users.get(invitation.inviter_id).full_name)
    outbox.put(unit, MailKind.INVITATION, invitation.email, nonce=invitation.nonce, inviter=inviter)
