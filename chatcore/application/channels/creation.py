"""Properties of new channels, and the permission to create them."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from chatcore.domain.channels import editing as rules
from chatcore.domain.channels.channels import Privacy, checked_privacy, private_default
from chatcore.domain.errors import InsufficientPermission
from chatcore.domain.groups.actors import Actor
from chatcore.domain.groups.permissions import GroupSetting
from chatcore.domain.organization.organization import Organization
from chatcore.domain.topics import TopicsPolicy


@dataclass(frozen=True, slots=True, kw_only=True)
class Creation:
    """Properties of the channels that a request creates."""

    invite_only: bool = False
    is_web_public: bool = False
    is_default_stream: bool = False
    history_public_to_subscribers: bool | None = None
    message_retention_days: int | None = None
    topics_policy: str = TopicsPolicy.INHERIT
    folder_id: int | None = None
    permissions: Mapping[str, GroupSetting] = field(default_factory=dict)
    announce: bool = False

    @property
    def privacy(self) -> Privacy:
        """Return the privacy model; a public channel always shares its whole history.

        :raises BadRequest: no such model
        """
        return checked_privacy(
            invite_only=self.invite_only,
            is_web_public=self.is_web_public,
            history_public_to_subscribers=not self.invite_only or bool(self.history_public_to_subscribers),
        )


def require_may_create(organization: Organization, actor: Actor, creation: Creation) -> None:
    """Refuse a new channel whose kind or properties the actor may not choose.

    :raises BadRequest: no permission, or a default channel that is private
    """
    rules.require_may_make_kind(
        organization, actor, invite_only=creation.invite_only, is_web_public=creation.is_web_public
    )
    if creation.is_default_stream and creation.invite_only:
        raise private_default()
    if creation.is_default_stream and not actor.role.is_administrator:
        raise InsufficientPermission
    if creation.message_retention_days is not None:
        rules.require_may_set_retention(actor)
    if creation.topics_policy != TopicsPolicy.INHERIT:
        rules.require_may_set_topics_policy(organization, actor)
    rules.require_may_share_deleting(organization, actor, creation.permissions)
