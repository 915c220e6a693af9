"""Endpoints that mute and unmute users."""

from typing import Annotated

from chatcore.application.arguments import about
from chatcore.application.people import muted_users
from chatcore.application.services import Services
from chatcore.http.auth import Caller
from chatcore.http.parameters.declaring import Params
from chatcore.http.routing import Done


class MutedUserParams(Params, kw_only=True, frozen=True):
    muted_user_id: Annotated[int, about("The id of the other user.")]


def mute(svc: Services, caller: Caller, p: MutedUserParams) -> Done:
    """Mute a user: all messages from this user are marked as read."""
    muted_users.mute_user(svc, caller.actor, p.muted_user_id)
    return Done()


def unmute(svc: Services, caller: Caller, p: MutedUserParams) -> Done:
    """Unmute a user; messages that are read stay read."""
    muted_users.unmute_user(svc, caller.actor, p.muted_user_id)
    return Done()
