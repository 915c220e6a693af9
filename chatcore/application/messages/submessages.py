"""Adding to messages what programs read: votes, tasks, and what a widget is made of."""

from chatcore.application.messages.access import changeable_message
from chatcore.application.services import Services
from chatcore.application.visibility.message_audiences import who_is_told
from chatcore.application.visibility.viewers import refresh_actor
from chatcore.domain.groups import Actor
from chatcore.domain.submessages import require_may_add
from chatcore.events.types import SubmessageAdded
from chatcore.storage import Transaction


def add_submessage(svc: Services, actor: Actor, message_id: int, msg_type: str, content: str) -> None:
    """Add to a message, and tell those who have it and whoever adds. *content* is JSON.

    Of a message without any the sender adds the first, which is a widget where *msg_type* is "widget".

    :raises BadRequest: no such message for the actor, nothing that can be added to it, or one too many
    """

    def write(tx: Transaction) -> None:
        found = changeable_message(tx, refresh_actor(tx, actor, svc.now), message_id)
        require_may_add(found.message, actor.user_id, msg_type, content, svc.limits)
        submessage = tx.submessages.add(found.message.id, actor.user_id, msg_type, content)
        event = SubmessageAdded(message_id=found.message.id, submessage=submessage)
        for _, audience in who_is_told(tx, found.channel, [found.message], also=[actor.user_id]):
            tx.announce(event, audience)

    svc.storage.write(write)
