"""What a person sets for a topic: to mute, unmute or follow it."""

from collections.abc import Collection, Mapping

from chatcore.application.channel_sight import announce_muted_topics, concerned
from chatcore.application.gather import current
from chatcore.application.services import Services
from chatcore.domain.channels import Channel, has_content_access
from chatcore.domain.errors import BadRequest, invalid_channel
from chatcore.domain.groups import Actor
from chatcore.domain.ids import UserId
from chatcore.domain.topics import VisibilityPolicy, topic_in_setting, topic_key
from chatcore.events.audience import Users
from chatcore.events.types import TopicPolicyChanged
from chatcore.storage import Transaction


def set_visibility_policy(svc: Services, actor: Actor, channel_id: int, topic: str, policy: int) -> None:
    """Set the actor's policy for a topic, which need not have any messages; the same one again is no change.

    A policy can be taken back where the channel is no longer the actor's to read.

    :raises BadRequest: no such policy, a topic outside the rules, no such channel for the actor, or too many
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
        new = VisibilityPolicy(policy)
        if new != old and not set_topic_policy(svc, tx, actor.user_id, found, name, new):
            most = svc.limits.max_topic_policies_per_user
            raise BadRequest(f"You cannot set a policy for more than {most} topics.")

    svc.storage.write(write)


def set_topic_policy(
    svc: Services,
    tx: Transaction,
    user_id: UserId,
    channel: Channel,
    topic: str,
    policy: VisibilityPolicy,
) -> bool:
    """Set and announce a person's policy for a topic; whether it was, as for many (`set_topic_policies`)."""
    before = tx.topic_policies.among(channel.id, topic_key(topic), [user_id])
    return user_id in set_topic_policies(svc, tx, channel, topic, {user_id: policy}, before)


def set_topic_policies(
    svc: Services,
    tx: Transaction,
    channel: Channel,
    topic: str,
    policies: Mapping[UserId, VisibilityPolicy],
    before: Mapping[UserId, VisibilityPolicy],
) -> Collection[UserId]:
    """Set and announce what any number of people have for a topic, which was *before*.

    An event for each policy, whoever has it. Older clients get their list of muted topics first. Nothing is
    set for who has as many as there may be; the others are returned.
    """
    none = VisibilityPolicy.INHERIT
    more = [one for one, new in policies.items() if new != none and before.get(one, none) == none]
    counts = tx.topic_policies.counts(more) if more else {}
    full = {one for one, count in counts.items() if count >= svc.limits.max_topic_policies_per_user}
    policies = {one: new for one, new in policies.items() if one not in full}
    tx.topic_policies.put(channel.id, topic, policies, svc.now)
    muted = VisibilityPolicy.MUTED
    announce_muted_topics(tx, [one for one, new in policies.items() if muted in (new, before.get(one))])
    for policy in VisibilityPolicy:
        if user_ids := sorted(one for one, new in policies.items() if new == policy):
            changed = TopicPolicyChanged(
                channel_id=channel.id,
                topic=topic,
                last_updated=svc.now,
                visibility_policy=int(policy),
                knows_archived=concerned(channel),
            )
            tx.announce(changed, Users(tuple(user_ids)))
    return policies.keys()
