"""Subscribing people to channels, which are made where they do not exist."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec

from chatcore.application import notices
from chatcore.application.accessible import deactivated_among
from chatcore.application.channel_creation import Creation, render_description, require_may_create
from chatcore.application.channel_sight import announce_topic_policies
from chatcore.application.channels import is_subscribed
from chatcore.application.gather import current
from chatcore.application.group_settings import check_group_setting
from chatcore.application.names import NamesFor
from chatcore.application.people_sight import GuestsSight
from chatcore.application.services import Services
from chatcore.domain import channels as rules
from chatcore.domain.channels import Channel
from chatcore.domain.errors import BadRequest
from chatcore.domain.groups import CHANNEL_PERMISSIONS, Actor
from chatcore.domain.ids import ChannelId, UserId
from chatcore.domain.roles import Role
from chatcore.domain.user_settings import channel_notification_defaults
from chatcore.domain.users import User
from chatcore.events.audience import Users, channel_viewers
from chatcore.events.shapes.channels import channel_shape, personal_fields
from chatcore.events.types import ChannelsCreated, PeersChanged, Subscribed
from chatcore.storage import Snapshot, Transaction


@dataclass(frozen=True, slots=True)
class Wanted:
    """A channel to be subscribed to, made where it does not exist."""

    name: str
    description: str = ""
    color: str | None = None


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
            if usable and rules.has_content_access(
                channel, self.actor, subscribed=is_subscribed(mine, channel)
            ):
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
        sight = GuestsSight(
            self.svc, self.tx, [user.id for user in people], [channel.id for channel, _ in allowed]
        )
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
        sight.announce()
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
        strangers: dict[ChannelId, tuple[UserId, ...]] = {}
        for channel_id, users in added.items():
            # As it was before, because who hears of the channel hears of its new subscribers next.
            created = ChannelsCreated(channels=(self._plain(channels[channel_id]),))
            if channel_id in new_ids:
                self.tx.announce(created, channel_viewers(now_channels[channel_id]))
            elif unaware := self._who_did_not_know(now_channels[channel_id], users):
                strangers[channel_id] = unaware
                self.tx.announce(created, Users(unaware))
        traffic = self.tx.channels.weekly_traffic(list(now_channels.values()), self.svc.now)
        for channel_id, users in added.items():
            if users:
                channel = now_channels[channel_id]
                self._announce_subscribers(channel, traffic[channel_id], users)
        for channel_id, user_ids in strangers.items():
            announce_topic_policies(self.svc, self.tx, [channel_id], user_ids)

    def _plain(self, channel: Channel, weekly_traffic: int | None = None) -> dict[str, Any]:
        shape = channel_shape(
            channel,
            now=self.svc.now,
            weekly_traffic=weekly_traffic,
            hidden=deactivated_among(self.tx, channel.named_people),
        )
        plain: dict[str, Any] = msgspec.to_builtins(shape)
        return plain

    def _announce_subscribers(
        self, channel: Channel, weekly_traffic: int | None, users: Sequence[User]
    ) -> None:
        """Tell the new subscribers of their channel, and the others who can see it of them."""
        user_ids = [user.id for user in users]
        mine = self.tx.subscriptions.among(channel.id, user_ids)
        self.tx.announce(
            Subscribed(
                channel=self._plain(channel, weekly_traffic),
                subscribers=tuple(self.tx.subscriptions.subscribers(channel.id)),
                personal={user_id: personal_fields(sub) for user_id, sub in mine.items()},
                notification_defaults={user.id: channel_notification_defaults(user) for user in users},
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
