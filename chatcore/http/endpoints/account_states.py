"""Accounts that are made, taken out of use and brought back."""

from typing import Annotated

from chatcore.application import account_states, accounts
from chatcore.application.services import Services
from chatcore.http.auth import Caller
from chatcore.http.params import NoParams, Params, Text, about
from chatcore.http.routing import Answer, Done


class CreateParams(Params, kw_only=True, frozen=True):
    email: Annotated[Text, about("The e-mail address, which nobody else may have.")]
    password: Annotated[Text, about("The password to begin with.")]
    full_name: Annotated[Text, about("The full name.")]


class CreateAnswer(Answer, frozen=True, kw_only=True):
    user_id: int


def create(svc: Services, caller: Caller, p: CreateParams) -> CreateAnswer:
    """Make an account for somebody, as an administrator who has the permission to."""
    new = accounts.NewUser(email=p.email, full_name=p.full_name, password=p.password)
    return CreateAnswer(user_id=accounts.create_user(svc, new, by=caller.user).user_id)


class DeactivateParams(Params, kw_only=True, frozen=True):
    user_id: Annotated[int, about("The user's id.")]
    deactivation_notification_comment: Annotated[
        Text, about("For a mail to the person, of which this server sends none.")
    ] = ""


def deactivate(svc: Services, caller: Caller, p: DeactivateParams) -> Done:
    """Deactivate an account and its bots, as an administrator."""
    comment = p.deactivation_notification_comment
    account_states.deactivate_user(svc, caller.user, p.user_id, comment=comment)
    return Done()


def deactivate_self(svc: Services, caller: Caller, p: NoParams) -> Done:
    """Deactivate one's own account and one's bots."""
    account_states.deactivate_self(svc, caller.user)
    return Done()


class ReactivateParams(Params, kw_only=True, frozen=True):
    user_id: Annotated[int, about("The user's id.")]


def reactivate(svc: Services, caller: Caller, p: ReactivateParams) -> Done:
    """Bring a deactivated account back, as an administrator."""
    account_states.reactivate_user(svc, caller.user, p.user_id)
    return Done()
