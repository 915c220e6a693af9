"""Personal policies for topics: muted, unmuted or followed."""

from chatcore.application.delivery.topic_policies import set_topic_policy
from chatcore.application.services import Services
from chatcore.application.units import refresh_actor
from chatcore.domain.channels.channels import Channel, has_content_access
from chatcore.domain.errors import BadRequest, invalid_channel
from chatcore.domain.groups.actors import Actor
from chatcore.domain.topics import VisibilityPolicy, topic_in_setting, topic_key
from chatcore.storage import Transaction


def set_visibility_policy(svc: Services, actor: Actor, channel_id: int, topic: str, policy: int) -> None:
    """Set the actor's policy for a topic, which need not have any messages. Setting the same policy again is
    no change.

    A policy can be removed even if the actor may no longer read the channel.

    :raises BadRequest: no such policy, an invalid topic, no such channel for the actor, or too many policies
    """
    if policy not in set(VisibilityPolicy):
        raise BadRequest("Invalid visibility_policy")

    def write(tx: Transaction) -> None:
        me = refresh_actor(tx, actor, svc.now)
        name = _topic(svc, tx, topic)
        found = tx.channels.find(channel_id)
        if found is None:
            raise invalid_channel()
        _set(svc, tx, me, found, name, VisibilityPolicy(policy), named=channel_id)

    svc.storage.write(write)


def mute_topic(svc: Services, actor: Actor, named: int | str, topic: str, *, muted: bool) -> None:
    """Mute a topic of a channel with an id or a name, or end that. Ending it changes no other policy.

    :raises BadRequest: an invalid topic, no such channel for the actor, or too many policies
    """

    def write(tx: Transaction) -> None:
        me = refresh_actor(tx, actor, svc.now)
        name = _topic(svc, tx, topic)
        found = tx.channels.find_by_name(named) if isinstance(named, str) else tx.channels.find(named)
        if found is None:
            raise invalid_channel(named)
        policy = VisibilityPolicy.MUTED
        if not muted:
            old = tx.topic_policies.find(me.user_id, found.id, topic_key(name))
            policy = VisibilityPolicy.INHERIT if old == VisibilityPolicy.MUTED else old
        _set(svc, tx, me, found, name, policy, named=named)

    svc.storage.write(write)


def _topic(svc: Services, tx: Transaction, topic: str) -> str:
    return topic_in_setting(
        topic, empty_display_name=tx.organization.get().empty_topic_display_name, limits=svc.limits
    )


def _set(
    svc: Services,
    tx: Transaction,
    actor: Actor,
    channel: Channel,
    topic: str,
    policy: VisibilityPolicy,
    *,
    named: int | str,
) -> None:
    """Set a policy, unless it is the present one. *named* is how the actor named the channel.

    :raises BadRequest: a new policy for a channel that the actor may not read, or too many policies
    """
    old = tx.topic_policies.find(actor.user_id, channel.id, topic_key(topic))
    removes_policy = policy == VisibilityPolicy.INHERIT and old != VisibilityPolicy.INHERIT
    if not removes_policy:
        subscribed = bool(tx.subscriptions.subscribed_among(channel.id, [actor.user_id]))
        if not has_content_access(channel, actor, subscribed=subscribed):
            raise invalid_channel(named)
    if policy != old and not set_topic_policy(svc, tx, actor.user_id, channel, topic, policy):
        most = svc.limits.max_topic_policies_per_user
        raise BadRequest(f"You cannot set a policy for more than {most} topics.")
