"""Endpoints that deactivate and reactivate accounts."""

from chatcore.application.arguments import UserNumber
from chatcore.application.people import deactivation
from chatcore.application.services import Services
from chatcore.http.endpoints.people.proof import OwnPassword, require_proof
from chatcore.http.parameters.declaring import Params
from chatcore.http.pipeline.auth import Caller
from chatcore.http.pipeline.routing import Done


class DeactivateSelfParams(Params, kw_only=True, frozen=True):
    own_password: OwnPassword = ""


def deactivate_self(svc: Services, caller: Caller, p: DeactivateSelfParams) -> Done:
    """Deactivate the caller's account and bots."""
    require_proof(svc, caller, p.own_password)
    deactivation.deactivate_self(svc, caller.actor)
    return Done()


class ReactivateParams(Params, kw_only=True, frozen=True):
    user_id: UserNumber
    own_password: OwnPassword = ""


def reactivate(svc: Services, caller: Caller, p: ReactivateParams) -> Done:
    """Reactivate an account, as an administrator. A bot whose owner is deactivated becomes the caller's."""
    if deactivation.would_take_over(svc, p.user_id):
        require_proof(svc, caller, p.own_password)
    deactivation.reactivate_user(svc, caller.actor, p.user_id)
    return Done()
