"""Endpoints that return API keys for passwords and create accounts."""

from typing import Annotated

from chatcore.application.people import accounts
from chatcore.application.services import Services
from chatcore.http.auth import Caller
from chatcore.http.parameters.declaring import Params, Text, about
from chatcore.http.routing import Answer


class LoginParams(Params, kw_only=True, frozen=True):
    username: Annotated[Text, about("The account's e-mail address.")]
    password: Annotated[Text, about("The account's password.")]


class LoginAnswer(Answer, frozen=True, kw_only=True):
    api_key: str
    email: str
    user_id: int


def log_in(svc: Services, caller: Caller, p: LoginParams) -> LoginAnswer:
    """Get the API key of an account by its password."""
    return _answer(accounts.log_in(svc, p.username, p.password, caller.address))


class DevelopmentLoginParams(Params, kw_only=True, frozen=True):
    username: Annotated[Text, about("The account's e-mail address.")]


def log_in_for_development(svc: Services, caller: Caller, p: DevelopmentLoginParams) -> LoginAnswer:
    """Get the API key of any account, on a development server."""
    return _answer(accounts.log_in_for_development(svc, p.username))


def _answer(login: accounts.Login) -> LoginAnswer:
    return LoginAnswer(api_key=login.api_key, email=login.email, user_id=login.user_id)


class CreateParams(Params, kw_only=True, frozen=True):
    email: Annotated[Text, about("The e-mail address, which nobody else may have.")]
    password: Annotated[Text, about("The first password.")]
    full_name: Annotated[Text, about("The full name.")]


class NewUserAnswer(Answer, frozen=True, kw_only=True):
    user_id: int


def create(svc: Services, caller: Caller, p: CreateParams) -> NewUserAnswer:
    """Create an account for another person, as an administrator with that permission."""
    new = accounts.NewUser(email=p.email, full_name=p.full_name, password=p.password)
    return NewUserAnswer(user_id=accounts.create_user(svc, new, by=caller.user).user_id)
