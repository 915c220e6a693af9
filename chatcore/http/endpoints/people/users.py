"""Endpoints that read users."""

from typing import Annotated

from chatcore.application.arguments import about
from chatcore.application.people import users
from chatcore.application.services import Services
from chatcore.events.shapes.users import UserShape
from chatcore.http.auth import Caller
from chatcore.http.parameters.declaring import NoParams, Params, Text
from chatcore.http.routing import Answer, Spread


class OwnUserAnswer(Spread, frozen=True):
    fields: users.OwnUserShape


def own_user(svc: Services, caller: Caller, p: NoParams) -> OwnUserAnswer:
    """Get the caller's account."""
    return OwnUserAnswer(users.own_user(svc, caller.actor))


class ListParams(Params, kw_only=True, frozen=True):
    client_gravatar: Annotated[
        bool, about("Omit avatar addresses that the client can compute, if the server allows it.")
    ] = True
    include_custom_profile_fields: Annotated[bool, about("Include values of custom profile fields.")] = False
    user_ids: Annotated[list[int] | None, about("Ids of users; by default all.")] = None


class UsersAnswer(Answer, frozen=True, kw_only=True):
    members: list[UserShape]


def list_users(svc: Services, caller: Caller, p: ListParams) -> UsersAnswer:
    """List the users of the organization."""
    members = users.list_users(
        svc,
        caller.actor_or_none,
        client_gravatar=p.client_gravatar and caller.is_authenticated,
        include_custom_profile_fields=p.include_custom_profile_fields,
        user_ids=p.user_ids,
    )
    return UsersAnswer(members=members)


class GetParams(Params, kw_only=True, frozen=True):
    user_id: Annotated[int, about("The user's id.")]
    client_gravatar: Annotated[
        bool, about("Omit avatar addresses that the client can compute, if the server allows it.")
    ] = True
    include_custom_profile_fields: Annotated[bool, about("Include values of custom profile fields.")] = False


class UserAnswer(Answer, frozen=True, kw_only=True):
    user: UserShape


def get_user(svc: Services, caller: Caller, p: GetParams) -> UserAnswer:
    """Get one user."""
    user = users.get_user(
        svc,
        caller.actor,
        p.user_id,
        client_gravatar=p.client_gravatar,
        include_custom_profile_fields=p.include_custom_profile_fields,
    )
    return UserAnswer(user=user)


class GetByEmailParams(Params, kw_only=True, frozen=True):
    email: Annotated[Text, about("The user's address, or the placeholder that stands for it.")]
    client_gravatar: Annotated[
        bool, about("Omit avatar addresses that the client can compute, if the server allows it.")
    ] = True
    include_custom_profile_fields: Annotated[bool, about("Include values of custom profile fields.")] = False


def get_user_by_email(svc: Services, caller: Caller, p: GetByEmailParams) -> UserAnswer:
    """Get one user by address: the real one if the caller may see it, or the placeholder."""
    user = users.get_user_by_email(
        svc,
        caller.actor,
        p.email,
        client_gravatar=p.client_gravatar,
        include_custom_profile_fields=p.include_custom_profile_fields,
    )
    return UserAnswer(user=user)
