"""Deactivating and reactivating accounts.

A deactivated account is only hidden, and loses nothing but its event queues and sessions of browsers:
reactivation restores its channels, groups and permissions, and messages sent to its channels meanwhile are
unread. Bots are not reactivated with their owner.
"""

from collections.abc import Sequence
from typing import Annotated

from chatcore.application import units
from chatcore.application.arguments import UserNumber, about
from chatcore.application.groups import system_members
from chatcore.application.people import presence
from chatcore.application.people.credentials import renew_lent_keys
from chatcore.application.people.identity import (
    announce_changes,
    is_only_owner,
    require_name_free_for_bot,
    require_not_erased,
)
from chatcore.application.people.sessions import forget_sessions
from chatcore.application.queue_closing import close_queues_of
from chatcore.application.services import Services
from chatcore.application.units import Unit, View, unit_of_work
from chatcore.application.visibility import statuses
from chatcore.application.visibility.bot_managers import give_bot, notify_managers, owner_of
from chatcore.application.visibility.channel_changes import announce_peers, requires_archived
from chatcore.application.visibility.known_users import deactivated_among
from chatcore.application.visibility.people_changes import GuestVisibility
from chatcore.application.visibility.users import fields_listing_users, no_such_user, profile_data_of
from chatcore.domain.channels.channels import Channel, channel_key
from chatcore.domain.errors import BadRequest
from chatcore.domain.groups.actors import Actor
from chatcore.domain.groups.permissions import CHANNEL_PERMISSIONS, ORGANIZATION_PERMISSIONS
from chatcore.domain.ids import UserId
from chatcore.domain.mail.confirmations import Proof
from chatcore.domain.organization.administration import require_administrator, require_no_bot
from chatcore.domain.organization.audit import AuditKind
from chatcore.domain.people.account_states import (
    MAX_COMMENT_LENGTH,
    require_may_be_deactivated,
    require_may_change_state,
    require_may_deactivate_self,
)
from chatcore.domain.people.users import User
from chatcore.events.audience import Everyone, Users, channel_viewers
from chatcore.events.happened import ChannelUpdated, OrganizationPermissionsChanged, StatusChanged, UserAdded
from chatcore.events.happened.channels import PeerOp
from chatcore.events.payloads.users import person
from chatcore.storage import Snapshot, Transaction


def deactivate_user(
    svc: Services,
    actor: Actor | None,
    user_id: UserNumber,
    *,
    comment: Annotated[
        str, about("A comment for a mail to the person; this server sends no such mail.")
    ] = "",
) -> Sequence[UserId]:
    """Deactivate an account and its bots, as an administrator.

    :param actor: None for the organization's own tools, which need no permission
    :param comment: for a mail to the person, which this server does not send
    :returns: ids of the account and its bots, those of bots first
    :raises InsufficientRole: the actor is not an administrator, or not an owner and deactivates an owner
    :raises BadRequest: no such user, one that is deactivated already, the only owner, or a comment that is
        too long
    """
    if len(comment) > MAX_COMMENT_LENGTH:
        raise BadRequest(f"deactivation_notification_comment is too long (limit: {MAX_COMMENT_LENGTH})")
    return _deactivate_account(svc, actor, user_id)


@unit_of_work
def _deactivate_account(unit: Unit, me: Actor | None, user_id: int) -> Sequence[UserId]:
    user = _find_changeable(unit, me, user_id)
    require_may_be_deactivated(user, is_only_owner=is_only_owner(unit.tx, user))
    return deactivate_with_bots(unit, user)


def deactivate_self(svc: Services, actor: Actor) -> None:
    """Deactivate the actor's account and bots.

    :raises CannotDeactivateLastUser: the only owner, or the only person
    :raises BadRequest: a bot
    """
    require_no_bot(actor)
    _deactivate_own_account(svc, actor)


@unit_of_work
def _deactivate_own_account(unit: Unit, me: Actor) -> None:
    user = unit.tx.users.get(me.user_id)
    active_people = unit.tx.users.count_active_people()
    require_may_deactivate_self(is_only_owner=is_only_owner(unit.tx, user), active_people=active_people)
    deactivate_with_bots(unit, user)


@unit_of_work
def reactivate_user(unit: Unit, me: Actor | None, user_id: int) -> None:
    """Reactivate an account, as an administrator; an active one stays unchanged. The actor is None for the
    organization's own tools, which need no permission.

    A bot whose owner is no longer active gets the actor as its owner.

    :raises InsufficientRole: the actor is not an administrator, or not an owner and reactivates an owner
    :raises PersonErased: the account was erased
    :raises BadRequest: no such user, a bot whose name another bot has now, or a bot without an owner that a
        bot or a tool reactivates
    """
    user = _find_changeable(unit, me, user_id)
    require_not_erased(unit.tx, user)
    if not user.is_active:
        if user.is_bot:
            require_name_free_for_bot(unit.tx, user.id, user.full_name)
        _set_active(unit, user)
        _take_over_from_inactive_owner(unit, me, user)


def would_take_over(svc: Services, user_id: int) -> bool:
    """Whether this is a deactivated bot of which the person who reactivates it becomes the owner."""
    return units.read(svc, _would_take_over, user_id)


def _would_take_over(view: View, user_id: int) -> bool:
    user = view.snapshot.users.find(UserId(user_id))
    return user is not None and not user.is_active and _find_inactive_owner(view.snapshot, user) is not None


def _find_inactive_owner(snapshot: Snapshot, bot: User) -> User | None:
    """Return the owner of a bot, if there is one whose account is deactivated."""
    owner = owner_of(snapshot, bot)
    return None if owner is None or owner.is_active else owner


def _find_changeable(unit: Unit, me: Actor | None, user_id: int) -> User:
    """Return a user that the actor may deactivate or reactivate.

    :raises InsufficientRole: the actor is not an administrator, or not an owner and the user is an owner
    :raises BadRequest: no such user, or the server's own bot
    """
    if me is not None:
        require_administrator(me)
    user = unit.tx.users.find(user_id)
    if user is None or user.id == unit.tx.organization.get().notification_bot_id:
        raise no_such_user()
    if me is not None:
        require_may_change_state(me, user, owner_of(unit.tx, user))
    return user


# -- deactivating -----------------------------------------------------------------------------------


def deactivate_with_bots(unit: Unit, user: User) -> Sequence[UserId]:
    """Deactivate an account and its bots, which the caller has checked; return their ids, bots first."""
    # Bots do not own bots.
    bots = [
        account for account in unit.tx.users.all() if account.bot_owner_id == user.id and account.is_active
    ]
    guest_visibility = GuestVisibility(
        unit, (), [channel.id for channel in _channels_of(unit.tx, user)], with_groups=True
    )
    accounts = [*bots, user]
    for account in accounts:
        _set_inactive(unit, account)
    guest_visibility.announce()
    return [account.id for account in accounts]


def _set_inactive(unit: Unit, user: User) -> None:
    unit.tx.users.update(user.id, is_active=False)
    unit.record(AuditKind.ACCOUNT_DEACTIVATED, user.id)
    _announce_peers(unit.tx, "peer_remove", user)
    announce_changes(unit.tx, user.id, {"is_active": False})
    notify_managers(unit.tx, user, {"is_active": False})
    system_members.announce_deactivated_account(unit.tx, user, unit.now)
    _announce_permissions(unit.tx, user)
    forget_sessions(unit, user.id)
    for proof in Proof:
        unit.tx.confirmations.remove_of_user(proof, user.id)
    close_queues_of(unit.tx, user.id)
    renew_lent_keys(unit, user.id)


# -- reactivating -----------------------------------------------------------------------------------


def _set_active(unit: Unit, user: User) -> None:
    svc, tx = unit.svc, unit.tx
    guest_visibility = GuestVisibility(unit, (), [channel.id for channel in _channels_of(tx, user)])
    tx.users.update(user.id, is_active=True)
    unit.record(AuditKind.ACCOUNT_REACTIVATED, user.id)
    active_user = tx.users.get(user.id)
    if guest_ids := guest_visibility.who_met(user.id):
        who = person(active_user, svc.settings.host)
        profile_data = profile_data_of(tx, [user.id])(user.id)
        listing = fields_listing_users(tx)
        tx.announce(UserAdded(person=who, profile_data=profile_data, listing=listing), Users(guest_ids))
    announce_changes(tx, user.id, {"is_active": True})
    notify_managers(tx, user, {"is_active": True})
    if status := statuses.shown_status(active_user, tx.statuses.find(user.id)):
        tx.announce(StatusChanged(user_id=user.id, changes=status), Everyone())
    presence.announce_last_presence(unit, active_user)
    system_members.announce_reactivated_account(tx, user, svc.now)
    _announce_permissions(tx, user)
    _announce_peers(tx, "peer_add", user)


def _take_over_from_inactive_owner(unit: Unit, me: Actor | None, bot: User) -> None:
    """Make the actor the owner of a bot whose owner is not active; leave another bot as it is.

    :raises BadRequest: the actor is no person
    """
    owner = _find_inactive_owner(unit.tx, bot)
    if owner is None:
        return
    if me is None or me.is_bot:
        raise BadRequest(
            f"The owner of this bot, {owner.full_name}, is deactivated. Bring the owner back first, or let a"
            " person bring back the bot over HTTP, as its new owner."
        )
    before, after = {"bot_owner_id": owner.id}, {"bot_owner_id": me.user_id}
    unit.record(AuditKind.BOT_OWNER_CHANGED, bot.id, before=before, after=after)
    announce_changes(unit.tx, bot.id, {"bot_owner_id": me.user_id})
    give_bot(unit, bot, me.user_id)


# -- subscriptions and permissions of an account ----------------------------------------------------


def _channels_of(tx: Transaction, user: User) -> list[Channel]:
    """Return the channels to which the user is subscribed, by name."""
    subscriptions = tx.subscriptions.of_user(user.id)
    channels = tx.channels.by_ids(
        [channel_id for channel_id, subscription in subscriptions.items() if subscription.active]
    )
    return sorted(channels.values(), key=lambda channel: channel_key(channel.name))


def _announce_peers(tx: Transaction, op: PeerOp, user: User) -> None:
    """Announce the user's subscriptions or their end to others, for whom deactivated users are no
    subscribers.
    """
    channels = _channels_of(tx, user)
    tx.subscriptions.count_anew([channel.id for channel in channels])
    for channel in channels:
        announce_peers(
            tx, op, channel, [user.id], without=[user.id], knows_archived=requires_archived(channel)
        )


def _announce_permissions(tx: Transaction, user: User) -> None:
    """Announce permissions that name the user: their values leave out deactivated users."""
    for channel in tx.channels.all():
        for name in CHANNEL_PERMISSIONS:
            value = channel.permission_value(name)
            if user.id in value.members:
                changed = ChannelUpdated(
                    channel_id=channel.id,
                    name=channel.name,
                    property=name,
                    value=value.as_sent(hidden=deactivated_among(tx, value.members)),
                    knows_archived=requires_archived(channel),
                )
                tx.announce(changed, channel_viewers(channel))
    organization = tx.organization.get()
    data = {}
    for name in ORGANIZATION_PERMISSIONS:
        value = organization.permission_value(name)
        if user.id in value.members:
            data[name] = value.as_sent(hidden=deactivated_among(tx, value.members))
    if data:
        tx.announce(OrganizationPermissionsChanged(data=data), Everyone())
