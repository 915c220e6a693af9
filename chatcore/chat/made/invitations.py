"""Invitations and joining, and links that confirm an address.

Made by scripts/build_chat.py, not by hand.
"""

from chatcore.application.invitations import inviting, listing
from chatcore.application.mail import sending
from chatcore.chat.given import number
from chatcore.chat.part import Part
from chatcore.domain.groups.actors import Actor


class Invitations(Part):
    """Invitations, by address and by link."""

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
