"""Deleting messages, for everybody."""

from chatcore.application.delivery.removing import remove_messages
from chatcore.application.messages.access import changeable_message
from chatcore.application.services import Services
from chatcore.application.units import refresh_actor
from chatcore.domain.groups.actors import Actor
from chatcore.domain.messages.deleting import require_may_delete
from chatcore.storage import Transaction


def delete_message(svc: Services, actor: Actor, message_id: int) -> None:
    """Delete a message.

    :raises BadRequest: no such message for the actor, no permission, or too late
    """

    def write(tx: Transaction) -> None:
        me = refresh_actor(tx, actor, svc.now)
        found = changeable_message(tx, me, message_id)
        sender = tx.users.get(found.message.sender_id)
        require_may_delete(
            found.message,
            me,
            tx.organization.get(),
            found.channel,
            owner_of_sender=sender.bot_owner_id,
            now=svc.now,
        )
        remove_messages(svc, tx, [found.message], found.channel, also=[me.user_id])

    svc.storage.write(write)
