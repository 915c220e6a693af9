"""The endpoint that lists users, for spectators as well."""

from typing import Annotated

from chatcore.application.arguments import about
from chatcore.application.people import users
from chatcore.application.services import Services
from chatcore.events.payloads.users import UserShape
from chatcore.http.parameters.declaring import Params
from chatcore.http.pipeline.auth import Caller
from chatcore.http.pipeline.routing import Answer


class ListParams(Params, kw_only=True, frozen=True):
    client_gravatar: users.ClientGravatar = True
    include_custom_profile_fields: users.IncludeCustomProfileFields = False
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
