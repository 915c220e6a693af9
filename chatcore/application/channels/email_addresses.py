"""E-mail addresses of channels. The store holds nothing about them: each has a mark that only this
organization can make.
"""

import hmac

from chatcore.application.services import Services
from chatcore.application.signing import short_mark
from chatcore.application.visibility.known_channels import readable_channel, subscribed_among_actor_and_owner
from chatcore.application.visibility.viewers import refresh_actor
from chatcore.domain.channels.channels import require_can_post
from chatcore.domain.channels.email_addresses import (
    MAX_LENGTH,
    Letterbox,
    MailOption,
    local_part,
    read_local_part,
    split_options,
)
from chatcore.domain.errors import BadRequest
from chatcore.domain.groups.actors import Actor
from chatcore.domain.ids import UserId
from chatcore.storage import Snapshot

PURPOSE = "letterbox"


def email_address(svc: Services, actor: Actor, channel_id: int, sender_id: int | None = None) -> str:
    """Return an address for mail that becomes messages of a channel, sent by an account: the actor, one of
    the actor's bots, or the notification bot, which is the default.

    :raises BadRequest: no such channel for the actor, no permission to send to it, or another sender
    """

    def read(snapshot: Snapshot) -> str:
        me = refresh_actor(snapshot, actor, svc.now)
        channel = readable_channel(snapshot, me, channel_id)
        require_can_post(channel, me, subscribed_among_actor_and_owner(snapshot, me, channel))
        letterbox = Letterbox(channel.id, me.user_id, sender_of(snapshot, me, sender_id))
        return f"{local_part(channel.name, letterbox, _mark(svc, letterbox))}@{svc.settings.host}"

    return svc.storage.read(read)


def letterbox_of(svc: Services, address: str) -> tuple[Letterbox, frozenset[MailOption]] | None:
    """Return the letterbox of an address with the options that were added to it, or None if `email_address`
    has not made it.

    The receiver of mail checks the rights of its creator and sender again.
    """
    if len(address) > MAX_LENGTH:
        return None
    local, _, host = address.rpartition("@")
    plain, options = split_options(local)
    found = read_local_part(plain)
    if found is None or host.lower() != svc.settings.host.lower():
        return None
    letterbox, mark = found
    return (letterbox, options) if hmac.compare_digest(mark, _mark(svc, letterbox)) else None


def sender_of(snapshot: Snapshot, actor: Actor, sender_id: int | None) -> UserId:
    """Return the account that posts what comes to an address of the actor.

    :raises BadRequest: neither the actor, nor one of the actor's bots, nor the notification bot
    """
    bot_id = snapshot.organization.get().notification_bot_id
    wanted = sender_id if sender_id is not None else bot_id or actor.user_id
    if wanted in (actor.user_id, bot_id):
        return UserId(wanted)
    bot = snapshot.users.by_ids([UserId(wanted)]).get(UserId(wanted))
    if bot is None or not bot.is_bot or not bot.is_active or bot.bot_owner_id != actor.user_id:
        raise BadRequest("Invalid sender ID")
    return bot.id


def _mark(svc: Services, letterbox: Letterbox) -> str:
    return short_mark(svc, PURPOSE, letterbox.text)
