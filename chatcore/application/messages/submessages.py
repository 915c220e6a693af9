"""Additions to messages for programs: votes, tasks, and the content of widgets."""

from chatcore.application.messages.access import changeable_message
from chatcore.application.services import Services
from chatcore.application.units import refresh_actor
from chatcore.application.visibility.message_audiences import audiences_of
from chatcore.domain.groups.actors import Actor
from chatcore.domain.messages.submessages import require_may_add
from chatcore.events.types import SubmessageAdded
from chatcore.storage import Transaction


def add_submessage(svc: Services, actor: Actor, message_id: int, msg_type: str, content: str) -> None:
    """Add a submessage to a message; notify the actor and the users who have the message. *content* is JSON.

    Only the sender may add the first submessage of a message; its *msg_type* "widget" makes the message a
    widget.

    :raises BadRequest: no such message for the actor, an invalid submessage, or one too many
    """

    def write(tx: Transaction) -> None:
        found = changeable_message(tx, refresh_actor(tx, actor, svc.now), message_id)
        require_may_add(found.message, actor.user_id, msg_type, content, svc.limits)
        submessage = tx.submessages.add(found.message.id, actor.user_id, msg_type, content)
        event = SubmessageAdded(message_id=found.message.id, submessage=submessage)
        for _, audience in audiences_of(tx, found.channel, [found.message], also=[actor.user_id]):
            tx.announce(event, audience)

    svc.storage.write(write)
