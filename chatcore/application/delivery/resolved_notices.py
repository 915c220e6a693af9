"""The users for whom a notice about a resolved or unresolved topic is unread."""

from chatcore.domain.channels.channels import Channel
from chatcore.domain.ids import UserId
from chatcore.domain.people.setting_values import resolved_notice_is_unread, value
from chatcore.domain.people.settings import DEFAULTS, RESOLVED_NOTICES
from chatcore.domain.topics import VisibilityPolicy, topic_key
from chatcore.storage import Snapshot


def who_has_it_unread(
    snapshot: Snapshot, channel: Channel, topic: str, sender_id: UserId
) -> frozenset[UserId]:
    """Return the subscribers for whom the notice in *topic*, by its present name, is unread.

    They are few, since by default only followers of the topic are among them. Users who have muted the sender
    never are.
    """
    visibility = snapshot.topic_policies.of_topic(channel.id, topic_key(topic))
    followers = {user_id for user_id, policy in visibility.items() if policy == VisibilityPolicy.FOLLOWED}
    chosen = dict.fromkeys(followers, DEFAULTS[RESOLVED_NOTICES])
    users = snapshot.users.by_ids(snapshot.subscriptions.having_set(channel.id, RESOLVED_NOTICES))
    chosen |= {user.id: value(user, RESOLVED_NOTICES) for user in users.values()}
    unread = {
        user_id
        for user_id, policy in chosen.items()
        if resolved_notice_is_unread(policy, follows=user_id in followers)
    }
    unread -= snapshot.muted_users.who_muted(sender_id)
    return snapshot.subscriptions.subscribed_among(channel.id, unread)
