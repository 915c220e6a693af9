"""Channels: listing them and their topics, subscribing, making and leaving them."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec

from chatcore.application import notices
from chatcore.application.accessible import deactivated_among, unseen_among
from chatcore.application.gather import current
from chatcore.application.group_settings import check_group_setting
from chatcore.application.names import NamesFor
from chatcore.application.services import Services
from chatcore.domain import channels as rules
from chatcore.domain.channels import Channel, Subscription
from chatcore.domain.errors import BadRequest, LoginRequired, invalid_channel
from chatcore.domain.groups import CHANNEL_PERMISSIONS, Actor, GroupSetting, SystemGroup
from chatcore.domain.ids import ChannelId, MessageId, UserId
from chatcore.domain.organization import Organization
from chatcore.domain.roles import Role
from chatcore.domain.topics import TopicsPolicy
from chatcore.domain.users import User
from chatcore.events import shapes
from chatcore.events.audience import Users, channel_viewers
from chatcore.events.shapes import ChannelShape, IncludeSubscribers, SubscriptionShape
from chatcore.events.types import (
    ChannelsCreated,
    ChannelsDeleted,
    PeersChanged,
    Subscribed,
    Unsubscribed,
)
from chatcore.markup import Facts, Options, parse, render
from chatcore.storage import Snapshot, Transaction

# -- reading ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Which:
    """Which channels a list has: the union of what is asked for. `all` is everything one may know of."""

    public: bool = True
    web_public: bool = False
    subscribed: bool = True
    owner_subscribed: bool = False
    can_access_content: bool = False
    all: bool = False
    archived: bool = False
    with_default: bool = False


def list_channels(svc: Services, actor: Actor, which: Which) -> list[ChannelShape]:
    """The channels asked for that the actor may know of, by name."""

    def read(snapshot: Snapshot) -> list[ChannelShape]:
        mine = snapshot.subscriptions.of_user(actor.user_id)
        owners: Mapping[ChannelId, Subscription] = {}
        if which.owner_subscribed and actor.owner is not None:
            owners = snapshot.subscriptions.of_user(actor.owner.user_id)
        chosen = [
            channel
            for channel in snapshot.channels.all()
            if (which.archived or not channel.is_archived)
            and _is_asked_for(channel, actor, which, _active(mine, channel), _active(owners, channel))
        ]
        traffic = snapshot.channels.weekly_traffic(chosen, svc.now)
        unseen = _unseen(snapshot, actor, chosen)
        listed = [
            shapes.channel_shape(channel, now=svc.now, weekly_traffic=traffic[channel.id], hidden=unseen)
            for channel in chosen
        ]
        if which.with_default:
            for shape in listed:
                shape.is_default = False
        return listed

    return svc.storage.read(read)


def _unseen(snapshot: Snapshot, actor: Actor, channels: Iterable[Channel]) -> frozenset[UserId]:
    """The users whom the actor is not shown in the channels' settings."""
    named = {user_id for channel in channels for user_id in channel.named_people}
    return unseen_among(snapshot, actor, named)


def _active(subscriptions: Mapping[ChannelId, Subscription], channel: Channel) -> bool:
    return channel.id in subscriptions and subscriptions[channel.id].active


def _is_asked_for(
    channel: Channel, actor: Actor, which: Which, subscribed: bool, owner_subscribed: bool
) -> bool:
    if which.all:
        return rules.has_metadata_access(channel, actor, subscribed=subscribed)
    return (
        (which.public and not channel.invite_only and not actor.is_guest)
        or (which.web_public and channel.is_web_public)
        or (which.subscribed and subscribed)
        or (which.owner_subscribed and owner_subscribed)
        or (which.can_access_content and rules.has_content_access(channel, actor, subscribed=subscribed))
    )


def channel_id_of(svc: Services, actor: Actor, name: str) -> ChannelId:
    """The id of a channel whose messages the actor may read.

    :raises BadRequest: there is none of that name, or no access; one answer for both
    """

    def read(snapshot: Snapshot) -> ChannelId:
        channel = snapshot.channels.find_by_name(name)
        if channel is None or not _has_content_access(snapshot, channel, actor):
            raise invalid_channel(name)
        return channel.id

    return svc.storage.read(read)


def _has_content_access(snapshot: Snapshot, channel: Channel, actor: Actor) -> bool:
    subscribed = bool(snapshot.subscriptions.subscribed_among(channel.id, [actor.user_id]))
    return rules.has_content_access(channel, actor, subscribed=subscribed)


Topics = Sequence[tuple[str, MessageId]]
"""Names with the newest message of each."""


def topics(svc: Services, actor: Actor | None, channel_id: int) -> tuple[Topics, str]:
    """A channel's topics, each with its newest message, newest first; and the empty topic's display name.

    With protected history, only topics of messages that were received.

    :raises BadRequest: there is no such channel, or no access to what is in it; one answer for both
    :raises LoginRequired: no actor, and the channel is not open to the web
    """

    def read(snapshot: Snapshot) -> tuple[Topics, str]:
        organization = snapshot.organization.get()
        channel = snapshot.channels.find(channel_id)
        if actor is None:
            if channel is None or not (organization.enable_spectator_access and channel.is_web_public):
                raise LoginRequired
            mine = None
        else:
            mine = None if channel is None else snapshot.subscriptions.find(actor.user_id, channel.id)
            subscribed = mine is not None and mine.active
            if channel is None or not rules.has_content_access(channel, actor, subscribed=subscribed):
                raise invalid_channel()
        periods = None
        if not channel.history_public_to_subscribers:
            periods = () if mine is None else mine.periods
        found = snapshot.messages.topics(channel.id, periods)
        return found, organization.empty_topic_display_name

    return svc.storage.read(read)


def own_subscriptions(
    svc: Services, actor: Actor, *, include_subscribers: IncludeSubscribers = False
) -> list[SubscriptionShape]:
    """The actor's active subscriptions by channel name."""

    def read(snapshot: Snapshot) -> list[SubscriptionShape]:
        mine = snapshot.subscriptions.of_user(actor.user_id)
        active = {channel_id: sub for channel_id, sub in mine.items() if sub.active}
        channels = [c for c in snapshot.channels.by_ids(active.keys()).values() if not c.is_archived]
        return subscription_shapes(
            svc,
            snapshot,
            channels,
            active,
            me=actor.user_id,
            include_subscribers=include_subscribers,
            hidden=_unseen(snapshot, actor, channels),
        )

    return svc.storage.read(read)


def subscription_shapes(
    svc: Services,
    snapshot: Snapshot,
    channels: Sequence[Channel],
    subscriptions: Mapping[ChannelId, Subscription],
    *,
    me: UserId,
    include_subscribers: IncludeSubscribers,
    hidden: Collection[UserId] = frozenset(),
) -> list[SubscriptionShape]:
    """The shapes of subscriptions, by name, with the same queries for any number of them."""
    traffic = snapshot.channels.weekly_traffic(channels, svc.now)
    asked = [c.id for c in channels if shapes.lists_subscribers(c, include_subscribers)]
    subscribers = snapshot.subscriptions.subscribers_of(asked) if asked else {}
    listed = []
    for channel in sorted(channels, key=lambda channel: rules.channel_key(channel.name)):
        shape = shapes.subscription_shape(
            channel,
            subscriptions[channel.id],
            now=svc.now,
            weekly_traffic=traffic[channel.id],
            hidden=hidden,
        )
        shapes.add_subscribers(shape, subscribers.get(channel.id), include_subscribers, me)
        listed.append(shape)
    return listed


# -- subscribing ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Wanted:
    """A channel to be subscribed to, made where it does not exist."""

    name: str
    description: str = ""
    color: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Creation:
    """What channels that have to be made are like."""

    invite_only: bool = False
    is_web_public: bool = False
    is_default_stream: bool = False
    history_public_to_subscribers: bool | None = None
    message_retention_days: int | None = None
    topics_policy: str = TopicsPolicy.INHERIT
    permissions: Mapping[str, GroupSetting] = field(default_factory=dict)
    announce: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Subscribe:
    """`principals` are ids or addresses; None is the actor alone, a list is exactly those in it."""

    channels: Sequence[Wanted]
    principals: Sequence[int] | Sequence[str] | None = None
    creation: Creation = field(default_factory=Creation)
    authorization_errors_fatal: bool = True
    send_new_subscription_messages: bool = True


@dataclass(frozen=True, slots=True)
class SubscribeResult:
    """Channel names by user, and the names of channels that the actor has no right to."""

    subscribed: Mapping[UserId, Sequence[str]]
    already_subscribed: Mapping[UserId, Sequence[str]]
    unauthorized: Sequence[str]
    new_subscription_messages_sent: bool


def subscribe(svc: Services, actor: Actor, cmd: Subscribe) -> SubscribeResult:
    """Subscribe people to channels, making those that do not exist; all of it or nothing.

    :raises BadRequest: a guest, no right to a channel, to make one or to add others, an unknown person
    """
    people = 1 if cmd.principals is None else len(cmd.principals)
    if len(cmd.channels) * people > svc.limits.max_subscriptions_per_request:
        limit = svc.limits.max_subscriptions_per_request
        raise BadRequest(f"Too many channels and people in one request (limit: {limit} subscriptions)")
    names = {rules.channel_key(wanted.name): wanted for wanted in cmd.channels}
    longest = svc.limits.max_channel_description_length  # a longer one is refused, if it is needed at all
    rendered = {key: render_description(svc, wanted.description[:longest]) for key, wanted in names.items()}

    def write(tx: Transaction) -> SubscribeResult:
        return _Subscribing(svc, tx, current(tx, actor, svc.now), cmd).run(names, rendered)

    return svc.storage.write(write)


def render_description(svc: Services, description: str) -> str:
    """A description as HTML; nothing in it is looked up, and nothing is shown below it."""
    options = Options(realm_url=svc.settings.external_url, previews=False)
    return render(parse(description.replace("\n", " "), options), Facts()).html


class _Subscribing:
    """One request to subscribe, in its unit of work."""

    def __init__(self, svc: Services, tx: Transaction, actor: Actor, cmd: Subscribe) -> None:
        self.svc = svc
        self.tx = tx
        self.actor = actor
        self.cmd = cmd
        self.organization = tx.organization.get()

    def run(self, names: Mapping[str, Wanted], rendered: Mapping[str, str]) -> SubscribeResult:
        if self.actor.is_guest:
            raise BadRequest("Not allowed for guest users")
        people = self._people()
        existing = self.tx.channels.by_names([wanted.name for wanted in names.values()])
        mine = self.tx.subscriptions.of_user(self.actor.user_id)
        allowed, unauthorized = [], []
        for key, wanted in names.items():
            if (channel := existing.get(key)) is None:
                continue
            usable = not channel.is_archived or channel.id in mine
            if usable and rules.has_content_access(channel, self.actor, subscribed=_active(mine, channel)):
                allowed.append((channel, wanted))
            else:
                unauthorized.append(wanted.name.strip())
        if unauthorized and self.cmd.authorization_errors_fatal:
            raise BadRequest(f"Unable to access channel ({', '.join(unauthorized)}).")
        self._require_may_add(people, [channel for channel, _ in allowed])
        if len(names) - len(existing) > self.svc.limits.max_new_channels_per_request:
            limit = self.svc.limits.max_new_channels_per_request
            raise BadRequest(f"Too many new channels in one request (limit: {limit})")
        created = [
            (self._create(wanted, rendered[key]), wanted)
            for key, wanted in names.items()
            if key not in existing
        ]
        new_ids = {channel.id for channel, _ in created}
        subscribed: dict[UserId, list[str]] = {}
        already: dict[UserId, list[str]] = {}
        added: dict[ChannelId, list[User]] = {}
        for channel, wanted in [*allowed, *created]:
            known = self.tx.subscriptions.subscribed_among(channel.id, [user.id for user in people])
            added[channel.id] = [user for user in people if user.id not in known]
            for user in people:
                lists = already if user.id in known else subscribed
                lists.setdefault(user.id, []).append(channel.name)
            self._start(channel, wanted, added[channel.id])
        channels = {channel.id: channel for channel, _ in [*allowed, *created]}
        self._announce(channels, new_ids, added)
        sent = self._send_notices(channels, new_ids, added)
        return SubscribeResult(subscribed, already, unauthorized, sent)

    def _people(self) -> list[User]:
        principals = self.cmd.principals
        if principals is None:
            return [self.tx.users.get(self.actor.user_id)]
        if len(principals) > self.svc.limits.max_ids_per_request:
            raise BadRequest("Too many principals")
        return principals_of(self.svc, self.tx, self.actor, principals)

    def _require_may_add(self, people: Sequence[User], channels: Sequence[Channel]) -> None:
        if all(user.id == self.actor.user_id for user in people):
            return
        if self.actor.role.is_administrator or self.organization.permits(
            "can_add_subscribers_group", self.actor
        ):
            return
        for channel in channels:
            if not rules.is_channel_admin(channel, self.actor) and not channel.permits(
                "can_add_subscribers_group", self.actor
            ):
                raise BadRequest("Insufficient permission")

    def _create(self, wanted: Wanted, rendered_description: str) -> Channel:
        creation = self.cmd.creation
        require_may_create(self.organization, self.actor, creation)
        permissions = {**rules.default_permissions(self.actor.user_id), **creation.permissions}
        for name, value in creation.permissions.items():
            check_group_setting(self.svc, self.tx, CHANNEL_PERMISSIONS[name], value)
        return self.tx.channels.add(
            {
                "name": rules.channel_name(wanted.name, self.svc.limits),
                "description": rules.channel_description(wanted.description, self.svc.limits),
                "rendered_description": rendered_description,
                "date_created": self.svc.now,
                "creator_id": self.actor.user_id,
                "message_retention_days": creation.message_retention_days,
                "topics_policy": creation.topics_policy,
                "permissions": permissions,
                **rules.privacy(
                    invite_only=creation.invite_only,
                    is_web_public=creation.is_web_public,
                    history_public_to_subscribers=creation.history_public_to_subscribers,
                ),
            }
        )

    def _start(self, channel: Channel, wanted: Wanted, users: Sequence[User]) -> None:
        if not users:
            return
        at = self.tx.draw()
        used = self.tx.subscriptions.colors([user.id for user in users])
        colors = {user.id: wanted.color or rules.pick_color(used.get(user.id, ())) for user in users}
        self.tx.subscriptions.start(channel.id, colors, at, read_to=at)

    def _announce(
        self,
        channels: Mapping[ChannelId, Channel],
        new_ids: Collection[ChannelId],
        added: Mapping[ChannelId, Sequence[User]],
    ) -> None:
        now_channels = self.tx.channels.by_ids(channels.keys())
        for channel_id, users in added.items():
            # As it was before, because who hears of the channel hears of its new subscribers next.
            created = ChannelsCreated(channels=(self._plain(channels[channel_id]),))
            if channel_id in new_ids:
                self.tx.announce(created, channel_viewers(now_channels[channel_id]))
            elif strangers := self._who_did_not_know(now_channels[channel_id], users):
                self.tx.announce(created, Users(strangers))
        traffic = self.tx.channels.weekly_traffic(list(now_channels.values()), self.svc.now)
        for channel_id, users in added.items():
            if users:
                channel = now_channels[channel_id]
                self._announce_subscribers(channel, traffic[channel_id], [user.id for user in users])

    def _plain(self, channel: Channel, weekly_traffic: int | None = None) -> dict[str, Any]:
        shape = shapes.channel_shape(
            channel,
            now=self.svc.now,
            weekly_traffic=weekly_traffic,
            hidden=deactivated_among(self.tx, channel.named_people),
        )
        plain: dict[str, Any] = msgspec.to_builtins(shape)
        return plain

    def _announce_subscribers(
        self, channel: Channel, weekly_traffic: int | None, user_ids: Sequence[UserId]
    ) -> None:
        """Tell the new subscribers of their channel, and the others who can see it of them."""
        mine = self.tx.subscriptions.among(channel.id, user_ids)
        self.tx.announce(
            Subscribed(
                channel=self._plain(channel, weekly_traffic),
                subscribers=tuple(self.tx.subscriptions.subscribers(channel.id)),
                personal={user_id: shapes.personal_fields(sub) for user_id, sub in mine.items()},
            ),
            Users(tuple(user_ids)),
        )
        self.tx.announce(
            PeersChanged(op="peer_add", channel_ids=(channel.id,), user_ids=tuple(user_ids)),
            channel_viewers(channel, without=user_ids),
        )

    def _who_did_not_know(self, channel: Channel, users: Sequence[User]) -> tuple[UserId, ...]:
        """Those of the new subscribers who could not see the channel before."""
        if not users or not (channel.invite_only or any(user.role == Role.GUEST for user in users)):
            return ()
        actors = self.tx.users.actors([user.id for user in users], self.svc.now)
        return tuple(
            user_id
            for user_id, actor in actors.items()
            if not rules.has_metadata_access(channel, actor, subscribed=False)
        )

    def _send_notices(
        self,
        channels: Mapping[ChannelId, Channel],
        new_ids: Collection[ChannelId],
        added: Mapping[ChannelId, Sequence[User]],
    ) -> bool:
        actor = self.tx.users.get(self.actor.user_id)
        for channel_id in channels:
            if channel_id in new_ids:
                notices.channel_created(self.svc, self.tx, channels[channel_id], actor)
                if self.cmd.creation.announce and not channels[channel_id].invite_only:
                    notices.announce_channel(self.svc, self.tx, channels[channel_id], actor)
        if not self.cmd.send_new_subscription_messages:
            return False
        told: dict[UserId, list[Channel]] = {}
        for channel_id, users in added.items():
            for user in users:
                if channel_id not in new_ids and user.id != actor.id and not user.is_bot:
                    told.setdefault(user.id, []).append(channels[channel_id])
        if len(told) > self.svc.limits.max_bulk_new_subscription_messages:
            return False
        for user_id, joined in told.items():
            notices.subscribed_by(self.svc, self.tx, user_id, actor, joined)
        return True


def require_may_create(organization: Organization, actor: Actor, creation: Creation) -> None:
    """Refuse a kind of channel that the actor may not make.

    :raises BadRequest: naming nothing but the missing permission
    """
    nobody = GroupSetting.of(SystemGroup.NOBODY)
    if creation.is_web_public:
        needed = "can_create_web_public_channel_group"
        if not organization.enable_spectator_access:
            raise BadRequest("Web-public channels are not enabled.")
    else:
        needed = (
            "can_create_private_channel_group" if creation.invite_only else "can_create_public_channel_group"
        )
    if not organization.permits(needed, actor):
        raise BadRequest("Insufficient permission")
    if creation.is_default_stream and creation.invite_only:
        raise BadRequest("A default channel cannot be private.")
    if creation.is_default_stream and not actor.role.is_administrator:
        raise BadRequest("Insufficient permission")
    if creation.message_retention_days is not None and actor.role != Role.OWNER:
        raise BadRequest("Must be an organization owner")
    if creation.topics_policy != TopicsPolicy.INHERIT and not organization.permits(
        "can_set_topics_policy_group", actor
    ):
        raise BadRequest("Insufficient permission")
    opens_deleting = any(
        creation.permissions.get(name, nobody).system_group != SystemGroup.NOBODY
        for name in ("can_delete_any_message_group", "can_delete_own_message_group")
    )
    if opens_deleting and not organization.permits("can_set_delete_message_policy_group", actor):
        raise BadRequest("Insufficient permission")


def principals_of(
    svc: Services, snapshot: Snapshot, actor: Actor, principals: Sequence[int] | Sequence[str]
) -> list[User]:
    """The people named by ids or addresses, each once.

    :raises BadRequest: somebody who is not there or deactivated
    """
    found: dict[UserId, User] = {}
    ids = [UserId(one) for one in principals if isinstance(one, int)]
    by_id = snapshot.users.by_ids(ids) if ids else {}
    names = NamesFor(svc, snapshot, actor)
    for one in principals:
        user = by_id.get(UserId(one)) if isinstance(one, int) else names.find_user(one)
        if user is None or not user.is_active:
            raise BadRequest(f"Invalid user ID: {one}" if isinstance(one, int) else f"Invalid email '{one}'")
        found[user.id] = user
    return list(found.values())


# -- unsubscribing ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class UnsubscribeResult:
    """Channel names, one for each person: who was subscribed, and who was not."""

    removed: Sequence[str]
    not_removed: Sequence[str]


def unsubscribe(
    svc: Services,
    actor: Actor,
    channel_names: Sequence[str],
    principals: Sequence[int] | Sequence[str] | None = None,
) -> UnsubscribeResult:
    """Take people out of channels; without *principals*, the actor.

    :raises BadRequest: an unknown channel or person, or no right to take others out
    """
    if max(len(channel_names), len(principals or ())) > svc.limits.max_ids_per_request:
        raise BadRequest("Too many channels or principals")

    def write(tx: Transaction) -> UnsubscribeResult:
        now_actor = current(tx, actor, svc.now)
        people = [tx.users.get(actor.user_id)]
        if principals is not None:
            people = principals_of(svc, tx, now_actor, principals)
        channels = _existing(tx, now_actor, channel_names)
        _require_may_remove(tx, now_actor, people, channels)
        removed, not_removed = [], []
        for channel in channels:
            leaving = tx.subscriptions.subscribed_among(channel.id, [user.id for user in people])
            removed += [channel.name] * len(leaving)
            not_removed += [channel.name] * (len(people) - len(leaving))
            if leaving:
                _leave(svc, tx, channel, leaving)
        return UnsubscribeResult(removed, not_removed)

    return svc.storage.write(write)


def _existing(tx: Transaction, actor: Actor, channel_names: Sequence[str]) -> list[Channel]:
    """The channels with these names, all of which the actor must be able to see."""
    found = tx.channels.by_names(channel_names)
    mine = tx.subscriptions.of_user(actor.user_id)
    visible = {
        key
        for key, channel in found.items()
        if rules.has_metadata_access(channel, actor, subscribed=_active(mine, channel))
    }
    missing = [name for name in channel_names if rules.channel_key(name) not in visible]
    if missing:
        raise BadRequest(f"Channel(s) ({', '.join(missing)}) do not exist")
    return [found[key] for key in dict.fromkeys(map(rules.channel_key, channel_names))]


def _require_may_remove(
    tx: Transaction, actor: Actor, people: Sequence[User], channels: Sequence[Channel]
) -> None:
    if all(actor.user_id in (user.id, user.bot_owner_id) for user in people):
        return
    mine = tx.subscriptions.of_user(actor.user_id)
    for channel in channels:
        if not rules.may_remove_subscribers(channel, actor, subscribed=_active(mine, channel)):
            raise BadRequest("Insufficient permission")


def _leave(svc: Services, tx: Transaction, channel: Channel, user_ids: Collection[UserId]) -> None:
    leaving = tuple(sorted(user_ids))
    at = tx.draw()
    tx.subscriptions.end(channel.id, leaving, at)
    actors = tx.users.actors(leaving, svc.now)
    tx.announce(Unsubscribed(channels=((channel.id, channel.name),)), Users(leaving))
    strangers = tuple(
        user_id
        for user_id, one in actors.items()
        if not rules.has_metadata_access(channel, one, subscribed=False)
    )
    if strangers:
        tx.announce(ChannelsDeleted(channel_ids=(channel.id,)), Users(strangers))
    tx.announce(
        PeersChanged(op="peer_remove", channel_ids=(channel.id,), user_ids=leaving),
        channel_viewers(channel, without=leaving),
    )
