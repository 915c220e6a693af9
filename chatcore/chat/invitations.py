"""Invitations and joining, and links that confirm an address."""

from collections.abc import Sequence

from chatcore.application.invitations import addresses, inviting, joining, listing, passwords
from chatcore.application.invitations.inviting import Offer
from chatcore.application.invitations.joining import Door, Newcomer
from chatcore.chat.given import Numbers, a_role, number, numbers, optional, text, truth
from chatcore.chat.made import invitations as made
from chatcore.domain.groups.actors import Actor
from chatcore.domain.ids import UserId
from chatcore.domain.invitations.invitations import DEFAULT_MINUTES
from chatcore.domain.roles import Role
from chatcore.events.payloads.invitations import InvitationShape


class Invitations(made.Invitations):
    """Invitations, by address and by link."""

    def list(self, actor: Actor) -> Sequence[InvitationShape]:
        """Return the valid invitations of the actor, of an administrator those of all.

        :raises BadRequest: a guest or a bot
        """
        return listing.list_invitations(self._svc, self._acting(actor))

    def invite(
        self,
        actor: Actor,
        addresses: str,
        *,
        expires_in_minutes: int | None = DEFAULT_MINUTES,
        role: Role | str | int = Role.MEMBER,
        channels: Numbers = (),
        groups: Numbers = (),
        joins_defaults: bool = False,
        welcome_text: str | None = None,
        notify_inviter: bool = True,
    ) -> None:
        """Invite people by mail to addresses, separated by commas, semicolons, blanks or line ends.

        *expires_in_minutes* None is for ever.

        :raises BadRequest: no permission, no address, or a channel or group to which the actor may not add
            people
        :raises InsufficientRole: a role above that of the actor, or a welcome text of no administrator
        :raises NoMail: the server sends no mail
        :raises InvitationFailed: some or all addresses were not invited
        """
        offer = Offer(
            expires_in_minutes=optional(number, expires_in_minutes=expires_in_minutes),
            role=a_role(role=role),
            channel_ids=numbers(channels=channels),
            group_ids=numbers(groups=groups),
            joins_defaults=truth(joins_defaults=joins_defaults),
            welcome_text=optional(text, welcome_text=welcome_text),
        )
        inviting.invite(
            self._svc,
            self._acting(actor),
            text(addresses=addresses),
            offer,
            notify_inviter=truth(notify_inviter=notify_inviter),
        )

    def make_link(
        self,
        actor: Actor,
        *,
        expires_in_minutes: int | None = DEFAULT_MINUTES,
        role: Role | str | int = Role.MEMBER,
        channels: Numbers = (),
        groups: Numbers = (),
        joins_defaults: bool = False,
        welcome_text: str | None = None,
    ) -> str:
        """Return a new link by which any number of people can join.

        :raises BadRequest: no permission, or a channel or group to which the actor may not add people
        :raises InsufficientRole: a role above that of the actor, or a welcome text of no administrator
        :raises RateLimited: more invitations than an account may make on one day
        """
        offer = Offer(
            expires_in_minutes=optional(number, expires_in_minutes=expires_in_minutes),
            role=a_role(role=role),
            channel_ids=numbers(channels=channels),
            group_ids=numbers(groups=groups),
            joins_defaults=truth(joins_defaults=joins_defaults),
            welcome_text=optional(text, welcome_text=welcome_text),
        )
        return inviting.make_link(self._svc, self._acting(actor), offer)

    def look(self, token: str) -> Door:
        """Return the place to which the link with a token leads; nothing changes.

        :raises NoSuchLink: an unknown, expired, used or revoked link, or one whose inviter may invite no more
        :raises RateLimited: too many wrong links
        :raises OrganizationDeactivated: the whole organization is deactivated
        """
        return joining.look(self._svc, text(token=token))

    def join(self, token: str, full_name: str, password: str, *, email: str = "") -> UserId:
        """Create the account that the link with a token offers; *email* counts where the link names none.

        :raises NoSuchLink: as `look` does
        :raises BadRequest: an address that is invalid, taken or refused by the organization, or that a mail
            has to confirm first (`Door.confirms`); an invalid name or password
        :raises PasswordsDisabled: the organization does not use passwords
        :raises RateLimited: too many wrong links
        :raises OrganizationDeactivated: the whole organization is deactivated
        """
        newcomer = Newcomer(
            full_name=text(full_name=full_name), password=text(password=password), email=text(email=email)
        )
        return joining.join(self._svc, text(token=token), newcomer)

    def ask_to_join(self, email: str, *, token: str | None = None) -> None:
        """Send a mail with a link by which its reader can join: by the link for many people that has the
        *token*, or where everybody can.

        :raises NoSuchLink: no such link for many people
        :raises BadRequest: one needs an invitation, or an address that is invalid or refused by the
            organization
        :raises NoMail: the server sends no mail
        :raises RateLimited: too many mails to the address
        """
        joining.ask_to_join(self._svc, text(email=email), token=None if token is None else text(token=token))


class Mail(made.Mail):
    """Mails, and links in them that prove that their reader reads the mail of an address."""

    def look_at_new_address(self, token: str) -> str:
        """Return the new address that the link with a token confirms.

        :raises NoSuchLink: an unknown, expired or used link, or one of an account that has another key since
        :raises RateLimited: too many wrong links
        :raises OrganizationDeactivated: the whole organization is deactivated
        """
        return addresses.look_at_new_address(self._svc, text(token=token))

    def confirm_new_address(self, token: str) -> str:
        """Change the address of the link's account, and return the new one.

        :raises NoSuchLink: as `look_at_new_address` does
        :raises BadRequest: the address is taken or refused by the organization meanwhile, or may not be
            changed
        :raises RateLimited: too many wrong links
        :raises OrganizationDeactivated: the whole organization is deactivated
        """
        return addresses.confirm_new_address(self._svc, text(token=token))

    def ask_for_new_password(self, email: str) -> None:
        """Send a mail with a link to a new password, if an account has this address.

        :raises NoMail: the server sends no mail
        :raises PasswordsDisabled: the organization does not use passwords
        :raises RateLimited: too many mails to the address
        """
        passwords.ask_for_new_password(self._svc, text(email=email))

    def look_at_account(self, token: str) -> str:
        """Return the address of the account whose password the link with a token can change.

        :raises NoSuchLink: an unknown, expired or used link, or one of an account that has another key or
            address since
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
