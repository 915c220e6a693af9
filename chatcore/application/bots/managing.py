"""Making, listing, changing and deactivating bots, by their owners and by administrators."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Annotated

from msgspec import UNSET, UnsetType

from chatcore.application.arguments import about
from chatcore.application.files.uploads import sweep
from chatcore.application.people import avatars
from chatcore.application.people.accounts import add_account
from chatcore.application.people.administration import appoint
from chatcore.application.people.deactivation import deactivate_with_bots
from chatcore.application.people.identity import announce_changes, rename, require_name_free_for_bot
from chatcore.application.people.logins import api_key
from chatcore.application.services import Services
from chatcore.application.units import Unit, View, read_only, unit_of_work
from chatcore.application.visibility.bot_managers import (
    DEFAULT_CHANNELS,
    announce_service,
    give_bot,
    managed_bot,
    notify_managers,
    notify_of_default,
)
from chatcore.application.visibility.known_channels import known_channel
from chatcore.domain.bots import settings as rules
from chatcore.domain.bots.settings import BotSettings, DefaultChannel
from chatcore.domain.errors import BadRequest
from chatcore.domain.groups.actors import Actor
from chatcore.domain.organization.audit import AuditKind
from chatcore.domain.organization.audit_values import difference
from chatcore.domain.people.users import AvatarSource, BotType, User, checked_full_name
from chatcore.events.payloads.bots import BotObject, bot_details, bot_object
from chatcore.events.payloads.users import person
from chatcore.storage import Snapshot
from chatcore.storage.people.users import NewUser


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


@read_only
def own_bots(view: View, me: Actor, *, with_keys: bool = True) -> Sequence[BotObject]:
    """Return the active bots of the actor, with their keys or without them."""
    mine = [bot for bot in view.snapshot.users.all() if bot.bot_owner_id == me.user_id and bot.is_active]
    return [_bot_object(view, me, bot, with_keys=with_keys) for bot in mine]


def create_bot(
    svc: Services, actor: Actor, new: NewBot, *, picture: Iterable[bytes] | None = None
) -> BotObject:
    """Create a bot of the actor, and return it.

    :raises BadRequest: no permission, too many bots, or an invalid name, type, address, channel or setting
    :raises FileTooLarge, BadImage, QuotaExceeded: a picture that cannot be used
    :raises RateLimited: another picture of the actor is being processed
    """
    bot_type = rules.bot_type_of(new.bot_type)
    account: NewUser = {
        "email": rules.bot_address(new.short_name, svc.settings.host),
        "full_name": checked_full_name(new.full_name, svc.limits),
        "is_bot": True,
        "bot_type": int(bot_type),
        "bot_owner_id": actor.user_id,
        "date_joined": svc.now,
    }
    settings = BotSettings(service_name=rules.checked_service_name(new.service_name, bot_type))
    settings = _with_values(settings, new.options, bot_type)
    if bot_type == BotType.OUTGOING_WEBHOOK and not settings.payload_url:
        raise rules.bad_payload_url()
    _require_may_create(svc, actor, bot_type)  # before the work on a picture
    with _stored_picture(svc, actor, picture) as key:
        if key is not None:
            account["avatar_source"] = AvatarSource.UPLOADED
            account["avatar_key"] = key
        return _add_bot(svc, actor, account, bot_type, settings, new.options)


@read_only
def _require_may_create(view: View, me: Actor, bot_type: BotType) -> None:
    rules.require_may_create(view.snapshot.organization.get(), me, bot_type)


@unit_of_work
def _add_bot(
    unit: Unit, me: Actor, account: NewUser, bot_type: BotType, settings: BotSettings, options: BotOptions
) -> BotObject:
    _require_may_create.within(unit, me, bot_type)
    bots = [user for user in unit.tx.users.all() if user.is_bot]
    rules.require_few_bots(sum(bot.bot_owner_id == me.user_id for bot in bots), len(bots), unit.limits)
    require_name_free_for_bot(unit.tx, None, account["full_name"])
    settings = _with_channels(unit.tx, me, settings, options)
    bot = add_account(unit, account, settings)
    if picture_key := account.get("avatar_key"):
        avatars.keep_picture(unit.tx, picture_key)
    return _bot_object(unit, me, bot)


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
    if picture is not None:
        _require_managed(svc, actor, bot_id)  # before the work on it
    with _stored_picture(svc, actor, picture) as key:
        fields = _change_bot(svc, actor, bot_id, change, key)
    if key is not None:
        sweep(svc)  # removes the former picture
    return fields


@read_only
def _require_managed(view: View, me: Actor, bot_id: int) -> None:
    managed_bot(view.snapshot, me, bot_id)


@unit_of_work
def _change_bot(unit: Unit, me: Actor, bot_id: int, change: BotChange, picture_key: str | None) -> BotObject:
    tx = unit.tx
    bot = managed_bot(tx, me, bot_id)
    if change.full_name is not None:
        rename(unit, bot, change.full_name)
    is_raised = change.role is not None and change.role < bot.role
    if change.role is not None and not is_raised:
        bot = appoint(unit, me, tx.users.get(bot.id), change.role)
    _change_settings(unit, me, bot, change.options)
    if picture_key is not None:
        avatars.change_picture(unit, tx.users.get(bot.id), AvatarSource.UPLOADED, picture_key)
    if change.owner_id is not None and change.owner_id != bot.bot_owner_id:
        _change_owner(unit, bot, change.owner_id)
    if change.role is not None and is_raised:  # up to the role of the owner that it has now
        appoint(unit, me, tx.users.get(bot.id), change.role)
    return _bot_object(unit, me, tx.users.get(bot.id))


@unit_of_work
def deactivate_bot(unit: Unit, me: Actor, bot_id: Annotated[int, about("The bot's id.")]) -> None:
    """Deactivate a bot, as its owner or an administrator.

    :raises InsufficientRole: the actor is an administrator, and the bot or the person whose it is has the
        role of owners
    :raises BadRequest: no such bot, somebody else's, or one that is deactivated already
    """
    deactivate_with_bots(unit, managed_bot(unit.tx, me, bot_id))


@contextmanager
def _stored_picture(svc: Services, actor: Actor, picture: Iterable[bytes] | None) -> Iterator[str | None]:
    """Store the picture, if one is given, and give its key; else None."""
    if picture is None:
        yield None
        return
    with avatars.stored_picture(svc, actor, picture) as key:
        yield key


def _change_settings(unit: Unit, actor: Actor, bot: User, options: BotOptions) -> None:
    """Store and announce the settings that differ from the present ones."""
    old = unit.tx.bots.settings(bot.id)
    new = _with_values(old, options, BotType(bot.bot_type or BotType.GENERIC))
    new = _with_channels(unit.tx, actor, new, options)
    if new == old:
        return
    unit.tx.bots.put(bot.id, new)
    _record_change(unit, bot, old, new)
    before = bot_details(old)
    after = bot_details(new)
    for field, name in DEFAULT_CHANNELS.items():
        if getattr(after, field) != getattr(before, field):
            notify_of_default(unit.tx, bot, name, getattr(after, field))
    if after.all_public != before.all_public:
        notify_managers(unit.tx, bot, {"default_all_public_streams": after.all_public})
    if (new.payload_url, new.interface, new.config) != (old.payload_url, old.interface, old.config):
        announce_service(unit, bot)


def _record_change(unit: Unit, bot: User, old: BotSettings, new: BotSettings) -> None:
    """Note changed settings in the audit log: of the configuration and the address of the service, which can
    hold keys, only that they have changed.
    """
    before, after = difference(replace(old, config={}), replace(new, config={}), without={"payload_url"})
    changed = [name for name in ("config", "payload_url") if getattr(old, name) != getattr(new, name)]
    if changed:
        after = {**after, "changed": changed}
    unit.record(AuditKind.BOT_CHANGED, bot.id, before=before, after=after)


def _with_channels(
    snapshot: Snapshot, actor: Actor, settings: BotSettings, options: BotOptions
) -> BotSettings:
    """Return the settings with the default channels of the options.

    :raises BadRequest: a channel that the actor may not know of
    """
    sending = _default_channel(snapshot, actor, options.sending_channel)
    events = _default_channel(snapshot, actor, options.events_channel)
    if not isinstance(sending, UnsetType):
        settings = replace(settings, sending_channel=sending)
    if not isinstance(events, UnsetType):
        settings = replace(settings, events_channel=events)
    return settings


def _with_values(old: BotSettings, options: BotOptions, bot_type: BotType) -> BotSettings:
    """Return the settings with those options that need no store; a type ignores options of other types.

    :raises BadRequest: an invalid value
    """
    new = old
    if options.all_public is not None:
        new = replace(new, all_public=options.all_public)
    if bot_type == BotType.OUTGOING_WEBHOOK:
        if options.payload_url is not None:
            new = replace(new, payload_url=rules.checked_payload_url(options.payload_url))
        if options.interface is not None:
            new = replace(new, interface=rules.interface_of(options.interface))
    if options.config is not None and bot_type in (BotType.EMBEDDED, BotType.INCOMING_WEBHOOK):
        new = replace(new, config=rules.checked_config({**old.config, **options.config}))
    return new


def _default_channel(snapshot: Snapshot, actor: Actor, name: str | None) -> DefaultChannel | UnsetType | None:
    """Return a bot's default channel: UNSET for none asked for, None for an empty name, which removes it."""
    if name is None:
        return UNSET
    if not name.strip():
        return None
    channel = known_channel(snapshot, actor, name)
    return DefaultChannel(channel.id, channel.name)


def _change_owner(unit: Unit, bot: User, owner_id: int) -> None:
    """Give a bot to another person.

    :raises BotRoleAboveOwner: a person whose role is below the bot's
    :raises BadRequest: no active person, or one with too many bots
    """
    owner = unit.tx.users.find(owner_id)
    if owner is None or owner.is_bot:
        raise BadRequest("Failed to change owner, no such user")
    if not owner.is_active:
        raise BadRequest("Failed to change owner, user is deactivated")
    theirs = [user for user in unit.tx.users.all() if user.is_bot and user.bot_owner_id == owner.id]
    rules.require_few_bots(len(theirs), 0, unit.limits)
    unit.record(
        AuditKind.BOT_OWNER_CHANGED,
        bot.id,
        before={"bot_owner_id": bot.bot_owner_id},
        after={"bot_owner_id": owner.id},
    )
    announce_changes(unit.tx, bot.id, {"bot_owner_id": owner.id})
    give_bot(unit, unit.tx.users.get(bot.id), owner.id)


def _bot_object(view: View, actor: Actor, bot: User, *, with_keys: bool = True) -> BotObject:
    is_own = with_keys and bot.bot_owner_id == actor.user_id
    key = api_key(view.svc, bot.id, bot.key_version) if is_own else ""
    details = bot_details(view.snapshot.bots.settings(bot.id))
    return bot_object(person(bot, view.svc.settings.host), key, details)
