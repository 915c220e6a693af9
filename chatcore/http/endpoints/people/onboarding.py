"""Onboarding steps."""

from typing import Annotated

from chatcore.application.arguments import about
from chatcore.application.people import welcome
from chatcore.application.services import Services
from chatcore.http.auth import Caller
from chatcore.http.parameters.declaring import Params, Text
from chatcore.http.routing import Done


class StepParams(Params, kw_only=True, frozen=True):
    onboarding_step: Annotated[Text, about("The name of the step.")]


def finish(svc: Services, caller: Caller, p: StepParams) -> Done:
    """Store that the caller has seen an onboarding step, so that clients do not show it again."""
    welcome.finish_step(svc, caller.actor, p.onboarding_step)
    return Done()
