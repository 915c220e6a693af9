"""Additions to messages for programs: votes, tasks, and the content of widgets."""

from typing import Annotated

from chatcore.application.arguments import Id, about
from chatcore.application.messages.access import changeable_message
from chatcore.application.units import Unit, unit_of_work
from chatcore.application.visibility.message_audiences import audiences_of
from chatcore.domain.groups.actors import Actor
from chatcore.domain.messages.submessages import require_may_add
from chatcore.events.happened import SubmessageAdded


@unit_of_work
def add_submessage(
    unit: Unit,
    me: Actor,
    message_id: Annotated[Id, about("The message's id.")],
    msg_type: Annotated[
        str,
        about("The type of the submessage: 'widget' for votes, tasks and everything else about a widget."),
    ],
    content: Annotated[str, about("JSON in the form that the widget defines.")],
) -> None:
    """Add a submessage, which clients interpret, such as a vote in a poll.

    :param msg_type: only the sender may add the first submessage of a message; "widget" makes the message a
        widget
    :param content: JSON
    :raises BadRequest: no such message for the actor, an invalid submessage, or one too many
    """
    readable = changeable_message(unit.tx, me, message_id)
    require_may_add(readable.message, me.user_id, msg_type, content, unit.limits)
    submessage = unit.tx.submessages.add(readable.message.id, me.user_id, msg_type, content)
    event = SubmessageAdded(message_id=readable.message.id, submessage=submessage)
    for _, audience in audiences_of(unit.tx, readable.channel, [readable.message], also=[me.user_id]):
        unit.tx.announce(event, audience)
