"""Accounts, and how everybody sees them."""

from typing import Any

from chatcore.application import account_states, accounts, api_keys, muted_users, user_updates, users
from chatcore.application.accounts import Login, NewUser
from chatcore.application.addresses import holder_of
from chatcore.application.user_updates import UserChange
from chatcore.chat.noun import Noun, use_case, use_case_with
from chatcore.domain.errors import BadRequest
from chatcore.domain.groups import Actor
from chatcore.domain.roles import Role


class Users(Noun):
    def create(
        self,
        email: str,
        full_name: str,
        *,
        role: Role = Role.MEMBER,
        password: str | None = None,
        is_bot: bool = False,
        owner: Actor | None = None,
        by: Actor | None = None,
    ) -> Actor:
        """Make an account. *by* None is the program itself, of which no permission is asked.

        :raises InsufficientRole: no administrator; or no owner, for an owner or the bot of one
        :raises BadRequest: no permission, an address that is taken or none, a name or password outside the
            rules, an owner who is no person with an active account, or of what is no bot
        """
        new = NewUser(
            email=email,
            full_name=full_name,
            role=role,
            password=password,
            is_bot=is_bot,
            bot_owner_id=None if owner is None else owner.user_id,
        )
        return self.actor(accounts.create_user(self._svc, new, by=by).email)

    def actor(self, email: str) -> Actor:
        """Who acts as the user with this address.

        :raises BadRequest: there is no such active user
        """

        def read(snapshot: Any) -> Actor:
            user = holder_of(self._svc, snapshot, email)
            if user is None or not user.is_active:
                raise BadRequest(f"There is no such account in use: '{email}'")
            actor: Actor = snapshot.users.actors([user.id], self._svc.now)[user.id]
            return actor

        return self._svc.storage.read(read)

    def credentials(self, actor: Actor) -> Login:
        """The address and API key with which HTTP clients act as this user."""
        (login,) = accounts.login_of(self._svc, [actor.user_id])
        return login

    log_in = use_case(accounts.log_in)
    own = use_case(users.own_user)
    get = use_case(users.get_user)
    get_by_email = use_case(users.get_user_by_email)
    list = use_case(users.list_users)
    update = use_case_with(user_updates.update_user, UserChange)
    deactivate = use_case(account_states.deactivate_user)
    deactivate_self = use_case(account_states.deactivate_self)
    reactivate = use_case(account_states.reactivate_user)
    set_role = use_case(user_updates.set_role)
    renew_own_key = use_case(api_keys.renew_own_key)
    renew_bot_key = use_case(api_keys.renew_bot_key)
    renew_key = use_case(api_keys.renew_key)
    mute = use_case(muted_users.mute_user)
    unmute = use_case(muted_users.unmute_user)
    allow_creating_users = use_case(accounts.allow_creating_users)
    allow_email_changes = use_case(accounts.allow_email_changes)
