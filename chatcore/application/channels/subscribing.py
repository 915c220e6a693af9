"""Subscribing people to channels, which are created if they do not exist."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from chatcore.application.channels import defaults, joining
from chatcore.application.channels.subscription_plans import Subscribe, SubscriptionPlan, WantedChannel, plan
from chatcore.application.daily_use import count_daily_use
from chatcore.application.delivery import notices
from chatcore.application.delivery.rendering import render_alone
from chatcore.application.services import Services
from chatcore.application.units import Unit, unit_of_work
from chatcore.application.visibility.channel_changes import (
    announce_topic_policies,
    plain_shapes,
    requires_archived,
)
from chatcore.application.visibility.people_changes import GuestVisibility
from chatcore.domain.channels import channels as rules
from chatcore.domain.channels.channels import Channel
from chatcore.domain.errors import BadRequest
from chatcore.domain.groups.actors import Actor
from chatcore.domain.ids import ChannelId, FolderId, UserId
from chatcore.domain.organization.audit import AuditKind
from chatcore.domain.people.daily_use import Daily
from chatcore.events.audience import Users, channel_viewers
from chatcore.events.happened import ChannelsCreated
from chatcore.storage.channels.channels import NewChannel


@dataclass(frozen=True, slots=True)
class SubscribeResult:
    """Channel names by user, and the names of channels that the actor has no permission for."""

    subscribed: Mapping[UserId, Sequence[str]]
    already_subscribed: Mapping[UserId, Sequence[str]]
    unauthorized: Sequence[str]
    new_subscription_messages_sent: bool
    created: Sequence[ChannelId]


def subscribe(svc: Services, actor: Actor, cmd: Subscribe) -> SubscribeResult:
    """Subscribe people to channels, and create those that do not exist: all requested changes, or none.

    :raises BadRequest: a guest, an unknown person, or no permission for a channel, to create one or to add
        others
    :raises InvalidParameter: the properties of new channels are invalid
    :raises ChannelAlreadyExists: a channel exists, and all have to be new
    :raises RateLimited: more channels than the actor may create on one day, or too many returns of one person
    """
    return subscribe_prepared(svc, actor, cmd, prepare(svc, actor, cmd))


def prepare(svc: Services, actor: Actor, cmd: Subscribe) -> Mapping[str, str]:
    """Check the request, and return the HTML of the descriptions of channels to create, by their text.

    :raises BadRequest: the request is refused
    """
    # Check before rendering, and render outside the unit of work, so that writers do not wait for it.
    descriptions = [wanted.description for wanted in plan(svc, actor, cmd).missing]
    return render_alone(svc, descriptions)


@unit_of_work
def subscribe_prepared(unit: Unit, me: Actor, cmd: Subscribe, rendered: Mapping[str, str]) -> SubscribeResult:
    """Subscribe people as `subscribe` does, with the result of `prepare`."""
    return _Subscribing(unit, me, cmd).run(plan.within(unit, me, cmd), rendered)


class _Subscribing:
    """One request to subscribe, in its unit of work.

    Its methods share three values: *channels*, those that the request names, as they were before anybody was
    subscribed; *new_ids*, those of them that did not exist; *added*, the new subscribers of each.
    """

    def __init__(self, unit: Unit, actor: Actor, cmd: Subscribe) -> None:
        self.unit, self.tx = unit, unit.tx
        self.actor = actor
        self.cmd = cmd

    def run(self, plan: SubscriptionPlan, rendered: Mapping[str, str]) -> SubscribeResult:
        if plan.missing:
            count_daily_use(self.unit, self.actor, Daily.CHANNELS, len(plan.missing))
        created = self.tx.channels.add_many([self._new_channel(wanted, rendered) for wanted in plan.missing])
        user_ids = [user.id for user in plan.people]
        guest_visibility = GuestVisibility(self.unit, user_ids, [channel.id for channel, _ in plan.allowed])
        for channel in created:
            self.unit.record(AuditKind.CHANNEL_CREATED, channel.id, after=_audited_facts(channel))
        requested = [*plan.allowed, *zip(created, plan.missing, strict=True)]
        colors = {channel.id: wanted.color for channel, wanted in requested}
        added = joining.start(self.unit, plan.people, colors)
        for channel_id, users in added.items():
            others = [user.id for user in users if user.id != self.actor.user_id]
            if others:
                self.unit.record(AuditKind.OTHERS_SUBSCRIBED, channel_id, after={"user_ids": others})
        guest_visibility.announce()
        channels = {channel.id: channel for channel, _ in requested}
        new_ids = frozenset(channel.id for channel in created)
        self._announce(channels, new_ids, added)
        if self.cmd.creation.is_default_stream:
            defaults.include(self.unit, *created)
        sent = self._send_notices(channels, new_ids, added)
        subscribed: dict[UserId, list[str]] = {}
        already: dict[UserId, list[str]] = {}
        for channel in channels.values():
            added_ids = {user.id for user in added[channel.id]}
            for user_id in user_ids:
                names_by_user = subscribed if user_id in added_ids else already
                names_by_user.setdefault(user_id, []).append(channel.name)
        ids = [channel.id for channel in created]
        return SubscribeResult(subscribed, already, plan.unauthorized, sent, ids)

    def _new_channel(self, wanted: WantedChannel, rendered: Mapping[str, str]) -> NewChannel:
        if wanted.description not in rendered:  # the channel existed when `prepare` ran
            raise BadRequest(f"Unable to access channel ({wanted.name}).")
        creation = self.cmd.creation
        privacy = creation.privacy
        return {
            "name": wanted.name,
            "description": wanted.description,
            "rendered_description": rendered[wanted.description],
            "date_created": self.unit.now,
            "creator_id": self.actor.user_id,
            "message_retention_days": creation.message_retention_days,
            "topics_policy": creation.topics_policy,
            "folder_id": None if creation.folder_id is None else FolderId(creation.folder_id),
            "permissions": {**rules.default_permissions(self.actor.user_id), **creation.permissions},
            "invite_only": privacy["invite_only"],
            "is_web_public": privacy["is_web_public"],
            "history_public_to_subscribers": privacy["history_public_to_subscribers"],
        }

    def _announce(
        self,
        channels: Mapping[ChannelId, Channel],
        new_ids: Collection[ChannelId],
        added: joining.Newcomers,
    ) -> None:
        """Announce new channels, and existing ones to new subscribers who did not know of them; then the new
        subscribers.
        """
        strangers = self._who_did_not_know(channels, new_ids, added)
        to_announce = {*new_ids, *strangers}
        # `channels` has the numbers of subscribers from before: clients add the new ones by the events about
        # them, which follow.
        announced = [channels[channel_id] for channel_id in added if channel_id in to_announce]
        shapes = plain_shapes(self.unit, announced)
        for channel in announced:
            unaware = strangers.get(channel.id)
            self.tx.announce(
                ChannelsCreated(channels=(shapes[channel.id],)),
                channel_viewers(channel) if unaware is None else Users(unaware),
            )
        now_channels = self.tx.channels.by_ids(added)
        joining.announce_newcomers(self.unit, [now_channels[channel_id] for channel_id in added], added)
        if strangers:
            knows_archived = {
                channel_id: requires_archived(now_channels[channel_id]) for channel_id in strangers
            }
            announce_topic_policies(self.tx, strangers, knows_archived)

    def _who_did_not_know(
        self, channels: Mapping[ChannelId, Channel], new_ids: Collection[ChannelId], added: joining.Newcomers
    ) -> Mapping[ChannelId, tuple[UserId, ...]]:
        """Return the new subscribers of existing channels who could not see these before."""
        joined = {channel_id: users for channel_id, users in added.items() if channel_id not in new_ids}
        people = {user.id for users in joined.values() for user in users}
        actors = self.tx.users.actors(people, self.unit.now) if people else {}
        strangers = {
            channel_id: tuple(
                user.id
                for user in users
                if not rules.has_metadata_access(channels[channel_id], actors[user.id], subscribed=False)
            )
            for channel_id, users in joined.items()
        }
        return {channel_id: unaware for channel_id, unaware in strangers.items() if unaware}

    def _send_notices(
        self,
        channels: Mapping[ChannelId, Channel],
        new_ids: Collection[ChannelId],
        added: joining.Newcomers,
    ) -> bool:
        """Send the notices about new channels, and direct messages to those whom the actor has subscribed;
        return whether direct messages were sent.
        """
        actor = self.tx.users.get(self.actor.user_id)
        for channel_id, channel in channels.items():
            if channel_id in new_ids:
                notices.tell_who_created(self.unit, channel, actor)
                if self.cmd.creation.announce and not channel.invite_only:
                    notices.tell_of_new_channel(self.unit, channel, actor)
        if not self.cmd.send_new_subscription_messages:
            return False
        added_by_user: dict[UserId, list[Channel]] = {}
        for channel_id, users in added.items():
            for user in users:
                if channel_id not in new_ids and user.id != actor.id and not user.is_bot:
                    added_by_user.setdefault(user.id, []).append(channels[channel_id])
        if len(added_by_user) > self.unit.limits.max_bulk_new_subscription_messages:
            return False
        for user_id, joined in added_by_user.items():
            notices.tell_of_subscriptions(self.unit, user_id, actor, joined)
        return True


def _audited_facts(channel: Channel) -> Mapping[str, object]:
    """Return what the audit log has of a new channel."""
    keys = ("name", "invite_only", "is_web_public", "history_public_to_subscribers", "message_retention_days")
    return {**{key: getattr(channel, key) for key in keys}, **channel.permissions}
