"""Settings of the organization, and the values they accept.

Permissions are in `groups`. Some settings have an effect in clients only: the server stores and reports them.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import KW_ONLY, dataclass
from typing import Any, Final

from chatcore.domain.characters import check_characters, check_name, length, visible
from chatcore.domain.choices import MAX_INT, Value, explain_setting, read_value
from chatcore.domain.errors import BadRequest
from chatcore.domain.groups.actors import Actor
from chatcore.domain.groups.permissions import Permission
from chatcore.domain.languages import LANGUAGES
from chatcore.domain.organization.administration import require_administrator, require_owner
from chatcore.domain.organization.organization import KEPT_FOR_EVER, MAX_RETENTION_DAYS, EditHistoryVisibility
from chatcore.domain.topics import TopicsPolicy
from chatcore.domain.web_addresses import parse_web_address

MAX_NAME_LENGTH = 40
MAX_DESCRIPTION_LENGTH = 1000
MAX_LANGUAGE_LENGTH = 40
MAX_WELCOME_LENGTH = 8000
MAX_URL_LENGTH = 200
UNLIMITED: Final = "unlimited"
NO_CHANNEL: Final = -1
NO_URL: Final = "default"
"""Representations of None: for a limit, for a channel, and for the address of a server."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A numbered choice, with the key and the name that clients show."""

    key: str
    name: str

    def __str__(self) -> str:
        return self.name


GIF_RATINGS: Mapping[int, Choice] = {
    0: Choice("disabled", "GIFs are disabled"),
    1: Choice("y", "GIFs rated Y (very young audience)"),
    2: Choice("g", "GIFs rated G (general audience)"),
    3: Choice("pg", "GIFs rated PG (parental guidance)"),
    4: Choice("pg-13", "GIFs rated PG-13 (parental guidance below 13)"),
    5: Choice("r", "GIFs rated R (restricted)"),
}
BIG_BLUE_BUTTON: Final = 4
VIDEO_PROVIDERS: Mapping[int, Choice] = {
    0: Choice("disabled", "None"),
    1: Choice("jitsi_meet", "Jitsi Meet"),
    BIG_BLUE_BUTTON: Choice("big_blue_button", "BigBlueButton"),
}
"""Providers of video calls. Links to Jitsi Meet are made by clients, those to BigBlueButton by the server."""
KINDS: Mapping[int, str] = {
    0: "unspecified",
    10: "business",
    20: "open-source project",
    30: "education (non-profit)",
    35: "education (for-profit)",
    40: "research",
    50: "event or conference",
    60: "non-profit",
    70: "government",
    80: "political group",
    90: "community",
    100: "personal",
    1000: "other",
}
"""Kinds of organizations."""
WEEKDAYS: Mapping[int, str] = dict(
    enumerate(("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"))
)


@dataclass(frozen=True, slots=True)
class OrganizationSetting:
    """One setting. `bounds` limit a number, or the length of a text in characters."""

    about: str
    kind: type[bool] | type[int] | type[str]
    _: KW_ONLY
    allowed: Collection[int | str] = ()
    bounds: tuple[int, int] = (0, MAX_INT)
    sent_for_none: int | str | None = None
    """The client's value for "none" (no limit, no channel); it is read as None."""
    stored_for_none: int | None = None
    """The stored form of that value."""
    of_owners: bool = False
    """Whether only owners, not other administrators, can change it."""

    @property
    def explained(self) -> str:
        text = explain_setting(self.about, self.kind, self.allowed, self.bounds)
        if self.sent_for_none is not None:
            text = f"{text[:-1]}, or {self.sent_for_none} for none."
        return f"{text} Owners only." if self.of_owners else text

    def read(self, name: str, raw: object) -> Value:
        """Return the setting's value for client input.

        :raises BadRequest, InvalidParameter: a value that the setting does not accept
        """
        if self.sent_for_none is not None and raw in (None, self.sent_for_none, self.stored_for_none):
            return self.stored_for_none
        if self.kind is str and isinstance(raw, str):
            raw = _CLEANING.get(name, str)(raw)
        otherwise = "" if self.sent_for_none is None else f" or {self.sent_for_none!r}"
        value = read_value(
            name, raw, self.kind, allowed=self.allowed, bounds=self.bounds, otherwise=otherwise
        )
        if isinstance(value, str):  # only after its length: that is known at once
            _check_characters(name, value)
        return value


def checked_organization_name(raw: str) -> str:
    """Check the name of an organization and return it stripped.

    :raises BadRequest: empty, too long, or with characters that a name cannot have
    """
    name = raw.strip()
    if length(name) > MAX_NAME_LENGTH:
        raise BadRequest(f"The name of the organization is too long (limit: {MAX_NAME_LENGTH} characters).")
    if not visible(name):
        raise BadRequest("The name of the organization can't be empty.")
    check_name(name, "the name of the organization")
    return name


def _with_unix_lines(raw: str) -> str:
    return raw.replace("\r\n", "\n")


def _check_characters(name: str, text: str) -> None:
    what = "description" if name == "description" else "text"
    check_characters(text.replace("\n", " ") if name in _MULTILINE else text, what)


def _server_url(raw: str) -> str:
    """Check the address of a server and return it without a slash at its end.

    :raises BadRequest: not an absolute http or https address, or with a query or a fragment
    """
    parts = parse_web_address(raw)
    is_server = parts is not None and "@" not in parts.netloc and not parts.query and not parts.fragment
    if not is_server or not raw.isascii() or not raw.isprintable() or any(char in raw for char in '\\"<>'):
        raise BadRequest("jitsi_server_url is not the address of a server")
    return raw.rstrip("/")


_MULTILINE = ("description", "welcome_message_custom_text")
_CLEANING = {
    "name": checked_organization_name,
    **dict.fromkeys(_MULTILINE, _with_unix_lines),
    "jitsi_server_url": _server_url,
}


def _seconds(about: str) -> OrganizationSetting:
    return OrganizationSetting(about, int, bounds=(1, MAX_INT), sent_for_none=UNLIMITED)


def _channel(about: str) -> OrganizationSetting:
    return OrganizationSetting(about, int, sent_for_none=NO_CHANNEL)


def _switch(about: str, *, of_owners: bool = False) -> OrganizationSetting:
    return OrganizationSetting(about, bool, of_owners=of_owners)


SETTINGS: Mapping[str, OrganizationSetting] = {
    "name": OrganizationSetting("The name of the organization.", str),
    "description": OrganizationSetting(
        "Its description, in Markdown.", str, bounds=(0, MAX_DESCRIPTION_LENGTH)
    ),
    # Messages and topics.
    "topics_policy": OrganizationSetting(
        "Whether messages may have no topic, in channels without a setting of their own.",
        str,
        allowed=(TopicsPolicy.ALLOW_EMPTY, TopicsPolicy.DISABLE_EMPTY),
    ),
    "mandatory_topics": _switch("Whether messages need a topic; the older form of `topics_policy`."),
    "default_code_block_language": OrganizationSetting(
        "The language of code blocks that name no language.", str, bounds=(0, MAX_LANGUAGE_LENGTH)
    ),
    "inline_image_preview": _switch("Whether messages show the pictures that they link to."),
    "inline_url_embed_preview": _switch(
        "Whether messages show previews of the pages that they link to; stored for clients."
    ),
    "giphy_rating": OrganizationSetting("The GIFs that clients offer:", int, allowed=GIF_RATINGS),
    "video_chat_provider": OrganizationSetting(
        "The provider of video calls that clients link to:", int, allowed=VIDEO_PROVIDERS
    ),
    "jitsi_server_url": OrganizationSetting(
        "The address of the server for video calls.", str, bounds=(1, MAX_URL_LENGTH), sent_for_none=NO_URL
    ),
    "allow_message_editing": _switch("Whether people may edit the texts of their messages."),
    "message_content_edit_limit_seconds": _seconds("The time limit for edits, in seconds."),
    "message_content_delete_limit_seconds": _seconds("The time limit for deleting own messages, in seconds."),
    "move_messages_within_stream_limit_seconds": _seconds(
        "The time limit for moving messages to other topics, in seconds."
    ),
    "move_messages_between_streams_limit_seconds": _seconds(
        "The time limit for moving messages to other channels, in seconds."
    ),
    "message_edit_history_visibility_policy": OrganizationSetting(
        "The visible part of the edit history.",
        str,
        allowed=(EditHistoryVisibility.ALL, EditHistoryVisibility.MOVES, EditHistoryVisibility.NONE),
    ),
    "enable_read_receipts": _switch("Whether people see who has read a message."),
    "new_stream_announcements_stream_id": _channel(
        "The id of the channel in which new channels are announced."
    ),
    "signup_announcements_stream_id": _channel("The id of the channel in which new people are announced."),
    "service_update_announcements_stream_id": _channel(
        "The id of the channel for news about the service; stored for clients."
    ),
    "moderation_request_channel_id": _channel(
        "The id of the private channel to which reports of messages are posted; without it there are none."
    ),
    "message_retention_days": OrganizationSetting(
        "Days after which messages are deleted for good, in channels that do not say otherwise.",
        int,
        bounds=(1, MAX_RETENTION_DAYS),
        sent_for_none=UNLIMITED,
        stored_for_none=KEPT_FOR_EVER,
        of_owners=True,
    ),
    "welcome_message_custom_text": OrganizationSetting(
        "The end of the direct message that welcomes a new person, in Markdown.",
        str,
        bounds=(0, MAX_WELCOME_LENGTH),
    ),
    # Accounts.
    "waiting_period_threshold": OrganizationSetting(
        "Days after which a new member is a full member.", int, bounds=(0, 36_500), of_owners=True
    ),
    "invite_required": _switch("Whether new people need an invitation.", of_owners=True),
    "emails_restricted_to_domains": _switch(
        "Whether new addresses of people must be of the organization's domains.", of_owners=True
    ),
    "disallow_disposable_email_addresses": _switch(
        "Whether new addresses of people must not be disposable ones.", of_owners=True
    ),
    "default_language": OrganizationSetting(
        "The language of new accounts, by its code.", str, allowed=tuple(LANGUAGES)
    ),
    "enable_guest_user_indicator": _switch("Whether clients mark guests as such."),
    "enable_guest_user_dm_warning": _switch("Whether clients warn before a direct message to a guest."),
    "enable_spectator_access": _switch(
        "Whether web-public channels can be read without an account.", of_owners=True
    ),
    "require_unique_names": _switch("Whether names of people must be unique."),
    "name_changes_disabled": _switch("Whether only administrators change names."),
    "email_changes_disabled": _switch("Whether only administrators change addresses."),
    "avatar_changes_disabled": _switch("Whether only administrators change pictures of people."),
    "password_auth_enabled": _switch("Whether people can log in with a password.", of_owners=True),
    "presence_disabled": _switch("Whether presence is hidden for all."),
    "upload_quota_mib": OrganizationSetting(
        "The maximum size of all files together, in MiB.",
        int,
        sent_for_none=UNLIMITED,
        of_owners=True,
    ),
    # E-mail.
    "message_content_allowed_in_email_notifications": _switch("Whether e-mails may quote messages."),
    "digest_emails_enabled": _switch("Whether people receive a summary by e-mail after a long absence."),
    "digest_weekday": OrganizationSetting("The day of that summary:", int, allowed=WEEKDAYS),
    # Welcome mails and directories, which this server does not have: stored for clients.
    "send_welcome_emails": _switch("Whether new people receive an e-mail."),
    "org_type": OrganizationSetting("The kind of organization:", int, allowed=KINDS),
    "want_advertise_in_communities_directory": _switch(
        "Whether the organization wants to be listed in a directory of communities."
    ),
}
"""Settings by field names of `Organization`; clients see each as `realm_` and the name."""

CHANNEL_SETTINGS = frozenset(
    name for name, setting in SETTINGS.items() if setting.sent_for_none == NO_CHANNEL
)
MODERATION_CHANNEL = "moderation_request_channel_id"


def require_may_change(actor: Actor, settings: Iterable[OrganizationSetting | Permission]) -> None:
    """Check that the actor may change all of these settings and permissions of the organization.

    :raises InsufficientRole: not an administrator, or not an owner where one is required
    """
    of_owners = any(setting.of_owners for setting in settings)
    (require_owner if of_owners else require_administrator)(actor)


def in_current_form(wanted: Mapping[str, Any]) -> dict[str, Any]:
    """Return changes with `topics_policy` instead of its older form; the newer one decides if both are
    there.
    """
    fields = dict(wanted)
    if (required := fields.pop("mandatory_topics", None)) is not None:
        fields.setdefault(
            "topics_policy", TopicsPolicy.DISABLE_EMPTY if required else TopicsPolicy.ALLOW_EMPTY
        )
    return fields
