"""Invitations and joining, and links that confirm an address.

Made by scripts/build_chat.py, not by hand.
"""

from collections.abc import Sequence

from chatcore.application.invitations import addresses, inviting, joining, listing, passwords
from chatcore.application.invitations.joining import Door
from chatcore.application.sent_mail import digests, gathering, sending, unsubscribing
from chatcore.chat.given import number, optional, text
from chatcore.chat.part import Part
from chatcore.domain.groups.actors import Actor
from chatcore.events.payloads.invitations import InvitationShape


class Invitations(Part):
    """Invitations, by address and by link."""

    def list(self, actor: Actor) -> Sequence[InvitationShape]:
        """Return the valid invitations of the actor, of an administrator those of all, by id.

        A link to a role above that of the actor is left out: by it the actor could have that role.

        :raises BadRequest: a guest or a bot
        """
        return listing.list_invitations(self._svc, self._acting(actor))

    def look(self, token: str) -> Door:
        """Return the place to which the link with a token leads; nothing changes.

        :raises NoSuchLink: an unknown, expired, used or revoked link, or one whose inviter may invite no more
        :raises PasswordsDisabled: a link without an address, and the organization does not use passwords
        :raises RateLimited: too many wrong links
        :raises OrganizationDeactivated: the whole organization is deactivated
        """
        return joining.look(self._svc, text(token=token))

    def ask_to_join(self, email: str, *, token: str | None = None) -> None:
        """Send a mail with a link by which the reader can join: by the link for many people that has the
        *token*, or where everybody can. A holder of an account gets none; the caller does not learn of it.

        :raises NoSuchLink: no such link for many people
        :raises BadRequest: one needs an invitation, or an address that is invalid or refused by the
            organization
        :raises PasswordsDisabled: the organization does not use passwords
        :raises NoMail: the server sends no mail
        :raises RateLimited: too many mails to the address, or because of requests from one network
        """
        joining.ask_to_join(self._svc, text(email=email), token=optional(text, token=token))

    def resend(self, actor: Actor, invitation_id: int) -> None:
        """Send the mail of an invitation again.

        :effect: the invitation expires as long after this mail as after the first
        :raises NoSuchInvitation: none that the actor knows of, a link, or an expired one
        :raises InsufficientRole: an invitation of an owner, and the actor is none
        :raises BadRequest: its inviter may not invite people any more
        :raises NoMail: the server sends no mail
        :raises RateLimited: more invitations than an account may make on one day
        """
        inviting.resend(self._svc, self._acting(actor), number(invitation_id=invitation_id))

    def revoke(self, actor: Actor, invitation_id: int) -> None:
        """Revoke an invitation that was sent by mail.

        :raises NoSuchInvitation: none that the actor knows of
        :raises InsufficientRole: an invitation of an owner, and the actor is none
        """
        listing.revoke(self._svc, self._acting(actor), number(invitation_id=invitation_id))

    def revoke_link(self, actor: Actor, invitation_id: int) -> None:
        """Revoke a link by which people can join.

        :raises NoSuchInvitation: none that the actor knows of
        :raises InsufficientRole: an invitation of an owner, and the actor is none
        """
        listing.revoke_link(self._svc, self._acting(actor), number(invitation_id=invitation_id))


class Mail(Part):
    """Mails, and links in them that prove that their reader reads the mail of an address."""

    def send_due(self) -> float:
        """Send all mails that are due; return the seconds until one is due again, infinity if none waits.

        After `Chat.deliver_on_time` this happens by itself.
        """
        return sending.send_due(self._svc)

    def gather_missed(self) -> float:
        """Gather the messages that people may have missed, and write the mails about those that are due;
        return the seconds until one is due, infinity if none waits.

        After `Chat.deliver_on_time` this happens by itself. A server that sends no mail gathers nothing.
        """
        return gathering.gather_missed(self._svc)

    def write_digests(self) -> float:
        """Write the summaries that are due, each once, until all are written, the alarm is stopped, or a mail
        is due, which is sent first. Return the seconds until there may be more to do; without a mail that is
        due, infinity, as an alarm looks regularly.

        After `Chat.deliver_on_time` this happens by itself. A server that sends no mail writes none.
        """
        return digests.write_digests(self._svc)

    def look_at_unsubscribing(self, token: str) -> str:
        """Return the words for the mails that the link with this token ends; it changes nothing.

        :raises BadRequest: the link was not made by this server, or its account is gone
        """
        return unsubscribing.look_at_unsubscribing(self._svc, text(token=token))

    def unsubscribe(self, token: str) -> str:
        """Switch off the mails of a link's kind for the link's person; return the words for these mails. A
        second call changes nothing.

        :raises BadRequest: as `look_at_unsubscribing` does
        """
        return unsubscribing.unsubscribe(self._svc, text(token=token))

    def look_at_new_address(self, token: str) -> str:
        """Return the new address that the link with a token confirms.

        :raises NoSuchLink: an unknown, expired or used link, or one of an account that has another key since
        :raises RateLimited: too many wrong links
        :raises OrganizationDeactivated: the whole organization is deactivated
        """
        return addresses.look_at_new_address(self._svc, text(token=token))

    def confirm_new_address(self, token: str) -> str:
        """Change the address of the link's account, notify the old address by mail, and return the new one.

        :raises NoSuchLink: as `look_at_new_address` does
        :raises BadRequest: the address is taken or refused by the organization meanwhile, or may not be
            changed
        :raises RateLimited: too many wrong links
        :raises OrganizationDeactivated: the whole organization is deactivated
        """
        return addresses.confirm_new_address(self._svc, text(token=token))

    def ask_for_new_password(self, email: str) -> None:
        """Send a mail with a link to a new password, if an active account of a person has this address. The
        caller does not learn whether one has.

        :raises NoMail: the server sends no mail
        :raises PasswordsDisabled: the organization does not use passwords
        :raises RateLimited: too many mails to the address, or because of requests from one network
        """
        passwords.ask_for_new_password(self._svc, text(email=email))

    def look_at_account(self, token: str) -> str:
        """Return the address of the account whose password the link with a token can change.

        :raises NoSuchLink: an unknown, expired or used link, or one of an account that has another key or
            address since
        :raises PasswordsDisabled: the organization does not use passwords
        :raises RateLimited: too many wrong links
        :raises OrganizationDeactivated: the whole organization is deactivated
        """
        return passwords.look_at_account(self._svc, text(token=token))

    def choose_password(self, token: str, password: str) -> None:
        """Set the password of the link's account; its API key and its sessions end.

        :raises NoSuchLink: as `look_at_account` does
        :raises BadRequest: an invalid password
        :raises PasswordsDisabled: the organization does not use passwords
        :raises RateLimited: too many wrong links
        :raises OrganizationDeactivated: the whole organization is deactivated
        """
        passwords.choose_password(self._svc, text(token=token), text(password=password))
