"""Accounts of people and bots."""

from collections.abc import Sequence

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
from chatcore.application.people.accounts import NewUser
from chatcore.application.people.administration import UserChange
from chatcore.application.people.logins import Login
from chatcore.application.people.users import OwnUserShape
from chatcore.application.visibility.addresses import holder_of
from chatcore.chat.given import (
    Person,
    ProfileEntries,
    UserIds,
    a_person,
    a_role,
    all_profile_entries,
    number,
    number_or_text,
    optional,
    text,
    truth,
    user_id_of,
    user_ids_of,
)
from chatcore.chat.part import Part
from chatcore.domain.errors import BadRequest, UserDeactivated
from chatcore.domain.groups.actors import Actor
from chatcore.domain.ids import RecipientId, UserId
from chatcore.domain.roles import Role
from chatcore.events.shapes.sessions import SessionObject
from chatcore.events.shapes.users import UserShape
from chatcore.storage import Snapshot


class Users(Part):
    def create(
        self,
        email: str,
        full_name: str,
        *,
        role: Role | str | int = Role.MEMBER,
        password: str | None = None,
        is_bot: bool = False,
        owner: Actor | None = None,
        by: Actor | None = None,
    ) -> Actor:
        """Create an account. *by* is None for the program itself, which needs no permission.

        :raises InsufficientRole: the actor is not an administrator, or not an owner and creates an owner or
            an owner's bot
        :raises BotRoleAboveOwner: a bot would have a role above its owner's
        :raises BadRequest: no permission, an invalid or taken address, an invalid name or password, an owner
            who is not a person with an active account, or an owner of an account that is not a bot
        """
        new = NewUser(
            email=text(email=email),
            full_name=text(full_name=full_name),
            role=a_role(role=role),
            password=optional(text, password=password),
            is_bot=truth(is_bot=is_bot),
            bot_owner_id=None if owner is None else self._acting(owner).user_id,
        )
        return self.actor(accounts.create_user(self._svc, new, by=self._acting_if_any(by)).email)

    def actor(self, email: str | int) -> Actor:
        """Return the actor for the user with this address or id.

        :raises BadRequest: there is no such active user
        """
        try:
            found = self._find(number_or_text(email=email))
        except UserDeactivated:
            found = None
        if found is None:
            raise BadRequest(f"There is no active account '{email}'")
        return found

    def _find(self, wanted: str | int) -> Actor | None:
        """Return the actor with this address or id, or None.

        :raises UserDeactivated: the account is deactivated
        """

        def read(snapshot: Snapshot) -> Actor | None:
            if isinstance(wanted, str):
                user = holder_of(self._svc, snapshot, wanted)
            else:
                user = snapshot.users.find(UserId(RecipientId(wanted)))
            if user is None:
                return None
            if not user.is_active:
                raise UserDeactivated
            return snapshot.users.actors([user.id], self._svc.now)[user.id]

        return self._svc.storage.read(read)

    def get_or_create(self, email: str, full_name: str, *, role: Role | str | int = Role.MEMBER) -> Actor:
        """Return the actor for the user with this address, whose account is created if there is none; for
        sites whose own users take part. Several calls at once create one account. *role* is that of a new
        account; an existing one keeps its own.

        :raises BadRequest: an address or name that is not valid
        :raises UserDeactivated: the account is deactivated
        """
        address, name, role = text(email=email), text(full_name=full_name), a_role(role=role)
        if (known := self._find(address)) is not None:
            return known
        try:
            return self.create(address, name, role=role)
        except BadRequest:
            if (known := self._find(address)) is not None:  # another call was first
                return known
            raise

    def credentials(self, actor: Actor) -> Login:
        """Return the address and API key with which HTTP clients act as this user."""
        return logins.login_of(self._svc, self._acting(actor).user_id)

    def authenticate(self, email: str, api_key: str) -> Actor:
        """Return the actor with this address and API key; for programs that clients call with them.

        :raises Unauthorized: no such address or key; one text for both
        :raises OrganizationDeactivated: the key is right, but the whole organization is deactivated
        :raises UserDeactivated: the key is right, but the account is deactivated
        """
        return logins.authenticate(self._svc, text(email=email), text(api_key=api_key))

    def log_in(self, name: str, password: str, address: str = "") -> Login:
        """Return the API key of a user in exchange for the password; *address* is the network address of the
        attempt.

        :raises AuthenticationFailed: unknown name, a bot, no password set, or a wrong one; alike in text and
            time
        :raises UserDeactivated: the password is right, but the account is deactivated
        :raises OrganizationDeactivated: the whole organization is deactivated
        :raises PasswordsDisabled: the organization does not use passwords
        :raises RateLimited: too many failures, see `chatcore.application.people.login_attempts`
        """
        return logins.log_in(self._svc, text(name=name), text(password=password), text(address=address))

    def log_in_with_token(self, token: str, address: str = "") -> Login:
        """Return the API key of a user for whom a JSON Web Token vouches, signed with the key that is set;
        *address* is the network address of the attempt.

        :raises BadWebToken: see `chatcore.application.web_tokens`
        :raises BadRequest: the organization accepts no tokens
        :raises AuthenticationFailed: no person has the address
        :raises UserDeactivated: the account is deactivated
        :raises OrganizationDeactivated: the whole organization is deactivated
        :raises RateLimited: too many failures, see `chatcore.application.people.login_attempts`
        """
        return logins.log_in_with_token(self._svc, text(token=token), text(address=address))

    def own(self, actor: Actor) -> OwnUserShape:
        """Return the actor's own account."""
        return users.own_user(self._svc, self._acting(actor))

    def get(
        self,
        actor: Actor,
        user_id: int | Actor,
        *,
        client_gravatar: bool = True,
        include_custom_profile_fields: bool = False,
    ) -> UserShape:
        """Return one user, active or not.

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
        """Return the user with this address. A placeholder address finds everybody; a real one finds only
        users who show it to the actor.

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

    def update(
        self,
        actor: Actor,
        target: Person,
        *,
        full_name: str | None = None,
        role: Role | str | int | None = None,
        profile_data: ProfileEntries = (),
        new_email: str | None = None,
    ) -> None:
        """Change the account with this id or address: all requested changes, or none.

        None leaves a part unchanged, and so does a blank name.

        :raises InsufficientRole: the actor owns the bot and is not an administrator; or the actor is not an
            owner, and the role of an owner changes or another user becomes one
        :raises BotRoleAboveOwner: a bot would have a role above its owner's
        :raises BadRequest: the actor is not an administrator, no such user, or an invalid value
        :raises RateLimited: too many changes of the actor's own address
        """
        administration.update_user(
            self._svc,
            self._acting(actor),
            a_person(target=target),
            UserChange(
                full_name=optional(text, full_name=full_name),
                role=optional(a_role, role=role),
                profile_data=all_profile_entries(profile_data=profile_data),
                new_email=optional(text, new_email=new_email),
            ),
        )

    def deactivate(self, actor: Actor | None, user_id: int | Actor, *, comment: str = "") -> Sequence[UserId]:
        """Deactivate an account and its bots, as an administrator, and return their ids, those of bots first.

        *actor* is None for the organization's own tools, which need no permission. *comment* is meant for a
        mail to the person, which this server does not send.

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
        """Reactivate an account, as an administrator; an active one stays unchanged.

        *actor* is None for the organization's own tools, which need no permission. A bot whose owner is not
        active gets the actor as its owner.

        :raises InsufficientRole: the actor is not an administrator, or not an owner and reactivates an owner
        :raises BadRequest: no such user, a bot whose name another bot has now, or a bot without an owner that
            a bot or a tool reactivates
        """
        deactivation.reactivate_user(self._svc, self._acting_if_any(actor), user_id_of(user_id=user_id))

    def set_role(self, email: str, role: Role | str | int) -> None:
        """Set the role of the account with this address; for the organization's own tools.

        The roles are "owner", "administrator", "moderator", "member" and "guest", or the members of `Role`.

        :raises BotRoleAboveOwner: a bot would have a role above its owner's
        :raises BadRequest: no such account, the only owner, or a guest as administrator
        """
        administration.set_role(self._svc, text(email=email), a_role(role=role))

    def renew_own_key(self, actor: Actor) -> str:
        """Replace the actor's API key, and return the new one."""
        return credentials.renew_own_key(self._svc, self._acting(actor))

    def renew_bot_key(self, actor: Actor, bot_id: int | Actor) -> str:
        """Replace a bot's API key, as its owner or an administrator, and return the new one.

        :raises InsufficientRole: the actor is an administrator, and the bot has the role of owners
        :raises BadRequest: no such bot, or another user's
        """
        return credentials.renew_bot_key(self._svc, self._acting(actor), user_id_of(bot_id=bot_id))

    def renew_key(self, email: str) -> Login:
        """Replace the API key of the account with this address; for the organization's own tools.

        :raises BadRequest: no such active account
        """
        return credentials.renew_key(self._svc, text(email=email))

    def begin_session(
        self, actor: Actor, *, cookie: str = "", user_agent: str = "", address: str = "", url: str = ""
    ) -> str:
        """Log a browser in to the web client, without a password, and return the value of the header
        `Set-Cookie` for the answer to it; for programs that have identified the person themselves.

        *cookie* and *user_agent* are the headers of the browser's request: a session that it already has
        ends. *address* is its network address. `sessions` shows address and browser. *url* is the address of
        the chat in the browser, such as `http://127.0.0.1:5000/chat`: if the settings have no `external_url`,
        the cookie is named by it.

        :raises BadRequest: a bot, or an address that is none
        :raises UserDeactivated: the account is deactivated
        :raises OrganizationDeactivated: the whole organization is deactivated
        :raises AuthenticationFailed: the account changes at this moment
        """
        from chatcore.http.own_address import address_in  # programs without browsers do without
        from chatcore.http.sessions import keep, token_of

        here = address_in(self._svc.settings, text(url=url))
        browser = sessions.Browser(
            address=text(address=address),
            user_agent=text(user_agent=user_agent),
            token=token_of(text(cookie=cookie), here),
        )
        begun = sessions.begin_for(self._svc, self._acting(actor), browser)
        ((_, header),) = keep(self._svc, begun.token, here)
        return header

    def sessions(self, actor: Actor) -> Sequence[SessionObject]:
        """Return the sessions of browsers that are logged in to the actor's account."""
        return sessions.list_own(self._svc, self._acting(actor))

    def end_session(self, actor: Actor, session_id: int) -> None:
        """Log out one browser from the actor's account.

        :raises NoSuchSession: the actor has no session with this id
        """
        sessions.end(self._svc, self._acting(actor), number(session_id=session_id))

    def end_sessions(self, actor: Actor) -> None:
        """Log out all browsers from the actor's account."""
        sessions.end_others(self._svc, self._acting(actor))

    def mute(self, actor: Actor, user_id: int | Actor) -> None:
        """Mute a user, active or not: their unread messages become read, and new ones are read on arrival.

        One unit of work mutes the user. Unread messages are then marked in steps, between which other writers
        run. If the process is killed in between, the user stays muted and the remaining messages stay unread.

        :raises BadRequest: the actor, an unknown user, a user who is muted already, or too many
        """
        muted_users.mute_user(self._svc, self._acting(actor), user_id_of(user_id=user_id))

    def unmute(self, actor: Actor, user_id: int | Actor) -> None:
        """Unmute a user; messages that were read stay read.

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
