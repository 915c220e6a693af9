"""Storing topic policies of users, and notifying their clients."""

from collections.abc import Collection, Mapping

from chatcore.application.units import Unit
from chatcore.application.visibility.channel_changes import announce_muted_topics, requires_archived
from chatcore.domain.channels.channels import Channel
from chatcore.domain.ids import UserId
from chatcore.domain.topics import VisibilityPolicy, topic_key
from chatcore.events.audience import Users
from chatcore.events.happened import TopicPolicyChanged


def set_topic_policy(
    unit: Unit,
    user_id: UserId,
    channel: Channel,
    topic: str,
    policy: VisibilityPolicy,
) -> bool:
    """Set and announce a person's policy for a topic; return whether it was set (see
    `set_topic_policies`).
    """
    before = unit.tx.topic_policies.among(channel.id, topic_key(topic), [user_id])
    return user_id in set_topic_policies(unit, channel, topic, {user_id: policy}, before)


def set_topic_policies(
    unit: Unit,
    channel: Channel,
    topic: str,
    policies: Mapping[UserId, VisibilityPolicy],
    before: Mapping[UserId, VisibilityPolicy],
) -> Collection[UserId]:
    """Set and announce the policies of any number of people for a topic; *before* has the previous ones.

    Each policy has its own event for all its holders. Older clients receive their list of muted topics first.
    Users who would exceed the maximum number of policies are skipped; the others are returned.
    """
    none = VisibilityPolicy.INHERIT
    more = [one for one, new in policies.items() if new != none and before.get(one, none) == none]
    counts = unit.tx.topic_policies.counts(more) if more else {}
    full = {one for one, count in counts.items() if count >= unit.limits.max_topic_policies_per_user}
    policies = {one: new for one, new in policies.items() if one not in full}
    unit.tx.topic_policies.put(channel.id, topic, policies, unit.now)
    muted = VisibilityPolicy.MUTED
    announce_muted_topics(unit.tx, [one for one, new in policies.items() if muted in (new, before.get(one))])
    for policy in VisibilityPolicy:
        if user_ids := sorted(one for one, new in policies.items() if new == policy):
            changed = TopicPolicyChanged(
                channel_id=channel.id,
                topic=topic,
                last_updated=unit.now,
                visibility_policy=int(policy),
                knows_archived=requires_archived(channel),
            )
            unit.tx.announce(changed, Users(tuple(user_ids)))
    return policies.keys()
