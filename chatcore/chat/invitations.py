"""Invitations and joining, and links that confirm an address."""

from chatcore.application.invitations import inviting, joining
from chatcore.application.invitations.inviting import Offer
from chatcore.application.invitations.joining import Newcomer
from chatcore.chat.given import Numbers, a_role, number, numbers, optional, text, truth
from chatcore.chat.made import invitations as made
from chatcore.domain.groups.actors import Actor
from chatcore.domain.ids import UserId
from chatcore.domain.invitations.invitations import DEFAULT_MINUTES
from chatcore.domain.roles import Role


class Invitations(made.Invitations):
    """Invitations, by address and by link."""

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
