"""What new channels are like, and who may make them."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from chatcore.application.rendering import render_alone
from chatcore.application.services import Services
from chatcore.domain.errors import BadRequest
from chatcore.domain.groups import Actor, GroupSetting, SystemGroup
from chatcore.domain.organization import Organization
from chatcore.domain.roles import Role
from chatcore.domain.topics import TopicsPolicy


@dataclass(frozen=True, slots=True, kw_only=True)
class Creation:
    """What channels that have to be made are like."""

    invite_only: bool = False
    is_web_public: bool = False
    is_default_stream: bool = False
    history_public_to_subscribers: bool | None = None
    message_retention_days: int | None = None
    topics_policy: str = TopicsPolicy.INHERIT
    permissions: Mapping[str, GroupSetting] = field(default_factory=dict)
    announce: bool = False


def render_descriptions(svc: Services, descriptions: Collection[str]) -> Mapping[str, str]:
    """Descriptions as HTML, on one line each."""
    lines = {description: description.replace("\n", " ") for description in descriptions}
    rendered = render_alone(svc, lines.values())
    return {description: rendered[line] for description, line in lines.items()}


def require_may_create(organization: Organization, actor: Actor, creation: Creation) -> None:
    """Refuse a kind of channel that the actor may not make.

    :raises BadRequest: naming nothing but the missing permission
    """
    nobody = GroupSetting.of(SystemGroup.NOBODY)
    if creation.is_web_public:
        needed = "can_create_web_public_channel_group"
        if not organization.enable_spectator_access:
            raise BadRequest("Web-public channels are not enabled.")
    else:
        needed = (
            "can_create_private_channel_group" if creation.invite_only else "can_create_public_channel_group"
        )
    if not organization.permits(needed, actor):
        raise BadRequest("Insufficient permission")
    if creation.is_default_stream and creation.invite_only:
        raise BadRequest("A default channel cannot be private.")
    if creation.is_default_stream and not actor.role.is_administrator:
        raise BadRequest("Insufficient permission")
    if creation.message_retention_days is not None and actor.role != Role.OWNER:
        raise BadRequest("Must be an organization owner")
    if creation.topics_policy != TopicsPolicy.INHERIT and not organization.permits(
        "can_set_topics_policy_group", actor
    ):
        raise BadRequest("Insufficient permission")
    opens_deleting = any(
        creation.permissions.get(name, nobody).system_group != SystemGroup.NOBODY
        for name in ("can_delete_any_message_group", "can_delete_own_message_group")
    )
    if opens_deleting and not organization.permits("can_set_delete_message_policy_group", actor):
        raise BadRequest("Insufficient permission")
