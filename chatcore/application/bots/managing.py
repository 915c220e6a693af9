"""Making, listing, changing and deactivating bots, by their owners and by administrators."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace

from msgspec import UNSET, UnsetType

from chatcore.application.files.uploads import sweep
from chatcore.application.people import avatars
from chatcore.application.people.accounts import add_account
from chatcore.application.people.administration import appoint
from chatcore.application.people.deactivation import deactivate_with_bots
from chatcore.application.people.identity import announce_change, rename, require_name_free_for_bot
from chatcore.application.people.logins import api_key
from chatcore.application.services import Services
from chatcore.application.units import refresh_actor
from chatcore.application.visibility.bot_managers import (
    DEFAULT_CHANNELS,
    announce_service,
    give_bot,
    managed_bot,
    notify_managers,
)
from chatcore.application.visibility.known_channels import known_channel
from chatcore.domain.bots import settings as rules
from chatcore.domain.bots.settings import BotSettings, DefaultChannel
from chatcore.domain.errors import BadRequest
from chatcore.domain.groups.actors import Actor
from chatcore.domain.ids import UserId
from chatcore.domain.people.users import AvatarSource, BotType, User
from chatcore.domain.people.users import full_name as checked_name
from chatcore.events.shapes.bots import BotObject, bot_shape, details_of
from chatcore.events.shapes.users import person
from chatcore.storage import Snapshot, Transaction


@dataclass(frozen=True, slots=True, kw_only=True)
class BotOptions:
    """The requested settings of a bot; None leaves one unchanged, an empty name of a channel unsets it."""

    sending_channel: str | None = None
    events_channel: str | None = None
    all_public: bool | None = None
    payload_url: str | None = None
    interface: int | None = None
    config: Mapping[str, str] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class BotChange:
    """The requested changes of a bot; None leaves a part unchanged."""

    full_name: str | None = None
    role: int | None = None
    owner_id: int | None = None
    options: BotOptions = BotOptions()


@dataclass(frozen=True, slots=True, kw_only=True)
class NewBot:
    """A bot to create. Its address is made of the short name."""

    full_name: str
    short_name: str
    bot_type: int = BotType.GENERIC
    service_name: str = ""
    options: BotOptions = BotOptions()


def own_bots(svc: Services, actor: Actor, *, with_keys: bool = True) -> Sequence[BotObject]:
    """Return the active bots of the actor, with their keys or without them."""

    def read(snapshot: Snapshot) -> Sequence[BotObject]:
        mine = [bot for bot in snapshot.users.all() if bot.bot_owner_id == actor.user_id and bot.is_active]
        return [_shape(svc, snapshot, actor, bot, with_keys=with_keys) for bot in mine]

    return svc.storage.read(read)


def create_bot(
    svc: Services, actor: Actor, new: NewBot, *, picture: Iterable[bytes] | None = None
) -> BotObject:
    """Create a bot of the actor, and return it.

    :raises BadRequest: no permission, too many bots, or an invalid name, type, address, channel or setting
    :raises FileTooLarge, BadImage, QuotaExceeded: a picture that cannot be used
    :raises RateLimited: another picture of the actor is being processed
    """
    bot_type = rules.bot_type_of(new.bot_type)
    email = rules.bot_address(new.short_name, svc.settings.host)
    name = checked_name(new.full_name, svc.limits)
    service_name = rules.service_name(new.service_name, bot_type)

    def may(snapshot: Snapshot) -> Actor:
        me = refresh_actor(snapshot, actor, svc.now)
        rules.require_may_create(snapshot.organization.get(), me, bot_type)
        return me

    svc.storage.read(may)  # before the work on a picture

    def write(tx: Transaction, key: str | None) -> BotObject:
        me = may(tx)
        bots = [user for user in tx.users.all() if user.is_bot]
        rules.require_room(sum(one.bot_owner_id == me.user_id for one in bots), len(bots), svc.limits)
        require_name_free_for_bot(tx, UserId(0), name)
        settings = _settings(tx, me, BotSettings(service_name=service_name), new.options, bot_type)
        if bot_type == BotType.OUTGOING_WEBHOOK and not settings.payload_url:
            raise BadRequest("payload_url is not a URL")
        bot = add_account(
            svc,
            tx,
            {
                "email": email,
                "full_name": name,
                "is_bot": True,
                "bot_type": int(bot_type),
                "bot_owner_id": me.user_id,
                "date_joined": svc.now,
                "avatar_source": AvatarSource.GRAVATAR if key is None else AvatarSource.UPLOADED,
                "avatar_key": key or "",
            },
            settings,
        )
        if key is not None:
            avatars.keep_picture(tx, key)
        return _shape(svc, tx, me, bot)

    with _picture(svc, actor, picture) as key:
        return svc.storage.write(lambda tx: write(tx, key))


def update_bot(
    svc: Services, actor: Actor, bot_id: int, change: BotChange, *, picture: Iterable[bytes] | None = None
) -> BotObject:
    """Change a bot, as its owner or an administrator: everything requested, or nothing. Return the bot.

    :raises InsufficientRole: the role needs an administrator or an owner to change it, or the bot is one of
        owners
    :raises BotRoleAboveOwner: its role would be above its owner's
    :raises BadRequest: no such bot, somebody else's, or an invalid name, role, owner, channel or setting
    :raises FileTooLarge, BadImage, QuotaExceeded: a picture that cannot be used
    :raises RateLimited: another picture of the actor is being processed
    """

    def bot_of(tx: Transaction) -> tuple[Actor, User]:
        me = refresh_actor(tx, actor, svc.now)
        return me, managed_bot(tx, me, bot_id)

    if picture is not None:
        svc.storage.write(bot_of)  # before the work on it

    def write(tx: Transaction, key: str | None) -> BotObject:
        me, bot = bot_of(tx)
        if change.full_name is not None:
            rename(svc, tx, bot, change.full_name)
        is_raised = change.role is not None and change.role < bot.role
        if change.role is not None and not is_raised:
            bot = appoint(svc, tx, me, tx.users.get(bot.id), change.role)
        _change_settings(svc, tx, me, bot, change.options)
        if key is not None:
            avatars.change_picture(svc, tx, tx.users.get(bot.id), AvatarSource.UPLOADED, key)
        if change.owner_id is not None and change.owner_id != bot.bot_owner_id:
            _change_owner(svc, tx, bot, change.owner_id)
        if change.role is not None and is_raised:  # up to the role of the owner that it has now
            appoint(svc, tx, me, tx.users.get(bot.id), change.role)
        return _shape(svc, tx, me, tx.users.get(bot.id))

    with _picture(svc, actor, picture) as key:
        fields = svc.storage.write(lambda tx: write(tx, key))
    if key is not None:
        sweep(svc)
    return fields


def deactivate_bot(svc: Services, actor: Actor, bot_id: int) -> None:
    """Deactivate a bot, as its owner or an administrator.

    :raises InsufficientRole: the actor is an administrator, and the bot or the person whose it is has the
        role of owners
    :raises BadRequest: no such bot, somebody else's, or one that is deactivated already
    """

    def write(tx: Transaction) -> None:
        deactivate_with_bots(svc, tx, managed_bot(tx, refresh_actor(tx, actor, svc.now), bot_id))

    svc.storage.write(write)


@contextmanager
def _picture(svc: Services, actor: Actor, picture: Iterable[bytes] | None) -> Iterator[str | None]:
    if picture is None:
        yield None
        return
    with avatars.stored_picture(svc, actor, picture) as key:
        yield key


def _change_settings(svc: Services, tx: Transaction, actor: Actor, bot: User, options: BotOptions) -> None:
    """Store and announce the settings that differ from the present ones."""
    old = tx.bots.settings(bot.id)
    new = _settings(tx, actor, old, options, BotType(bot.bot_type or BotType.GENERIC))
    if new == old:
        return
    tx.bots.put(bot.id, new)
    before, after = details_of(old), details_of(new)
    for field, name in DEFAULT_CHANNELS.items():
        if getattr(after, field) != getattr(before, field):
            notify_managers(tx, bot, {name: getattr(after, field)})
    if after.all_public != before.all_public:
        notify_managers(tx, bot, {"default_all_public_streams": after.all_public})
    service = (new.payload_url, new.interface, new.config)
    if service != (old.payload_url, old.interface, old.config):
        announce_service(svc, tx, bot)


def _settings(
    snapshot: Snapshot, actor: Actor, old: BotSettings, options: BotOptions, bot_type: BotType
) -> BotSettings:
    """Return the settings after a change.

    :raises BadRequest: an invalid value, or a channel that the actor may not know of
    """
    new = old
    sending = _channel(snapshot, actor, options.sending_channel)
    events = _channel(snapshot, actor, options.events_channel)
    if not isinstance(sending, UnsetType):
        new = replace(new, sending_channel=sending)
    if not isinstance(events, UnsetType):
        new = replace(new, events_channel=events)
    if options.all_public is not None:
        new = replace(new, all_public=options.all_public)
    if bot_type == BotType.OUTGOING_WEBHOOK:
        if options.payload_url is not None:
            new = replace(new, payload_url=rules.payload_url(options.payload_url))
        if options.interface is not None:
            new = replace(new, interface=rules.interface(options.interface))
    if options.config is not None and bot_type in (BotType.EMBEDDED, BotType.INCOMING_WEBHOOK):
        new = replace(new, config=rules.config({**old.config, **options.config}))
    return new


def _channel(snapshot: Snapshot, actor: Actor, name: str | None) -> DefaultChannel | UnsetType | None:
    if name is None:
        return UNSET
    if not name.strip():
        return None
    channel = known_channel(snapshot, actor, name)
    return DefaultChannel(channel.id, channel.name)


def _change_owner(svc: Services, tx: Transaction, bot: User, owner_id: int) -> None:
    """Give a bot to another person.

    :raises BotRoleAboveOwner: a person whose role is below the bot's
    :raises BadRequest: no active person, or one with too many bots
    """
    owner = tx.users.find(owner_id)
    if owner is None or owner.is_bot:
        raise BadRequest("Failed to change owner, no such user")
    if not owner.is_active:
        raise BadRequest("Failed to change owner, user is deactivated")
    theirs = [user for user in tx.users.all() if user.is_bot and user.bot_owner_id == owner.id]
    rules.require_room(len(theirs), 0, svc.limits)
    announce_change(tx, bot.id, "bot_owner_id", owner.id)
    give_bot(svc, tx, tx.users.get(bot.id), owner.id)


def _shape(
    svc: Services, snapshot: Snapshot, actor: Actor, bot: User, *, with_keys: bool = True
) -> BotObject:
    is_own = with_keys and bot.bot_owner_id == actor.user_id
    key = api_key(svc, bot.id, bot.key_version) if is_own else ""
    return bot_shape(person(bot, svc.settings.host), key, details_of(snapshot.bots.settings(bot.id)))
