"""Permission and time limit to delete a message."""

from chatcore.domain.channels.channels import Channel
from chatcore.domain.errors import BadRequest
from chatcore.domain.groups.actors import Actor
from chatcore.domain.ids import UserId
from chatcore.domain.messages.editing import is_too_old
from chatcore.domain.messages.messages import Message
from chatcore.domain.organization.organization import Organization


def require_may_delete(
    message: Message,
    actor: Actor,
    organization: Organization,
    channel: Channel | None,
    *,
    owner_of_sender: UserId | None,
    now: int,
) -> None:
    """Refuse to delete a message for everybody.

    *channel* None is for a direct message, for which only the organization's settings apply.
    *owner_of_sender* is the owner of the bot that sent it.

    :raises BadRequest: no permission, or too late for an own message
    """

    def permits(name: str) -> bool:
        return organization.permits(name, actor) or (channel is not None and channel.permits(name, actor))

    if permits("can_delete_any_message_group"):
        return
    is_own = actor.user_id in (message.sender_id, owner_of_sender)
    if not (is_own and permits("can_delete_own_message_group")):
        raise BadRequest("You don't have permission to delete this message")
    if is_too_old(message.timestamp, organization.message_content_delete_limit_seconds, now, grace=0):
        raise BadRequest("The time limit for deleting this message has passed")
