"""Reports of messages to the moderators."""

from typing import Annotated, Literal

from chatcore.application.arguments import about
from chatcore.application.messages import reports
from chatcore.application.services import Services
from chatcore.http.parameters.declaring import Params, Text
from chatcore.http.pipeline.auth import Caller
from chatcore.http.pipeline.routing import Done


class ReportParams(Params, kw_only=True, frozen=True):
    message_id: Annotated[int, about("The message's id.")]
    report_type: Annotated[
        Literal["spam", "harassment", "inappropriate", "norms", "other"], about("The reason.")
    ]
    description: Annotated[Text, about("A description of the reason; required if the reason is 'other'.")] = (
        ""
    )


def report(svc: Services, caller: Caller, p: ReportParams) -> Done:
    """Report a message to the moderators of the organization."""
    reports.report_message(svc, caller.actor, p.message_id, p.report_type, p.description)
    return Done()
