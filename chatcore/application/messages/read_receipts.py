"""Read receipts: the users who have read a message."""

from chatcore.application.messages.access import MessageNumber, readable_message
from chatcore.application.units import View, read_only
from chatcore.application.visibility.known_users import known_to
from chatcore.domain.errors import BadRequest
from chatcore.domain.groups.actors import Actor
from chatcore.domain.ids import UserId
from chatcore.domain.messages.flags import Flag
from chatcore.domain.people import setting_values


@read_only
def read_receipts(view: View, me: Actor, message_id: MessageNumber) -> list[UserId]:
    """List the users who have read a message and who send read receipts.

    :returns: ids, ascending; without the sender, deactivated users, users whom the actor has muted, and users
        who have muted the actor
    :raises BadRequest: no such message for the actor, or the organization shows no receipts
    """
    snapshot, organization = view.snapshot, view.snapshot.organization.get()
    message = readable_message(snapshot, me, message_id).message
    if not organization.enable_read_receipts:
        raise BadRequest("Read receipts are disabled in this organization.")
    muted, muting = snapshot.muted_users.of_user(me.user_id), snapshot.muted_users.who_muted(me.user_id)
    hidden = {message.sender_id, *muted, *muting}
    knows = known_to(snapshot, organization, me)
    # Whether they have read it is asked only of those who may be listed.
    receivers = snapshot.users.by_ids(snapshot.flags.readers(message)).values()
    listable = [
        user.id
        for user in receivers
        if user.is_active
        and user.id not in hidden
        and setting_values.value(user, "send_read_receipts")
        and (knows is None or knows(user.id))
    ]
    flags = snapshot.flags.of_readers(message, listable)
    return sorted(user_id for user_id, theirs in flags.items() if theirs & Flag.READ)
