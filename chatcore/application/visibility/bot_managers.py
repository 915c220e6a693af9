"""The managers of a bot and events for them: its owner, who also receives the key, and the administrators who
are people.
"""

from collections.abc import Mapping
from typing import Literal, TypeAlias

from chatcore.application.queue_closing import close_queues_of
from chatcore.application.units import Unit
from chatcore.domain.bots.settings import DefaultChannel
from chatcore.domain.channels.channels import Channel, has_metadata_access
from chatcore.domain.errors import BadRequest, InsufficientPermission
from chatcore.domain.groups.actors import Actor
from chatcore.domain.ids import UserId
from chatcore.domain.people.account_states import require_may_change_state
from chatcore.domain.people.bot_roles import require_role_within
from chatcore.domain.people.users import BotType, User, manages_bot
from chatcore.domain.roles import Role
from chatcore.events.audience import Users
from chatcore.events.happened import BotAdded, BotChanged, BotKeyChanged, BotRemoved, BotServiceChanged
from chatcore.events.payloads.bots import BotChanges, bot_details
from chatcore.events.payloads.users import person
from chatcore.storage import Snapshot, Transaction

DefaultName: TypeAlias = Literal["default_sending_stream", "default_events_register_stream"]
DEFAULT_CHANNELS: Mapping[str, DefaultName] = {
    "sending_channel": "default_sending_stream",
    "events_channel": "default_events_register_stream",
}
"""The default channels among the settings of a bot, with their names in the API."""


def managed_bot(snapshot: Snapshot, actor: Actor, bot_id: int) -> User:
    """Return an active bot that the actor manages.

    :raises InsufficientRole: the actor is an administrator, and the bot or the person whose it is has the
        role of owners
    :raises BadRequest: no such bot, or another user's
    """
    bot = snapshot.users.find(UserId(bot_id))
    if bot is not None and bot.is_bot and bot.is_active and bot.bot_owner_id == actor.user_id:
        return bot
    if not actor.role.is_administrator or actor.is_bot:
        raise InsufficientPermission
    if (
        bot is None
        or not (bot.is_bot and bot.is_active)
        or bot.id == snapshot.organization.get().notification_bot_id
    ):
        raise BadRequest("No such bot")
    require_may_change_state(actor, bot, owner_of(snapshot, bot))
    return bot


def owner_of(snapshot: Snapshot, user: User) -> User | None:
    """Return the person whose bot this is; None for people, and for bots of the organization."""
    return None if user.bot_owner_id is None else snapshot.users.find(user.bot_owner_id)


def announce_bot(unit: Unit, bot: User) -> None:
    """Notify the managers of a bot that it exists."""
    unit.tx.announce(_make_bot_added(unit, bot), Users(_managers_of(unit.tx, bot)))


def notify_managers(tx: Transaction, user: User, changes: BotChanges) -> None:
    """Notify the managers of a bot of changed fields; does nothing for people."""
    if user.is_bot:
        tx.announce(BotChanged(user_id=user.id, changes=changes), Users(_managers_of(tx, user)))


def notify_of_default(tx: Transaction, bot: User, name: DefaultName, channel_name: str | None) -> None:
    """Notify the managers of a bot of another default channel, or of another name of it."""
    changes: BotChanges = {}
    changes[name] = channel_name
    notify_managers(tx, bot, changes)


def announce_service(unit: Unit, bot: User) -> None:
    """Notify the managers of a bot of its changed service."""
    changed = BotServiceChanged(
        bot=person(bot, unit.svc.settings.host),
        key_version=bot.key_version,
        details=bot_details(unit.tx.bots.settings(bot.id)),
    )
    unit.tx.announce(changed, Users(_managers_of(unit.tx, bot)))


def announce_key(unit: Unit, bot: User) -> None:
    """Notify the owner of a bot of its new key, and of the token that follows from it."""
    if bot.bot_owner_id is None:
        return
    unit.tx.announce(BotKeyChanged(user_id=bot.id, key_version=bot.key_version), Users((bot.bot_owner_id,)))
    if bot.bot_type == BotType.OUTGOING_WEBHOOK:
        announce_service(unit, bot)


def give_bot(unit: Unit, bot: User, owner_id: UserId) -> None:
    """Set another owner of a bot, who receives a new key of it. The bot loses default channels that the new
    owner may not know of.

    A bot may post where its owner may: with the old key, the former owner could post there.

    :raises BotRoleAboveOwner: the role of the bot is above that of the new owner
    """
    require_role_within(unit.tx.users.get(owner_id), bot.role)
    unit.tx.users.update(bot.id, bot_owner_id=owner_id, key_version=bot.key_version + 1, key_holder_id=None)
    close_queues_of(unit.tx, bot.id)
    given = unit.tx.users.get(bot.id)
    _drop_unknown_channels(unit, given)
    managers = _managers_of(unit.tx, given)
    # Administrators get it too, though they know the bot: only for its owner does the event have the key.
    unit.tx.announce(_make_bot_added(unit, given), Users(managers))
    notify_managers(unit.tx, given, {"owner_id": owner_id})
    if bot.bot_owner_id is not None and bot.bot_owner_id not in managers:
        unit.tx.announce(BotRemoved(user_id=bot.id), Users((bot.bot_owner_id,)))


def announce_managed(unit: Unit, before: Actor, after: Actor) -> None:
    """Notify a user whose role changed of the bots that the user can or can no longer manage."""
    audience, notification_bot_id = Users((after.user_id,)), unit.tx.organization.get().notification_bot_id
    for bot in unit.tx.users.all():
        manages = manages_bot(after, bot)
        if bot.is_bot and bot.id != notification_bot_id and manages != manages_bot(before, bot):
            unit.tx.announce(_make_bot_added(unit, bot) if manages else BotRemoved(user_id=bot.id), audience)


def rename_default_channel(unit: Unit, channel: Channel) -> None:
    """Let the bots with this default channel have its new name, if their owners may know it."""
    for bot_id in unit.tx.bots.with_channel(channel.id):
        bot, settings = unit.tx.users.get(bot_id), unit.tx.bots.settings(bot_id)
        if not _owner_knows(unit, bot, channel):
            continue
        renamed = DefaultChannel(channel.id, channel.name)
        changed: list[DefaultName] = []
        for field, name in DEFAULT_CHANNELS.items():
            default: DefaultChannel | None = getattr(settings, field)
            if default is not None and default.id == channel.id:
                settings = settings.with_channel(field, renamed)
                changed.append(name)
        unit.tx.bots.put(bot_id, settings)
        for name in changed:
            notify_of_default(unit.tx, bot, name, channel.name)


def _drop_unknown_channels(unit: Unit, bot: User) -> None:
    settings = unit.tx.bots.settings(bot.id)
    for field in DEFAULT_CHANNELS:
        default: DefaultChannel | None = getattr(settings, field)
        channel = None if default is None else unit.tx.channels.find(default.id)
        if default is not None and (channel is None or not _owner_knows(unit, bot, channel)):
            settings = settings.with_channel(field, None)
            unit.tx.bots.put(bot.id, settings)


def _owner_knows(unit: Unit, bot: User, channel: Channel) -> bool:
    if bot.bot_owner_id is None:
        return False
    owner = unit.tx.users.actors([bot.bot_owner_id], unit.now).get(bot.bot_owner_id)
    subscribed = bool(unit.tx.subscriptions.subscribed_among(channel.id, [bot.bot_owner_id]))
    return owner is not None and has_metadata_access(channel, owner, subscribed=subscribed)


def _make_bot_added(unit: Unit, bot: User) -> BotAdded:
    details = bot_details(unit.tx.bots.settings(bot.id))
    return BotAdded(bot=person(bot, unit.svc.settings.host), key_version=bot.key_version, details=details)


def human_administrators(tx: Transaction) -> tuple[UserId, ...]:
    """Return the administrators, and the owners, who are people."""
    administrators = tx.users.active_with_roles([Role.OWNER, Role.ADMINISTRATOR])
    return tuple(user.id for user in administrators if not user.is_bot)


def _managers_of(tx: Transaction, bot: User) -> tuple[UserId, ...]:
    people = set(human_administrators(tx))
    if bot.bot_owner_id is not None:
        people.add(bot.bot_owner_id)
    return tuple(sorted(people))
