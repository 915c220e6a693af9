"""Changes of channels and the permissions that they require."""

from collections.abc import Mapping

from chatcore.domain.channels.channels import (
    Channel,
    Privacy,
    checked_privacy,
    has_content_access,
    has_metadata_access,
    is_channel_admin,
)
from chatcore.domain.errors import BadRequest, InsufficientPermission, InvalidParameter, invalid_channel
from chatcore.domain.groups.actors import Actor
from chatcore.domain.groups.permissions import GroupSetting
from chatcore.domain.groups.system import SystemGroup
from chatcore.domain.organization.administration import OWNERS_ONLY
from chatcore.domain.organization.organization import KEPT_FOR_EVER, MAX_RETENTION_DAYS, Organization
from chatcore.domain.roles import Role
from chatcore.domain.topics import TopicsPolicy

DELETING_PERMISSIONS = frozenset({"can_delete_any_message_group", "can_delete_own_message_group"})
"""Permissions that the actor may grant only with a permission of the organization."""


def require_may_make_kind(
    organization: Organization, actor: Actor, *, invite_only: bool, is_web_public: bool
) -> None:
    """Refuse a kind of channel that the actor may not create, for a new channel and for a change of kind.

    :raises BadRequest: no permission; the message does not say more
    """
    if is_web_public:
        needed = "can_create_web_public_channel_group"
        if not organization.enable_spectator_access:
            raise BadRequest("Web-public channels are not enabled; 'chatcore public-access on' enables them.")
    else:
        needed = "can_create_private_channel_group" if invite_only else "can_create_public_channel_group"
    if not organization.permits(needed, actor):
        raise InsufficientPermission


def require_retention(days: int | None) -> None:
    """Check a number of retention days.

    :raises InvalidParameter: neither None, nor for ever, nor from a day to a hundred years
    """
    if days is not None and days != KEPT_FOR_EVER and not 0 < days <= MAX_RETENTION_DAYS:
        raise bad_retention()


def bad_retention() -> InvalidParameter:
    """Return the error for an invalid retention; it names the valid numbers, and the words for None and
    `KEPT_FOR_EVER`.
    """
    words = "'realm_default' or 'unlimited'"
    return InvalidParameter("message_retention_days", f"Expected 1 to {MAX_RETENTION_DAYS} days, {words}")


def require_may_set_retention(actor: Actor) -> None:
    """Check that the actor may set the retention of a channel.

    :raises BadRequest: not an owner
    """
    if actor.role != Role.OWNER:
        raise BadRequest(OWNERS_ONLY)


def require_may_set_topics_policy(organization: Organization, actor: Actor) -> None:
    """Check that the actor may set the topics policy of a channel.

    :raises BadRequest: no permission
    """
    if not organization.permits("can_set_topics_policy_group", actor):
        raise InsufficientPermission


def require_may_share_deleting(
    organization: Organization, actor: Actor, permissions: Mapping[str, GroupSetting]
) -> None:
    """Check that the actor may set these values of a channel's permissions to delete messages.

    Every channel administrator may set them to nobody; any other value needs a permission of the
    organization.

    :raises BadRequest: no permission
    """
    opens = any(
        permissions[name].system_group != SystemGroup.NOBODY
        for name in DELETING_PERMISSIONS & permissions.keys()
    )
    if opens and not organization.permits("can_set_delete_message_policy_group", actor):
        raise InsufficientPermission


def require_may_administer(channel: Channel | None, actor: Actor, *, subscribed: bool) -> Channel:
    """Return the channel if the actor may administer it.

    :raises BadRequest: no channel visible to the actor, or no permission to administer it
    """
    if channel is None or not has_metadata_access(channel, actor, subscribed=subscribed):
        raise invalid_channel()
    if not is_channel_admin(channel, actor):
        raise BadRequest("You do not have permission to administer this channel.")
    return channel


def require_may_share_access(channel: Channel, actor: Actor, *, subscribed: bool) -> None:
    """Refuse changes of permissions by an administrator of the channel who cannot read it.

    :raises BadRequest: no content access
    """
    if not has_content_access(channel, actor, subscribed=subscribed):
        raise BadRequest("Channel content access is required.")


def changed_privacy(
    channel: Channel,
    *,
    is_private: bool | None,
    is_web_public: bool | None,
    history_public_to_subscribers: bool | None,
) -> Privacy:
    """Return the new privacy model of a channel; omitted parts (None) stay, or follow from the others.

    A channel that becomes private gets protected history unless shared history is requested.

    :raises BadRequest: no such model
    """
    private = channel.invite_only if is_private is None else is_private
    web_public = (channel.is_web_public and not private) if is_web_public is None else is_web_public
    shared = history_public_to_subscribers
    if shared is None:
        shared = not private or (channel.invite_only and channel.history_public_to_subscribers)
    return checked_privacy(
        invite_only=private, is_web_public=web_public, history_public_to_subscribers=shared
    )


def privacy_of(channel: Channel) -> Privacy:
    return {
        "invite_only": channel.invite_only,
        "is_web_public": channel.is_web_public,
        "history_public_to_subscribers": channel.history_public_to_subscribers,
    }


def is_of_kind(channel: Channel, privacy: Privacy) -> bool:
    """Whether a privacy model is of the channel's kind; shared and protected history are the same kind."""
    return (channel.invite_only, channel.is_web_public) == (
        privacy["invite_only"],
        privacy["is_web_public"],
    )


def privacy_in_words(channel: Channel) -> str:
    """Return the privacy model in words."""
    if channel.is_web_public:
        return "Web-public"
    if not channel.invite_only:
        return "Public"
    return "Private, " + ("shared" if channel.history_public_to_subscribers else "protected") + " history"


def retention_in_words(days: int | None) -> str:
    """Return the retention period in words."""
    if days is None:
        return "as long as in the whole organization"
    return "forever" if days == KEPT_FOR_EVER else f"{days} days"


TOPICS_POLICY_IN_WORDS: Mapping[str, str] = {
    TopicsPolicy.INHERIT: "as in the whole organization",
    TopicsPolicy.ALLOW_EMPTY: "messages may be without",
    TopicsPolicy.DISABLE_EMPTY: "every message has one",
    TopicsPolicy.EMPTY_ONLY: "none",
}
"""Descriptions of the topics policies."""
