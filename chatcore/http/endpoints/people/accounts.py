"""Endpoints that return API keys for passwords and create accounts."""

from collections.abc import Iterable
from typing import Annotated

import msgspec

from chatcore.application.arguments import about
from chatcore.application.people import accounts, logins, users
from chatcore.application.services import Services
from chatcore.domain.people.users import User
from chatcore.domain.roles import Role
from chatcore.events.payloads.users import UserShape
from chatcore.http.endpoints.people.proof import OwnPassword, require_proof
from chatcore.http.parameters.declaring import SECRET, NoParams, Params, Text
from chatcore.http.pipeline.auth import Caller
from chatcore.http.pipeline.routing import Answer


class LoginParams(Params, kw_only=True, frozen=True):
    username: Annotated[Text, about("The account's e-mail address.")]
    password: Annotated[Text, about("The account's password."), SECRET]


class LoginAnswer(Answer, frozen=True, kw_only=True):
    api_key: str
    email: str
    user_id: int


def log_in(svc: Services, caller: Caller, p: LoginParams) -> LoginAnswer:
    """Get the API key of an account by its password."""
    return _answer(logins.log_in(svc, p.username, p.password, caller.address, caller.user_agent))


class TokenLoginParams(Params, kw_only=True, frozen=True):
    token: Annotated[
        Text, about("A JSON Web Token with the claim `email`, the address of the account."), SECRET
    ]
    include_profile: Annotated[bool, about("Whether the answer has the account as `user`.")] = False


class TokenLoginAnswer(LoginAnswer, frozen=True, kw_only=True):
    user: UserShape | msgspec.UnsetType = msgspec.UNSET


def log_in_with_token(svc: Services, caller: Caller, p: TokenLoginParams) -> TokenLoginAnswer:
    """Get the API key of an account for which another program vouches.

    The program signs a JSON Web Token with the key that is a setting of the server. The token should say by
    `exp` when it expires.
    """
    login = logins.log_in_with_token(svc, p.token, caller.address, caller.user_agent)
    user: UserShape | msgspec.UnsetType = msgspec.UNSET
    if p.include_profile:
        actor = logins.authenticate(svc, login.email, login.api_key)
        user = users.get_user(svc, actor, login.user_id, client_gravatar=False)
    return TokenLoginAnswer(api_key=login.api_key, email=login.email, user_id=login.user_id, user=user)


class DevelopmentLoginParams(Params, kw_only=True, frozen=True):
    username: Annotated[Text, about("The account's e-mail address.")]


def log_in_for_development(svc: Services, caller: Caller, p: DevelopmentLoginParams) -> LoginAnswer:
    """Get the API key of any account, on a development server."""
    return _answer(logins.log_in_for_development(svc, p.username))


class Offered(msgspec.Struct, frozen=True, kw_only=True):
    """A person as whom anybody may log in to a development server."""

    email: str
    full_name: str


class DevelopmentUsersAnswer(Answer, frozen=True, kw_only=True):
    direct_admins: list[Offered]
    direct_users: list[Offered]


def list_for_development(svc: Services, caller: Caller, p: NoParams) -> DevelopmentUsersAnswer:
    """List the people as whom anybody may log in, on a development server: administrators, and others."""
    people = logins.users_for_development(svc)
    admins = [user for user in people if user.role <= Role.ADMINISTRATOR]
    others = [user for user in people if user.role > Role.ADMINISTRATOR]
    return DevelopmentUsersAnswer(
        direct_admins=_offered_accounts(admins), direct_users=_offered_accounts(others)
    )


def _offered_accounts(users: Iterable[User]) -> list[Offered]:
    return [Offered(email=user.email, full_name=user.full_name) for user in users]


def _answer(login: logins.Login) -> LoginAnswer:
    return LoginAnswer(api_key=login.api_key, email=login.email, user_id=login.user_id)


class CreateParams(Params, kw_only=True, frozen=True):
    email: Annotated[Text, about("The e-mail address, which nobody else may have.")]
    password: Annotated[Text, about("The first password."), SECRET]
    full_name: Annotated[Text, about("The full name.")]
    own_password: OwnPassword = ""


class NewUserAnswer(Answer, frozen=True, kw_only=True):
    user_id: int


def create(svc: Services, caller: Caller, p: CreateParams) -> NewUserAnswer:
    """Create an account for another person, as an administrator with that permission."""
    require_proof(svc, caller, p.own_password)
    new = accounts.NewUser(email=p.email, full_name=p.full_name, password=p.password)
    return NewUserAnswer(user_id=accounts.create_user(svc, new, by=caller.actor).user_id)
