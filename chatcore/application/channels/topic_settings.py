"""Personal policies for topics: muted, unmuted or followed."""

from chatcore.application.delivery.topic_policies import set_topic_policy
from chatcore.application.services import Services
from chatcore.application.visibility.viewers import refresh_actor
from chatcore.domain.channels.channels import has_content_access
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
        now_actor = refresh_actor(tx, actor, svc.now)
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
