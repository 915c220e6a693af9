"""Personal policies for topics: muted, unmuted or followed."""

from typing import Annotated

from chatcore.application.arguments import ChannelNumber, about
from chatcore.application.delivery.topic_policies import set_topic_policy
from chatcore.application.services import Services
from chatcore.application.units import Unit, View, unit_of_work
from chatcore.application.visibility.known_channels import find_channel
from chatcore.domain.channels.channels import Channel, has_content_access
from chatcore.domain.errors import BadRequest, invalid_channel
from chatcore.domain.groups.actors import Actor
from chatcore.domain.topics import VisibilityPolicy, read_topic, topic_in_setting, topic_key


def set_visibility_policy(
    svc: Services,
    actor: Actor,
    channel_id: ChannelNumber,
    topic: Annotated[str, about("The topic.")],
    policy: Annotated[int, about("0 none, 1 muted, 2 unmuted, 3 followed.", 0, 1, 2, 3)],
) -> None:
    """Mute, unmute or follow a topic, or remove the policy for it.

    :raises BadRequest: no such policy, an invalid topic, no such channel for the actor, or too many policies
    """
    if policy not in set(VisibilityPolicy):
        raise BadRequest("Invalid visibility_policy")
    topic = topic_in_setting(topic, limits=svc.limits)
    _store_policy(svc, actor, channel_id, topic, VisibilityPolicy(policy))


@unit_of_work
def _store_policy(unit: Unit, me: Actor, channel_id: int, topic: str, policy: VisibilityPolicy) -> None:
    name = _stored_topic(unit, topic)
    channel = unit.tx.channels.find(channel_id)
    if channel is None:
        raise invalid_channel()
    _set_policy(unit, me, channel, name, policy, named=channel_id)


def mute_topic(svc: Services, actor: Actor, named: int | str, topic: str, *, muted: bool) -> None:
    """Mute a topic of a channel with an id or a name, or end that. Ending it changes no other policy.

    :raises BadRequest: an invalid topic, no such channel for the actor, or too many policies
    """
    _store_muted(svc, actor, named, topic_in_setting(topic, limits=svc.limits), muted=muted)


@unit_of_work
def _store_muted(unit: Unit, me: Actor, named: int | str, topic: str, *, muted: bool) -> None:
    name = _stored_topic(unit, topic)
    channel = find_channel(unit.tx, named)
    if channel is None:
        raise invalid_channel(named)
    policy = VisibilityPolicy.MUTED
    if not muted:
        old = unit.tx.topic_policies.find(me.user_id, channel.id, topic_key(name))
        policy = VisibilityPolicy.INHERIT if old == VisibilityPolicy.MUTED else old
    _set_policy(unit, me, channel, name, policy, named=named)


def _stored_topic(view: View, topic: str) -> str:
    return read_topic(topic, view.snapshot.organization.get().empty_topic_display_name)


def _set_policy(
    unit: Unit,
    actor: Actor,
    channel: Channel,
    topic: str,
    policy: VisibilityPolicy,
    *,
    named: int | str,
) -> None:
    """Set a policy, unless it is the present one. *named* is how the actor named the channel.

    The topic need not have any messages. A policy can be removed even if the actor may no longer read the
    channel.

    :raises BadRequest: a new policy for a channel that the actor may not read, or too many policies
    """
    old = unit.tx.topic_policies.find(actor.user_id, channel.id, topic_key(topic))
    removes_policy = policy == VisibilityPolicy.INHERIT and old != VisibilityPolicy.INHERIT
    if not removes_policy:
        subscribed = bool(unit.tx.subscriptions.subscribed_among(channel.id, [actor.user_id]))
        if not has_content_access(channel, actor, subscribed=subscribed):
            raise invalid_channel(named)
    if policy != old and not set_topic_policy(unit, actor.user_id, channel, topic, policy):
        most = unit.limits.max_topic_policies_per_user
        raise BadRequest(f"You cannot set a policy for more than {most} topics.")
