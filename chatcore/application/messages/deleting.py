"""Deleting messages, for everybody."""

from collections.abc import Collection
from typing import Final

from chatcore.application import units
from chatcore.application.delivery.removing import remove_everywhere, remove_messages
from chatcore.application.messages.access import MessageNumber, changeable_message
from chatcore.application.services import Services
from chatcore.application.units import Unit, unit_of_work
from chatcore.domain.errors import BadRequest
from chatcore.domain.groups.actors import Actor
from chatcore.domain.ids import MessageId
from chatcore.domain.messages.deleting import require_may_delete
from chatcore.domain.messages.messages import Message
from chatcore.domain.organization.audit import AuditKind

MAX_AT_ONCE: Final = 500
"""Messages that are deleted in one unit of work, for which other writers wait."""


@unit_of_work
def delete_message(unit: Unit, me: Actor, message_id: MessageNumber) -> None:
    """Delete a message, for everybody.

    :raises BadRequest: no such message for the actor, no permission, or too late
    :raises MustBeKept: a hold is on the message
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
        _record_deletion(unit, readable.message)


def delete_messages(svc: Services, message_ids: Collection[int]) -> None:
    """Delete messages wherever they are, also in archived channels: all of them, or none. For the
    organization's own tools.

    :raises BadRequest: one of them does not exist, or there are more than `MAX_AT_ONCE`
    :raises MustBeKept: a hold is on one of them
    """
    if len(message_ids) > MAX_AT_ONCE:
        raise BadRequest(f"More than {MAX_AT_ONCE} messages cannot be deleted at once.")
    units.write(svc, _delete_messages, message_ids)


def _delete_messages(unit: Unit, message_ids: Collection[int]) -> None:
    messages = unit.tx.messages.outlines([MessageId(message_id) for message_id in message_ids])
    if missing := {*message_ids} - {message.id for message in messages}:
        raise BadRequest(f"There is no message {min(missing)}.")
    for message in messages:
        _record_deletion(unit, message)
    remove_everywhere(unit, messages)


def _record_deletion(unit: Unit, message: Message) -> None:
    """Note in the audit log that a message of somebody else is deleted."""
    place = {"sender_id": message.sender_id, "channel_id": message.channel_id}
    unit.record(AuditKind.MESSAGE_DELETED, message.id, before=place)
