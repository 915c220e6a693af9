"""E-mail addresses of channels. The store holds none of them: each has a mark that only this organization can
make, and that ends with the version of the channel's addresses.
"""

import hmac
from typing import Annotated, TypeAlias

from chatcore.application.arguments import ChannelNumber, Id, about
from chatcore.application.channels.archiving import administered_channel
from chatcore.application.services import Services
from chatcore.application.signing import short_mark
from chatcore.application.units import Unit, View, read_only, unit_of_work
from chatcore.application.visibility.known_channels import readable_channel, subscribed_among_actor_and_owner
from chatcore.domain.channels.channels import Channel, require_can_post
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
from chatcore.domain.mail_addresses import ascii_domain
from chatcore.domain.organization.audit import AuditKind
from chatcore.storage import Snapshot

PURPOSE = "letterbox"

SenderNumber: TypeAlias = Annotated[
    Id | None,
    about("The account that posts the mails: the caller, a bot of the caller, or the notification bot."),
]


@read_only
def email_address(view: View, me: Actor, channel_id: ChannelNumber, sender_id: SenderNumber = None) -> str:
    """Get an address for mail to a channel.

    :param sender_id: the account that sends what arrives: the actor, one of the actor's bots, or the
        notification bot, which is the default
    :raises BadRequest: no such channel for the actor, no permission to send to it, or another sender
    """
    channel = readable_channel(view.snapshot, me, channel_id)
    require_can_post(channel, me, subscribed_among_actor_and_owner(view.snapshot, me, channel))
    letterbox = Letterbox(channel.id, me.user_id, sender_of(view.snapshot, me, sender_id))
    local = local_part(channel.name, letterbox, _mark(view.svc, letterbox, channel))
    return f"{local}@{view.svc.settings.host}"


@unit_of_work
def replace_addresses(
    unit: Unit, me: Actor, channel_id: ChannelNumber, sender_id: SenderNumber = None
) -> str:
    """End all addresses for mail to a channel, as somebody who may administer it, and get a new one.

    :raises BadRequest: no such channel for the actor, no permission to administer it or to send to it, or
        another sender
    """
    channel = administered_channel(unit.tx, me, channel_id)
    unit.tx.channels.update(channel.id, address_version=channel.address_version + 1)
    unit.record(AuditKind.CHANNEL_ADDRESSES_REPLACED, channel.id)
    return email_address.within(unit, me, channel_id, sender_id)


def letterbox_of(svc: Services, address: str) -> tuple[Letterbox, frozenset[MailOption]] | None:
    """Return the letterbox of an address, and the options that were added to the address. It is None if
    `email_address` has not made this address, or the address was replaced.

    The receiver of mail checks the rights of the letterbox's creator and of the sender again.
    """
    if len(address) > MAX_LENGTH:
        return None
    local, _, host = address.rpartition("@")
    plain, options = split_options(local)
    parts = read_local_part(plain)
    if parts is None or ascii_domain(host).lower() != ascii_domain(svc.settings.host).lower():
        return None
    letterbox, mark = parts
    channel = svc.storage.read(lambda snapshot: snapshot.channels.find(letterbox.channel_id))
    if channel is None or not hmac.compare_digest(mark, _mark(svc, letterbox, channel)):
        return None
    return letterbox, options


def sender_of(snapshot: Snapshot, actor: Actor, sender_id: int | None) -> UserId:
    """Return the account that posts what comes to an address of the actor. If none is wanted, it is the
    notification bot, or the actor in an organization without one.

    :raises BadRequest: neither the actor, nor one of the actor's bots, nor the notification bot
    """
    bot_id = snapshot.organization.get().notification_bot_id
    default = actor.user_id if bot_id is None else bot_id
    wanted = default if sender_id is None else sender_id
    if wanted in (actor.user_id, bot_id):
        return UserId(wanted)
    bot = snapshot.users.by_ids([UserId(wanted)]).get(UserId(wanted))
    if bot is None or not bot.is_bot or not bot.is_active or bot.bot_owner_id != actor.user_id:
        raise BadRequest("Invalid sender ID")
    return bot.id


def _mark(svc: Services, letterbox: Letterbox, channel: Channel) -> str:
    version = f"_{channel.address_version}" if channel.address_version else ""
    return short_mark(svc, PURPOSE, letterbox.text + version)
