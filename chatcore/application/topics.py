"""What a person sets for a topic: to mute, unmute or follow it."""

from chatcore.application.gather import current
from chatcore.application.services import Services
from chatcore.domain.channels import has_content_access, has_metadata_access
from chatcore.domain.errors import BadRequest, invalid_channel
from chatcore.domain.groups import Actor
from chatcore.domain.ids import ChannelId, UserId
from chatcore.domain.topics import VisibilityPolicy, topic_in_setting, topic_key
from chatcore.events.audience import Users
from chatcore.events.types import MutedTopicsChanged, TopicPolicyChanged
from chatcore.storage import Snapshot, Transaction


def set_visibility_policy(svc: Services, actor: Actor, channel_id: int, topic: str, policy: int) -> None:
    """Set the actor's policy for a topic, which need not have any messages; the same one again is no change.

    A policy can be taken back where the channel is no longer the actor's to read.

    :raises BadRequest: no such policy, a topic outside the rules, or no such channel for the actor
    """
    if policy not in set(VisibilityPolicy):
        raise BadRequest("Invalid visibility_policy")

    def write(tx: Transaction) -> None:
        now_actor = current(tx, actor, svc.now)
        name = topic_in_setting(
            topic,
            empty_display_name=tx.organization.get().empty_topic_display_name,
            limits=svc.limits,
        )
        found = tx.channels.find(channel_id)
        if found is None:
            raise invalid_channel()
        old = tx.topic_policies.find(actor.user_id, found.id, topic_key(name))
        takes_back = policy == VisibilityPolicy.INHERIT != old
        if not takes_back:
            subscribed = bool(tx.subscriptions.subscribed_among(found.id, [actor.user_id]))
            if not has_content_access(found, now_actor, subscribed=subscribed):
                raise invalid_channel()
        if policy != old:
            set_topic_policy(svc, tx, actor.user_id, found.id, name, VisibilityPolicy(policy))

    svc.storage.write(write)


def set_topic_policy(
    svc: Services,
    tx: Transaction,
    user_id: UserId,
    channel_id: ChannelId,
    topic: str,
    policy: VisibilityPolicy,
) -> None:
    """Set and announce a person's policy for a topic; older clients get their list of muted topics first."""
    old = tx.topic_policies.find(user_id, channel_id, topic_key(topic))
    tx.topic_policies.put(user_id, channel_id, topic, policy, svc.now)
    if VisibilityPolicy.MUTED in (old, policy):
        tx.announce(MutedTopicsChanged(muted_topics=muted_topics(svc, tx, user_id)), Users((user_id,)))
    tx.announce(
        TopicPolicyChanged(
            channel_id=channel_id, topic=topic, last_updated=svc.now, visibility_policy=int(policy)
        ),
        Users((user_id,)),
    )


def muted_topics(svc: Services, snapshot: Snapshot, user_id: UserId) -> tuple[tuple[str, str, int], ...]:
    """The muted topics as older clients read them: channel name, topic, and when it was muted; only of
    channels that the user still sees.
    """
    muted = {
        channel_and_key: (topic, updated)
        for channel_and_key, (topic, policy, updated) in snapshot.topic_policies.of_user(user_id).items()
        if policy == VisibilityPolicy.MUTED
    }
    if not muted:
        return ()
    actor = snapshot.users.actors([user_id], svc.now).get(user_id)
    mine = snapshot.subscriptions.of_user(user_id)
    names = {
        channel.id: channel.name
        for channel in snapshot.channels.by_ids({channel_id for channel_id, _ in muted}).values()
        if has_metadata_access(channel, actor, subscribed=channel.id in mine and mine[channel.id].active)
    }
    return tuple(
        (names[channel_id], topic, updated)
        for (channel_id, _), (topic, updated) in muted.items()
        if channel_id in names
    )
