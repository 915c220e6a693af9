"""Additions to messages for programs: votes, tasks, and the content of widgets."""

from chatcore.application.messages.access import changeable_message
from chatcore.application.units import Unit, unit_of_work
from chatcore.application.visibility.message_audiences import audiences_of
from chatcore.domain.groups.actors import Actor
from chatcore.domain.messages.submessages import require_may_add
from chatcore.events.types import SubmessageAdded


@unit_of_work
def add_submessage(unit: Unit, me: Actor, message_id: int, msg_type: str, content: str) -> None:
    """Add a submessage to a message; notify the actor and the users who have the message. *content* is JSON.

    Only the sender may add the first submessage of a message; its *msg_type* "widget" makes the message a
    widget.

    :raises BadRequest: no such message for the actor, an invalid submessage, or one too many
    """
    found = changeable_message(unit.tx, me, message_id)
    require_may_add(found.message, me.user_id, msg_type, content, unit.limits)
    submessage = unit.tx.submessages.add(found.message.id, me.user_id, msg_type, content)
    event = SubmessageAdded(message_id=found.message.id, submessage=submessage)
    for _, audience in audiences_of(unit.tx, found.channel, [found.message], also=[me.user_id]):
        unit.tx.announce(event, audience)
