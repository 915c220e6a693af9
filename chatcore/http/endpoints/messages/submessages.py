"""The endpoint for submessages, which clients interpret."""

from typing import Annotated

from chatcore.application.arguments import Id, about
from chatcore.application.messages import submessages
from chatcore.application.services import Services
from chatcore.http.auth import Caller
from chatcore.http.parameters.declaring import Params, Text
from chatcore.http.routing import Done


class AddParams(Params, kw_only=True, frozen=True):
    message_id: Annotated[Id, about("The message's id.")]
    msg_type: Annotated[
        Text,
        about("The type of the submessage: 'widget' for votes, tasks and everything else about a widget."),
    ]
    content: Annotated[Text, about("JSON in the form that the widget defines.")]


def add(svc: Services, caller: Caller, p: AddParams) -> Done:
    """Add a submessage, which clients interpret, such as a vote in a poll."""
    submessages.add_submessage(svc, caller.actor, p.message_id, p.msg_type, p.content)
    return Done()
