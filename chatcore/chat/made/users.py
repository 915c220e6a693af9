"""Accounts of people and bots.

Made by scripts/build_chat.py, not by hand.
"""

from collections.abc import Sequence

from chatcore.application.erasure import erasing, steps
from chatcore.application.people import (
    accounts,
    administration,
    credentials,
    deactivation,
    logins,
    muted_users,
    sessions,
    users,
)
from chatcore.application.people.logins import Login
from chatcore.application.people.users import OwnUserShape
from chatcore.chat.given import UserIds, a_role, number, optional, text, truth, user_id_of, user_ids_of
from chatcore.chat.part import Part
from chatcore.domain.groups.actors import Actor
from chatcore.domain.ids import UserId
from chatcore.domain.roles import Role
from chatcore.events.payloads.sessions import SessionObject
from chatcore.events.payloads.users import UserShape


class Users(Part):
    def log_in(self, name: str, password: str, address: str = "", user_agent: str = "") -> Login:
        """Return the API key of a user in exchange for the password; *address* is the network address of the
        attempt, and *user_agent* what its program calls itself.

        :raises AuthenticationFailed: unknown name, a bot, no password set, or a wrong one; alike in text and
            time
        :raises UserDeactivated: the password is right, but the account is deactivated
        :raises OrganizationDeactivated: the whole organization is deactivated
        :raises PasswordsDisabled: the organization does not use passwords
        :raises RateLimited: too many failures, see `chatcore.application.people.login_attempts`
        """
        return logins.log_in(
            self._svc,
            text(name=name),
            text(password=password),
            text(address=address),
            text(user_agent=user_agent),
        )

    def log_in_with_token(self, token: str, address: str = "", user_agent: str = "") -> Login:
        """Return the API key of a user for whom a JSON Web Token vouches; *address* is the network address of
        the attempt, and *user_agent* what its program calls itself.

        :raises BadWebToken: see `chatcore.application.web_tokens`
        :raises BadRequest: the organization accepts no tokens
        :raises AuthenticationFailed: no person has the address
        :raises UserDeactivated: the account is deactivated
        :raises OrganizationDeactivated: the whole organization is deactivated
        :raises RateLimited: too many failures, see `chatcore.application.people.login_attempts`
        """
        return logins.log_in_with_token(
            self._svc, text(token=token), text(address=address), text(user_agent=user_agent)
        )

    def own(self, actor: Actor) -> OwnUserShape:
        """Get the caller's account."""
        return users.own_user(self._svc, self._acting(actor))

    def get(
        self,
        actor: Actor,
        user_id: int | Actor,
        *,
        client_gravatar: bool = True,
        include_custom_profile_fields: bool = False,
    ) -> UserShape:
        """Get one user.

        :raises BadRequest: no such user, or one whom a limited guest does not know
        """
        return users.get_user(
            self._svc,
            self._acting(actor),
            user_id_of(user_id=user_id),
            client_gravatar=truth(client_gravatar=client_gravatar),
            include_custom_profile_fields=truth(include_custom_profile_fields=include_custom_profile_fields),
        )

    def get_by_email(
        self,
        actor: Actor,
        email: str,
        *,
        client_gravatar: bool = True,
        include_custom_profile_fields: bool = False,
    ) -> UserShape:
        """Get one user by address: the real one if the caller may see it, or the placeholder.

        :raises BadRequest: no such user, or one whom a limited guest does not know
        """
        return users.get_user_by_email(
            self._svc,
            self._acting(actor),
            text(email=email),
            client_gravatar=truth(client_gravatar=client_gravatar),
            include_custom_profile_fields=truth(include_custom_profile_fields=include_custom_profile_fields),
        )

    def list(
        self,
        actor: Actor | None,
        *,
        client_gravatar: bool = True,
        include_custom_profile_fields: bool = False,
        user_ids: UserIds | None = None,
    ) -> Sequence[UserShape]:
        """List all users, or the existing ones of *user_ids*: people and bots, including deactivated ones,
        but not the server's own bot.

        :raises LoginRequired: no actor, and the organization is not open to the web
        """
        return users.list_users(
            self._svc,
            self._acting_if_any(actor),
            client_gravatar=truth(client_gravatar=client_gravatar),
            include_custom_profile_fields=truth(include_custom_profile_fields=include_custom_profile_fields),
            user_ids=optional(user_ids_of, user_ids=user_ids),
        )

    def deactivate(self, actor: Actor | None, user_id: int | Actor, *, comment: str = "") -> Sequence[UserId]:
        """Deactivate an account and its bots, as an administrator.

        :param actor: None for the organization's own tools, which need no permission
        :param comment: for a mail to the person, which this server does not send
        :returns: ids of the account and its bots, those of bots first
        :raises InsufficientRole: the actor is not an administrator, or not an owner and deactivates an owner
        :raises BadRequest: no such user, one that is deactivated already, the only owner, or a comment that
            is too long
        """
        return deactivation.deactivate_user(
            self._svc, self._acting_if_any(actor), user_id_of(user_id=user_id), comment=text(comment=comment)
        )

    def deactivate_self(self, actor: Actor) -> None:
        """Deactivate the actor's account and bots.

        :raises CannotDeactivateLastUser: the only owner, or the only person
        :raises BadRequest: a bot
        """
        deactivation.deactivate_self(self._svc, self._acting(actor))

    def reactivate(self, actor: Actor | None, user_id: int | Actor) -> None:
        """Reactivate an account, as an administrator; an active one stays unchanged. The actor is None for
        the organization's own tools, which need no permission.

        A bot whose owner is no longer active gets the actor as its owner.

        :raises InsufficientRole: the actor is not an administrator, or not an owner and reactivates an owner
        :raises PersonErased: the account was erased
        :raises BadRequest: no such user, a bot whose name another bot has now, or a bot without an owner that
            a bot or a tool reactivates
        """
        deactivation.reactivate_user(self._svc, self._acting_if_any(actor), user_id_of(user_id=user_id))

    def erase(self, actor: Actor | None, user_id: int | Actor, *, messages: str = "keep") -> None:
        """Erase a person, as an owner: the account is deactivated for ever, and everything that says who it
        was goes, or is replaced. This cannot be undone. The person's bots are erased, too.

        The name, the address and the key are gone when this returns; a server removes the rest soon after.

        :param actor: None for the organization's own tools, which need no permission
        :param messages: `keep` leaves them, as those of a deleted person; `delete` deletes them for everybody
        :raises InsufficientRole: the actor is not an owner
        :raises PersonErased: the person is erased already
        :raises MustBeKept: a legal hold is on the person, or on a bot of the person
        :raises BadRequest: no such person, a bot, the only owner, or another value of *messages*
        """
        erasing.erase_person(
            self._svc,
            self._acting_if_any(actor),
            user_id_of(user_id=user_id),
            messages=text(messages=messages),
        )

    def continue_erasures(self) -> float:
        """Go on with all erasures that are not done; return the seconds until there is more to do."""
        return steps.continue_erasures(self._svc)

    def set_role(self, email: str, role: Role | str | int) -> None:
        """Set the role of the account with this address; for the organization's own tools.

        :raises BotRoleAboveOwner: a bot would have a role above its owner's
        :raises PersonErased: the account was erased
        :raises BadRequest: no such account, the only owner, or a guest as administrator
        """
        administration.set_role(self._svc, text(email=email), a_role(role=role))

    def renew_own_key(self, actor: Actor) -> str:
        """Replace the actor's API key, and return the new one."""
        return credentials.renew_own_key(self._svc, self._acting(actor))

    def renew_bot_key(self, actor: Actor, bot_id: int | Actor) -> str:
        """Replace a bot's API key, as its owner or an administrator, and return the new one.

        An administrator has the key of somebody else's bot only as long as the role suffices for it.

        :raises InsufficientRole: the actor is an administrator, and the bot or the person whose it is has the
            role of owners
        :raises BadRequest: no such bot, or another user's
        """
        return credentials.renew_bot_key(self._svc, self._acting(actor), user_id_of(bot_id=bot_id))

    def renew_key(self, email: str) -> Login:
        """Replace the API key of the account with this address; for the organization's own tools.

        :raises BadRequest: no such active account
        """
        return credentials.renew_key(self._svc, text(email=email))

    def sessions(self, actor: Actor) -> Sequence[SessionObject]:
        """Return the actor's valid sessions of browsers, the one used last first."""
        return sessions.list_own(self._svc, self._acting(actor))

    def end_session(self, actor: Actor, session_id: int) -> None:
        """Log out one browser from the caller's account. The account's event queues end.

        :raises NoSuchSession: the actor has no session with this id
        """
        sessions.end(self._svc, self._acting(actor), number(session_id=session_id))

    def end_sessions(self, actor: Actor) -> None:
        """Log out all browsers from the actor's account, except that of a request for it."""
        sessions.end_others(self._svc, self._acting(actor))

    def mute(self, actor: Actor, user_id: int | Actor) -> None:
        """Mute a user: all messages from this user are marked as read.

        :effect: unread messages of the user become read in steps, and new ones are read on arrival
        :raises BadRequest: the actor, an unknown user, a user who is muted already, or too many
        """
        muted_users.mute_user(self._svc, self._acting(actor), user_id_of(user_id=user_id))

    def unmute(self, actor: Actor, user_id: int | Actor) -> None:
        """Unmute a user; messages that are read stay read.

        :raises BadRequest: the user is not muted
        """
        muted_users.unmute_user(self._svc, self._acting(actor), user_id_of(user_id=user_id))

    def allow_creating_users(self, email: str, *, allowed: bool = True) -> None:
        """Grant or revoke the special permission to create accounts, which only administrators can use; for
        the organization's own tools.

        :raises BadRequest: no such user, or a bot
        """
        accounts.allow_creating_users(self._svc, text(email=email), allowed=truth(allowed=allowed))

    def allow_email_changes(self, email: str, *, allowed: bool = True) -> None:
        """Grant or revoke the special permission to change other people's addresses, which only owners can
        use; for the organization's own tools.

        :raises BadRequest: no such user, or a bot
        """
        accounts.allow_email_changes(self._svc, text(email=email), allowed=truth(allowed=allowed))
