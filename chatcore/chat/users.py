"""Accounts of people and bots."""

from chatcore.application.people import (
    accounts,
    administration,
    logins,
    sessions,
)
from chatcore.application.people.accounts import NewUser
from chatcore.application.people.administration import UserChange
from chatcore.application.people.logins import Login
from chatcore.application.units import View
from chatcore.application.visibility.addresses import holder_of
from chatcore.chat.given import (
    Person,
    ProfileEntries,
    a_person,
    a_role,
    all_profile_entries,
    number_or_text,
    optional,
    text,
    truth,
)
from chatcore.chat.made import users as made
from chatcore.domain.errors import BadRequest, UserDeactivated
from chatcore.domain.groups.actors import Actor
from chatcore.domain.ids import RecipientId, UserId
from chatcore.domain.people.users import no_active_account
from chatcore.domain.roles import Role
from chatcore.storage import Snapshot


class Users(made.Users):
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
            actor = self._find(number_or_text(email=email))
        except UserDeactivated:
            actor = None
        if actor is None:
            raise no_active_account(email)
        return actor

    def _find(self, wanted: str | int) -> Actor | None:
        """Return the actor with this address or id, or None.

        :raises UserDeactivated: the account is deactivated
        """

        def read(snapshot: Snapshot) -> Actor | None:
            if isinstance(wanted, str):
                user = holder_of(View(self._svc, snapshot), wanted)
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
        :raises PersonErased: the account was erased
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

    def begin_session(
        self, actor: Actor, *, cookie: str = "", user_agent: str = "", address: str = "", url: str = ""
    ) -> str:
        """Log a browser in to the web client, without a password, and return the value of the header
        `Set-Cookie` for the answer to it; for programs that have identified the person themselves. The answer
        leads the browser to the chat's address with `#session` at its end, by which the page knows of it.

        *cookie* and *user_agent* are the headers of the browser's request: a session that it already has
        ends. *address* is its network address. `sessions` shows address and browser. *url* is the address of
        the chat in the browser, such as `http://127.0.0.1:5000/chat`: if the settings have no `external_url`,
        the cookie is named by it.

        :raises BadRequest: a bot, or an address that is none
        :raises UserDeactivated: the account is deactivated
        :raises OrganizationDeactivated: the whole organization is deactivated
        :raises AuthenticationFailed: the account changes at this moment
        """
        from chatcore.http.pipeline.own_address import stated_address  # programs without browsers do without
        from chatcore.http.pipeline.sessions import keep_session, token_in_cookies

        here = stated_address(self._svc.settings, text(url=url))
        browser = sessions.Browser(
            address=text(address=address),
            user_agent=text(user_agent=user_agent),
            token=token_in_cookies(text(cookie=cookie), here),
        )
        begun = sessions.begin_for(self._svc, self._acting(actor), browser)
        ((_, header),) = keep_session(self._svc, begun.token, here)
        return header
