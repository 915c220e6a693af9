"""Joining: by an invitation, by a link for many people, or with a confirmed address where everybody can."""

from dataclasses import dataclass

from chatcore.application import units
from chatcore.application.arguments import NetworkAddress
from chatcore.application.channels import defaults, newcomers
from chatcore.application.delivery.notices import facts_about, silent_mention, to_person
from chatcore.application.groups import members
from chatcore.application.invitations.links import count_mail, follow
from chatcore.application.invitations.listing import announce_invitations, is_valid
from chatcore.application.mail import confirming, outbox
from chatcore.application.people.accounts import NewUser, add_user, check_and_hash
from chatcore.application.people.passwords import require_passwords
from chatcore.application.services import Services
from chatcore.application.units import Unit, View, require_open
from chatcore.application.visibility.addresses import holder_of
from chatcore.domain.errors import BadRequest
from chatcore.domain.ids import InvitationId, UserId
from chatcore.domain.invitations.invitations import (
    INVITATION_NEEDED,
    Invitation,
    InvitationRequired,
    NoSuchLink,
)
from chatcore.domain.mail.confirmations import Proof
from chatcore.domain.mail.mails import require_mailable
from chatcore.domain.people.users import User, checked_email_address
from chatcore.domain.rate_limits import JOIN_FORM_BY_EMAIL
from chatcore.storage import Transaction


@dataclass(frozen=True, slots=True)
class Door:
    """The place to which a link leads: the name of the organization, and the address of the new account, or
    None if the person has to give one.
    """

    organization: str
    email: str | None
    confirms: bool
    """Whether the person gets a mail with a link to join, which confirms the address: `ask_to_join`."""
    takes_password: bool = True
    """Whether the person chooses a password; else they log in in another way, and have the address there."""


@dataclass(frozen=True, slots=True)
class _OfferedAccount:
    """An account that a link offers."""

    invitation: Invitation | None
    """None where everybody can join, with a confirmed address."""
    email: str | None
    """The address of the account; None for a link for many people."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Newcomer:
    """A person who joins; the address counts only where the link does not name it."""

    full_name: str
    password: str
    email: str = ""


def look(svc: Services, token: str, *, network_address: NetworkAddress = "") -> Door:
    """Return the place to which the link with a token leads; nothing changes.

    :raises NoSuchLink: an unknown, expired, used or revoked link, or one whose inviter may invite no more
    :raises PasswordsDisabled: a link without an address, and the organization does not use passwords
    :raises RateLimited: too many wrong links
    :raises OrganizationDeactivated: the whole organization is deactivated
    """
    return follow(svc, _find_door, token, network_address)


def _find_door(view: View, token: str) -> Door | None:
    offer = _find_offer(view, token)
    if offer is None:
        return None
    organization = view.snapshot.organization.get()
    if offer.email is None:
        require_passwords(view.snapshot)
    confirms = offer.email is None and view.svc.settings.sends_mail
    return Door(organization.name, offer.email, confirms, organization.password_auth_enabled)


def join(svc: Services, token: str, newcomer: Newcomer, *, network_address: NetworkAddress = "") -> UserId:
    """Create the account that a link offers, and return its id.

    :raises NoSuchLink: as `look` does
    :raises BadRequest: an address that is invalid, taken or refused by the organization, or that a mail has
        to confirm first; an invalid name or password
    :raises PasswordsDisabled: the organization does not use passwords
    :raises RateLimited: too many wrong links
    :raises OrganizationDeactivated: the whole organization is deactivated
    """
    door = look(svc, token, network_address=network_address)
    if door.confirms:
        raise BadRequest("A mail has to confirm the address first.")
    new = NewUser(
        email=newcomer.email if door.email is None else door.email,
        full_name=newcomer.full_name,
        password=newcomer.password,
    )
    return units.write(svc, _join_by_link, token, new, check_and_hash(svc, new))


def _join_by_link(unit: Unit, token: str, new: NewUser, password_hash: str | None) -> UserId:
    require_open(unit)
    require_passwords(unit.tx)
    offer = _find_offer(unit, token)
    if offer is None:
        raise NoSuchLink
    unit.tx.organization.get().require_address(new.email.strip())
    if offer.invitation is not None:
        user = _join_invited(unit, offer.invitation, new, password_hash)
    else:
        user = add_user(unit, new, password_hash)
    _forget_invitations(unit.tx, user)
    return user.id


def join_with_address(unit: Unit, new: NewUser) -> User:
    """Create and return the account of a person whose address is proved: by the newest valid invitation to
    it, or by none if everybody can join.

    :raises InvitationRequired: there is no such invitation, and the organization wants one
    :raises BadRequest: an address that is refused by the organization, an invalid name, or too many accounts
    """
    organization = unit.tx.organization.get()
    organization.require_address(new.email.strip())
    invitations = unit.tx.invitations.to_addresses([new.email])
    valid = [invitation for invitation in invitations if is_valid(unit, invitation)]
    if valid:
        user = _join_invited(unit, valid[-1], new, None)
    elif organization.invite_required:
        raise InvitationRequired
    else:
        user = add_user(unit, new, None)
    _forget_invitations(unit.tx, user)
    return user


def needs_invitation(svc: Services) -> bool:
    """Whether people join by an invitation only."""
    return svc.storage.read(lambda snapshot: snapshot.organization.get()).invite_required


def ask_to_join(
    svc: Services, email: str, *, token: str | None = None, network_address: NetworkAddress = ""
) -> None:
    """Send a mail with a link by which the reader can join: by the link for many people that has the *token*,
    or where everybody can. A holder of an account gets none; the caller does not learn of it.

    :raises NoSuchLink: no such link for many people
    :raises BadRequest: one needs an invitation, or an address that is invalid or refused by the organization
    :raises PasswordsDisabled: the organization does not use passwords
    :raises NoMail: the server sends no mail
    :raises RateLimited: too many mails to the address, or because of requests from one network
    """
    outbox.require_mail(svc)
    wanted = checked_email_address(email, svc.settings.host)
    require_mailable(wanted)
    if token is not None:
        look(svc, token, network_address=network_address)  # counts wrong links
    units.read(svc, _require_may_join, wanted, token)
    count_mail(svc, JOIN_FORM_BY_EMAIL, wanted, network_address)
    units.write(svc, _ask_newcomer, wanted, token)


def _ask_newcomer(unit: Unit, email: str, token: str | None) -> None:
    """Put the mail into the outbox, unless an account has the address."""
    require_open(unit)
    invitation_id = _require_may_join(unit, email, token)
    if holder_of(unit, email) is None:
        confirming.ask(unit, Proof.JOIN, email, invitation_id=invitation_id)


def _require_may_join(view: View, email: str, token: str | None) -> InvitationId | None:
    """Return the id of the invitation that a link for many people has; None without a *token*.

    :raises NoSuchLink: no such link, or one for a single address
    :raises BadRequest, PasswordsDisabled: as `ask_to_join` does
    """
    require_passwords(view.snapshot)
    organization = view.snapshot.organization.get()
    invitation_id = None
    if token is not None:
        offer = _find_offer(view, token)
        if offer is None or offer.invitation is None or offer.email is not None:
            raise NoSuchLink
        invitation_id = offer.invitation.id
    elif organization.invite_required:
        raise BadRequest(INVITATION_NEEDED)
    organization.require_address(email)
    return invitation_id


def _find_offer(view: View, token: str) -> _OfferedAccount | None:
    """Return what a valid link offers: that of an invitation, or one that confirms an address."""
    snapshot = view.snapshot
    invitation = snapshot.invitations.find_by_token(outbox.token_hash(token))
    if invitation is not None:
        return _OfferedAccount(invitation, invitation.email) if is_valid(view, invitation) else None
    confirmed = confirming.find(view, Proof.JOIN, token)
    if confirmed is None:
        return None
    if confirmed.invitation_id is None:
        return None if snapshot.organization.get().invite_required else _OfferedAccount(None, confirmed.email)
    invitation = snapshot.invitations.find(confirmed.invitation_id)
    if invitation is None or not is_valid(view, invitation):
        return None
    return _OfferedAccount(invitation, confirmed.email)


def _join_invited(unit: Unit, invitation: Invitation, new: NewUser, password_hash: str | None) -> User:
    """Create the account of an invitation, with its role, groups and channels, and notify the inviter if
    asked to.
    """
    tx = unit.tx
    inviter = tx.users.actors([invitation.inviter_id], unit.now)[invitation.inviter_id]

    def enter(user: User) -> None:
        members.bring(unit, inviter, user.id, invitation.group_ids)
        if invitation.joins_defaults:
            defaults.join_defaults(unit, user)
        newcomers.bring(unit, inviter, user, invitation.channel_ids)

    offered = NewUser(email=new.email, full_name=new.full_name, password=new.password, role=invitation.role)
    user = add_user(unit, offered, password_hash, join_channels=enter, welcome_text=invitation.welcome_text)
    if invitation.notifies_inviter:
        content = f"{silent_mention(user)} accepted your invitation to join this organization."
        to_person(unit, invitation.inviter_id, content, facts_about(user))
    return user


def _forget_invitations(tx: Transaction, user: User) -> None:
    """Remove the invitations of an address that has an account now, and its links to join."""
    tx.confirmations.remove_of_address(Proof.JOIN, user.email)
    if used := tx.invitations.to_addresses([user.email]):
        for invitation in used:
            tx.invitations.remove(invitation.id)
        announce_invitations(tx, *(invitation.inviter_id for invitation in used))
