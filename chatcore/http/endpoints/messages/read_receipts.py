"""The endpoint for read receipts."""

from typing import Annotated

from chatcore.application.arguments import about
from chatcore.application.messages import read_receipts
from chatcore.application.services import Services
from chatcore.http.auth import Caller
from chatcore.http.parameters.declaring import Params
from chatcore.http.routing import Answer


class ReceiptsParams(Params, kw_only=True, frozen=True):
    message_id: Annotated[int, about("The message's id.")]


class ReceiptsAnswer(Answer, frozen=True, kw_only=True):
    user_ids: list[int]


def receipts(svc: Services, caller: Caller, p: ReceiptsParams) -> ReceiptsAnswer:
    """List the users who have read a message and who send read receipts."""
    found = read_receipts.read_receipts(svc, caller.actor, p.message_id)
    return ReceiptsAnswer(user_ids=[int(user_id) for user_id in found])
