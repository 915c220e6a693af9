"""The organization and its settings, with their defaults."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from chatcore.domain.groups.actors import Actor
from chatcore.domain.groups.permissions import ORGANIZATION_PERMISSIONS, GroupSetting
from chatcore.domain.groups.system import SystemGroup
from chatcore.domain.ids import ChannelId, UserId
from chatcore.domain.organization.domains import Domain, require_domain, require_lasting
from chatcore.domain.topics import TopicsPolicy

KEPT_FOR_EVER = -1
"""Value of `message_retention_days` without a limit."""
MAX_RETENTION_DAYS = 36_500


class EditHistoryVisibility:
    """Values of `message_edit_history_visibility_policy`."""

    ALL = "all"
    MOVES = "moves"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class ServerStart:
    """The first start of a version of the server."""

    version: str
    feature_level: int
    at: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Organization:
    """One organization; a field is the API's `realm_` setting of the same name if there is one."""

    name: str
    date_created: int
    description: str = ""
    rendered_description: str = ""

    # Messages and topics.
    empty_topic_display_name: str = "general chat"
    topics_policy: str = TopicsPolicy.ALLOW_EMPTY
    default_code_block_language: str = ""
    inline_image_preview: bool = True
    inline_url_embed_preview: bool = False
    giphy_rating: int = 0
    video_chat_provider: int = 0
    jitsi_server_url: str | None = None
    message_retention_days: int = KEPT_FOR_EVER
    allow_message_editing: bool = True
    message_content_edit_limit_seconds: int | None = 600
    message_content_delete_limit_seconds: int | None = 600
    move_messages_within_stream_limit_seconds: int | None = 604_800
    move_messages_between_streams_limit_seconds: int | None = 604_800
    message_edit_history_visibility_policy: str = EditHistoryVisibility.ALL
    enable_read_receipts: bool = False
    enable_guest_user_dm_warning: bool = True
    enable_guest_user_indicator: bool = True
    moderation_request_channel_id: ChannelId | None = None
    new_stream_announcements_stream_id: ChannelId | None = None
    signup_announcements_stream_id: ChannelId | None = None
    service_update_announcements_stream_id: ChannelId | None = None
    default_channel_ids: tuple[ChannelId, ...] = ()

    # Accounts.
    waiting_period_threshold: int = 0
    enable_spectator_access: bool = False
    invite_required: bool = True
    emails_restricted_to_domains: bool = False
    disallow_disposable_email_addresses: bool = True
    domains: tuple[Domain, ...] = ()
    require_unique_names: bool = False
    name_changes_disabled: bool = False
    email_changes_disabled: bool = False
    avatar_changes_disabled: bool = False
    password_auth_enabled: bool = True
    presence_disabled: bool = False
    default_language: str = "en"
    user_settings_defaults: Mapping[str, bool | int | str | None] = field(default_factory=dict)
    """Defaults for new accounts, where they differ from `chatcore.domain.people.settings`."""

    # E-mail.
    welcome_message_custom_text: str = ""
    send_welcome_emails: bool = True
    message_content_allowed_in_email_notifications: bool = True
    digest_emails_enabled: bool = False
    digest_weekday: int = 1

    # Appearance.
    org_type: int = 0
    want_advertise_in_communities_directory: bool = False
    icon_key: str = ""
    logo_key: str = ""
    night_logo_key: str = ""
    upload_quota_mib: int | None = None

    is_deactivated: bool = False
    """Whether all requests are refused; nothing else changes."""
    secret_fingerprint: str = ""
    """Fingerprint of the secret from which API keys are derived, to detect a server with another secret."""
    served_by: ServerStart | None = None
    """The version of the server that serves the organization; None before the first start."""
    notification_bot_id: UserId | None = None
    """The bot that posts for the organization; clients treat it as a system bot."""
    permissions: Mapping[str, GroupSetting] = field(default_factory=dict)

    def permission_value(self, name: str) -> GroupSetting:
        """Return the group-setting value of a permission, by default that of a new organization."""
        if (value := self.permissions.get(name)) is not None:
            return value
        default = ORGANIZATION_PERMISSIONS[name].default
        assert default is not None, "an organization has no creator to default to"
        return GroupSetting.of(default)

    def permits(self, name: str, actor: Actor) -> bool:
        """Whether the actor holds the organization's permission *name*."""
        return ORGANIZATION_PERMISSIONS[name].held_by(actor, self.permission_value(name))

    def require_address(self, email: str) -> None:
        """Check that a person may have this address.

        :raises BadRequest: not of the organization's domains, or a disposable address, where that matters
        """
        if self.emails_restricted_to_domains:
            require_domain(email, self.domains)
        elif self.disallow_disposable_email_addresses:
            require_lasting(email)

    @property
    def hides_users_from_guests(self) -> bool:
        """Whether guests may see only some of the users (`can_access_all_users_group`)."""
        return self.permission_value("can_access_all_users_group").system_group != SystemGroup.EVERYONE

    def effective_topics_policy(self, channel_policy: str) -> str:
        """Return the policy that applies in a channel."""
        return self.topics_policy if channel_policy == TopicsPolicy.INHERIT else channel_policy

    @property
    def mandatory_topics(self) -> bool:
        """The older form of `topics_policy`."""
        return self.topics_policy == TopicsPolicy.DISABLE_EMPTY
