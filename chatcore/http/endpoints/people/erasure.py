"""The endpoint that erases a person."""

from typing import Annotated, Literal

from chatcore.application.arguments import UserNumber, about
from chatcore.application.erasure.erasing import erase_person
from chatcore.application.services import Services
from chatcore.http.endpoints.people.proof import OwnPassword, require_proof
from chatcore.http.parameters.declaring import Params
from chatcore.http.pipeline.auth import Caller
from chatcore.http.pipeline.routing import Done


class EraseParams(Params, kw_only=True, frozen=True):
    user_id: UserNumber
    messages: Annotated[
        Literal["keep", "delete"],
        about("What becomes of the messages: kept as those of a deleted person, or deleted for everybody."),
    ] = "keep"
    own_password: OwnPassword = ""


def erase(svc: Services, caller: Caller, p: EraseParams) -> Done:
    """Erase a person, as an owner: the account is deactivated for ever, and everything that says who it was
    goes, or is replaced. This cannot be undone. The person's bots are erased, too.
    """
    require_proof(svc, caller, p.own_password)
    erase_person(svc, caller.actor, p.user_id, messages=p.messages)
    return Done()
