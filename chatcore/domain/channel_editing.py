"""What a channel may become, and what it takes to make it that."""

from collections.abc import Mapping

from chatcore.domain.channels import (
    Channel,
    has_content_access,
    has_metadata_access,
    is_channel_admin,
    privacy,
)
from chatcore.domain.errors import BadRequest, InvalidParameter, invalid_channel
from chatcore.domain.groups import Actor, GroupSetting, SystemGroup
from chatcore.domain.organization import Organization
from chatcore.domain.roles import Role
from chatcore.domain.topics import TopicsPolicy

OPENING_DELETING = frozenset({"can_delete_any_message_group", "can_delete_own_message_group"})
"""Permissions that take a permission of the organization's to be given to anybody."""


def require_may_make_kind(
    organization: Organization, actor: Actor, *, invite_only: bool, is_web_public: bool
) -> None:
    """Refuse a kind of channel that the actor may not make, be it new or out of another kind.

    :raises BadRequest: naming nothing but the missing permission
    """
    if is_web_public:
        needed = "can_create_web_public_channel_group"
        if not organization.enable_spectator_access:
            raise BadRequest("Web-public channels are not enabled; 'chatcore public-access on' enables them.")
    else:
        needed = "can_create_private_channel_group" if invite_only else "can_create_public_channel_group"
    if not organization.permits(needed, actor):
        raise insufficient_permission()


MAX_RETENTION_DAYS = 36_500
FOR_EVER = -1
"""Of the days that messages are kept; None is as in the organization."""


def require_retention(days: int | None) -> None:
    """:raises InvalidParameter: neither None, nor for ever, nor from a day to a hundred years"""
    if days is not None and days != FOR_EVER and not 0 < days <= MAX_RETENTION_DAYS:
        raise bad_retention()


def bad_retention() -> InvalidParameter:
    """Names the numbers and the words that are taken; None and FOR_EVER stand for the words."""
    words = "'realm_default' or 'unlimited'"
    return InvalidParameter("message_retention_days", f"Expected 1 to {MAX_RETENTION_DAYS} days, {words}")


def require_may_set_retention(actor: Actor) -> None:
    """:raises BadRequest:"""
    if actor.role != Role.OWNER:
        raise BadRequest("Must be an organization owner")


def require_may_set_topics_policy(organization: Organization, actor: Actor) -> None:
    """:raises BadRequest:"""
    if not organization.permits("can_set_topics_policy_group", actor):
        raise insufficient_permission()


def require_may_open_deleting(
    organization: Organization, actor: Actor, permissions: Mapping[str, GroupSetting]
) -> None:
    """Refuse permissions that let somebody delete messages, where the actor may not give them.

    :raises BadRequest:
    """
    opens = any(
        permissions[name].system_group != SystemGroup.NOBODY for name in OPENING_DELETING & permissions.keys()
    )
    if opens and not organization.permits("can_set_delete_message_policy_group", actor):
        raise insufficient_permission()


def require_may_administer(channel: Channel | None, actor: Actor, *, subscribed: bool) -> Channel:
    """A channel that the actor may change.

    :raises BadRequest: there is none for the actor, or only to look at
    """
    if channel is None or not has_metadata_access(channel, actor, subscribed=subscribed):
        raise invalid_channel()
    if not is_channel_admin(channel, actor):
        raise BadRequest("You do not have permission to administer this channel.")
    return channel


def require_may_open(channel: Channel, actor: Actor, *, subscribed: bool) -> None:
    """Refuse who administers a channel without reading it to say who else does.

    :raises BadRequest:
    """
    if not has_content_access(channel, actor, subscribed=subscribed):
        raise BadRequest("Channel content access is required.")


def changed_privacy(
    channel: Channel,
    *,
    is_private: bool | None,
    is_web_public: bool | None,
    history_public_to_subscribers: bool | None,
) -> dict[str, bool]:
    """The privacy model that a channel gets; what is not said (None) stays, or is what goes with the rest.

    A channel that becomes private has protected history if nothing is said of it.

    :raises BadRequest: no such model
    """
    private = channel.invite_only if is_private is None else is_private
    web_public = (channel.is_web_public and not private) if is_web_public is None else is_web_public
    shared = history_public_to_subscribers
    if shared is None:
        shared = not private or (channel.invite_only and channel.history_public_to_subscribers)
    return privacy(invite_only=private, is_web_public=web_public, history_public_to_subscribers=shared)


def privacy_of(channel: Channel) -> dict[str, bool]:
    return {
        "invite_only": channel.invite_only,
        "is_web_public": channel.is_web_public,
        "history_public_to_subscribers": channel.history_public_to_subscribers,
    }


def is_of_kind(channel: Channel, privacy: Mapping[str, bool]) -> bool:
    """Whether a privacy model is of the channel's kind; how much history there is makes no other kind."""
    return (channel.invite_only, channel.is_web_public) == (
        privacy["invite_only"],
        privacy["is_web_public"],
    )


def described_privacy(channel: Channel) -> str:
    """The privacy model in words."""
    if channel.is_web_public:
        return "Web-public"
    if not channel.invite_only:
        return "Public"
    return "Private, " + ("shared" if channel.history_public_to_subscribers else "protected") + " history"


def described_retention(days: int | None) -> str:
    """For how long messages are kept, in words."""
    if days is None:
        return "as long as in the whole organization"
    return "forever" if days == FOR_EVER else f"{days} days"


DESCRIBED_POLICY: Mapping[str, str] = {
    TopicsPolicy.INHERIT: "as in the whole organization",
    TopicsPolicy.ALLOW_EMPTY: "messages may be without",
    TopicsPolicy.DISABLE_EMPTY: "every message has one",
    TopicsPolicy.EMPTY_ONLY: "none",
}
"""What a topics policy means for topics, in words."""


def insufficient_permission() -> BadRequest:
    return BadRequest("Insufficient permission")
