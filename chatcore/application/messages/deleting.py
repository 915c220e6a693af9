"""Deleting messages, for everybody."""

from chatcore.application.delivery.removing import remove_messages
from chatcore.application.messages.access import MessageNumber, changeable_message
from chatcore.application.units import Unit, unit_of_work
from chatcore.domain.groups.actors import Actor
from chatcore.domain.messages.deleting import require_may_delete
from chatcore.domain.organization.audit import AuditKind


@unit_of_work
def delete_message(unit: Unit, me: Actor, message_id: MessageNumber) -> None:
    """Delete a message, for everybody.

    :raises BadRequest: no such message for the actor, no permission, or too late
    """
    readable = changeable_message(unit.tx, me, message_id)
    sender = unit.tx.users.get(readable.message.sender_id)
    require_may_delete(
        readable.message,
        me,
        unit.tx.organization.get(),
        readable.channel,
        owner_of_sender=sender.bot_owner_id,
        now=unit.now,
    )
    remove_messages(unit, [readable.message], readable.channel, also=[me.user_id])
    if readable.message.sender_id != me.user_id:
        place = {"sender_id": sender.id, "channel_id": readable.message.channel_id}
        unit.record(AuditKind.MESSAGE_DELETED, readable.message.id, before=place)
