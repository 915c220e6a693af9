"""Setting topic policies of users, also by their settings, and notifying their clients."""

from collections.abc import Collection, Mapping

from chatcore.application.delivery.checked_messages import CheckedMessage
from chatcore.application.units import Unit, View
from chatcore.application.visibility.channel_changes import announce_muted_topics, requires_archived
from chatcore.domain.channels.channels import Channel, is_subscribed
from chatcore.domain.ids import UserId
from chatcore.domain.messages.flags import Flag
from chatcore.domain.messages.recipients import ChannelRecipient
from chatcore.domain.people.automatic_policies import (
    policy_by_mention,
    policy_by_taking_part,
    policy_changing_actions,
)
from chatcore.domain.people.settings import AutomaticPolicy
from chatcore.domain.people.users import User
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
    inherit = VisibilityPolicy.INHERIT  # the absence of a policy: only from it to another is one more stored
    with_one_more = [
        user_id
        for user_id, new in policies.items()
        if new != inherit and before.get(user_id, inherit) == inherit
    ]
    counts = unit.tx.topic_policies.counts(with_one_more) if with_one_more else {}
    full = {user_id for user_id, count in counts.items() if count >= unit.limits.max_topic_policies_per_user}
    policies = {user_id: new for user_id, new in policies.items() if user_id not in full}
    unit.tx.topic_policies.put(channel.id, topic, policies, unit.now)
    muted = VisibilityPolicy.MUTED
    muters = [user_id for user_id, new in policies.items() if muted in (new, before.get(user_id))]
    announce_muted_topics(unit.tx, muters)
    for policy in VisibilityPolicy:
        user_ids = sorted(user_id for user_id, new in policies.items() if new == policy)
        if user_ids:
            changed = TopicPolicyChanged(
                channel_id=channel.id,
                topic=topic,
                last_updated=unit.now,
                visibility_policy=int(policy),
                knows_archived=requires_archived(channel),
            )
            unit.tx.announce(changed, Users(tuple(user_ids)))
    return policies.keys()


def set_policies_by_settings(
    unit: Unit, checked: CheckedMessage, flags: Mapping[UserId, Flag]
) -> VisibilityPolicy | None:
    """Follow or unmute the topic of a new message, for its sender and for the mentioned whose settings say
    so; return the sender's new policy, if it changed.
    """
    sender, channel, recipient = checked.sender, checked.channel, checked.recipient
    if channel is None or not isinstance(recipient, ChannelRecipient):
        return None
    mentioned = {user_id for user_id, theirs in flags.items() if theirs & Flag.MENTIONED}
    key = topic_key(recipient.topic)
    inherit = VisibilityPolicy.INHERIT
    before = unit.tx.topic_policies.among(channel.id, key, {sender.id, *mentioned})
    of_sender = _policy_by_sending(unit, sender, channel, key, before.get(sender.id, inherit))
    changed = {} if of_sender is None else {sender.id: of_sender}
    others = mentioned - changed.keys()
    users = unit.tx.users.by_ids(others).values() if others else ()
    for user in users:
        policy = policy_by_mention(user, before.get(user.id, inherit))
        if policy is not None:
            changed[user.id] = policy
    if not changed:
        return None
    not_skipped = set_topic_policies(unit, channel, recipient.topic, changed, before)
    return of_sender if sender.id in not_skipped else None


def _policy_by_sending(
    view: View, sender: User, channel: Channel, key: str, old: VisibilityPolicy
) -> VisibilityPolicy | None:
    """Return the policy that the sender's settings prescribe for a topic after sending, if it is another."""
    wanted = policy_changing_actions(sender)
    if sender.is_bot or old == VisibilityPolicy.FOLLOWED or not wanted:
        return None
    subscription = view.snapshot.subscriptions.find(sender.id, channel.id)
    done = {AutomaticPolicy.PARTICIPATED, AutomaticPolicy.SENT}
    if old == VisibilityPolicy.INHERIT and AutomaticPolicy.STARTED in wanted:
        received_by = None if channel.history_public_to_subscribers else sender.id
        if view.snapshot.messages.newest_in_topic(channel.id, key, received_by) is None:
            done.add(AutomaticPolicy.STARTED)
    is_muted = subscription is not None and is_subscribed(subscription) and subscription.is_muted
    return policy_by_taking_part(sender, old, done, is_muted=is_muted)
