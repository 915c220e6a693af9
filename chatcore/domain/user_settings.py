"""The settings a user has: their names, the value each has until it is changed, and what it may be.

Two of them are fields of the account itself (`timezone`, `email_address_visibility`); the others are
stored only once a user changes them.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import IntEnum
from typing import Any

from chatcore.domain.errors import InvalidParameter
from chatcore.domain.languages import LANGUAGES
from chatcore.domain.users import EmailVisibility, User

Value = bool | int | str | None


class AutomaticPolicy(IntEnum):
    """By what a topic is followed or unmuted without being asked, as the API numbers it."""

    PARTICIPATED = 1
    SENT = 2
    STARTED = 3
    NEVER = 4


class LegacyGroup:
    """The older event types under which clients without `user_settings_object` know some settings."""

    NOTIFICATIONS = "update_global_notifications"
    DISPLAY = "update_display_settings"


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """One setting. `allowed` lists every possible value where there are few."""

    default: Value
    allowed: tuple[int | str, ...] = ()
    bounds: tuple[int, int] = (0, 2**31 - 1)
    nullable: bool = False
    legacy: str | None = None
    """The legacy group, where older clients get the setting as a field of its own."""

    def read(self, name: str, raw: object) -> Value:
        """The value that a client sends for the setting.

        :raises InvalidParameter: of another type, out of bounds, or not among the allowed ones
        """
        if raw is None and self.nullable:
            return None
        kind = type(self.default)
        if type(raw) is not kind or not isinstance(raw, bool | int | str):
            raise InvalidParameter(name, f"Expected {_KIND_NAMES[kind]}")
        if self.allowed and raw not in self.allowed:
            raise InvalidParameter(name, f"Expected one of {', '.join(map(str, self.allowed))}")
        if kind is int and not self.bounds[0] <= int(raw) <= self.bounds[1]:
            raise InvalidParameter(name, f"Expected {self.bounds[0]} to {self.bounds[1]}")
        if kind is str and len(str(raw)) > MAX_TEXT_LENGTH:
            raise InvalidParameter(name, f"Expected at most {MAX_TEXT_LENGTH} characters")
        return raw


_KIND_NAMES: Mapping[type, str] = {bool: "a boolean", int: "an integer", str: "text"}
MAX_TEXT_LENGTH = 50

NOTIFICATION_SOUNDS = ("service",)
NO_SOUND = "none"
EMOJI_SETS: Mapping[str, str] = {
    "google": "Google",
    "google-blob": "Google blobs",
    "twitter": "Twitter",
    "text": "Plain text",
}

_NOTIFICATIONS = LegacyGroup.NOTIFICATIONS
_DISPLAY = LegacyGroup.DISPLAY
_POLICIES = tuple(int(policy) for policy in AutomaticPolicy)

SETTINGS: Mapping[str, Setting] = {
    # What messages and channels look like.
    "twenty_four_hour_time": Setting(default=False, nullable=True, legacy=_DISPLAY),
    "web_mark_read_on_scroll_policy": Setting(default=1, allowed=(1, 2, 3)),
    "web_channel_default_view": Setting(default=1, allowed=(1, 2, 3, 4)),
    "starred_message_counts": Setting(default=True, legacy=_DISPLAY),
    "receives_typing_notifications": Setting(default=True, legacy=_DISPLAY),
    "web_suggest_update_timezone": Setting(default=True),
    "fluid_layout_width": Setting(default=False, legacy=_DISPLAY),
    "high_contrast_mode": Setting(default=False, legacy=_DISPLAY),
    "web_font_size_px": Setting(default=16, bounds=(1, 100)),
    "web_line_height_percent": Setting(default=140, bounds=(1, 1000)),
    "color_scheme": Setting(default=1, allowed=(1, 2, 3), legacy=_DISPLAY),
    "translate_emoticons": Setting(default=False, legacy=_DISPLAY),
    "display_emoji_reaction_users": Setting(default=True),
    "default_language": Setting(default="en", allowed=tuple(LANGUAGES), legacy=_DISPLAY),
    "web_home_view": Setting(
        default="inbox", allowed=("recent_topics", "inbox", "all_messages"), legacy=_DISPLAY
    ),
    "web_escape_navigates_to_home_view": Setting(default=True),
    "left_side_userlist": Setting(default=False, legacy=_DISPLAY),
    "emojiset": Setting(default="google", allowed=tuple(EMOJI_SETS), legacy=_DISPLAY),
    "demote_inactive_streams": Setting(default=1, allowed=(1, 2, 3), legacy=_DISPLAY),
    "user_list_style": Setting(default=3, allowed=(1, 2, 3)),
    "web_animate_image_previews": Setting(default="on_hover", allowed=("always", "on_hover", "never")),
    "web_stream_unreads_count_display_policy": Setting(default=2, allowed=(1, 2, 3)),
    "hide_ai_features": Setting(default=False),
    "web_left_sidebar_show_channel_folders": Setting(default=True),
    "web_left_sidebar_unreads_count_summary": Setting(default=True),
    "web_navigate_to_sent_message": Setting(default=True),
    "timezone": Setting(default="", legacy=_DISPLAY),
    "enter_sends": Setting(default=False, legacy=_DISPLAY),
    "enable_drafts_synchronization": Setting(default=True, legacy=_DISPLAY),
    # What one is told of.
    "enable_stream_desktop_notifications": Setting(default=False, legacy=_NOTIFICATIONS),
    "enable_stream_email_notifications": Setting(default=False, legacy=_NOTIFICATIONS),
    "enable_stream_push_notifications": Setting(default=False),
    "enable_stream_audible_notifications": Setting(default=False, legacy=_NOTIFICATIONS),
    "notification_sound": Setting(
        default="service", allowed=(*NOTIFICATION_SOUNDS, NO_SOUND), legacy=_NOTIFICATIONS
    ),
    "enable_desktop_notifications": Setting(default=True, legacy=_NOTIFICATIONS),
    "enable_sounds": Setting(default=True, legacy=_NOTIFICATIONS),
    "enable_followed_topic_desktop_notifications": Setting(default=True),
    "enable_followed_topic_email_notifications": Setting(default=True),
    "enable_followed_topic_push_notifications": Setting(default=True),
    "enable_followed_topic_audible_notifications": Setting(default=True),
    "enable_followed_topic_wildcard_mentions_notify": Setting(default=True),
    "email_notifications_batching_period_seconds": Setting(
        default=120, bounds=(0, 604_800), legacy=_NOTIFICATIONS
    ),
    "enable_offline_email_notifications": Setting(default=True, legacy=_NOTIFICATIONS),
    "enable_offline_push_notifications": Setting(default=True),
    "enable_online_push_notifications": Setting(default=True),
    "enable_digest_emails": Setting(default=True, legacy=_NOTIFICATIONS),
    "enable_marketing_emails": Setting(default=True, legacy=_NOTIFICATIONS),
    "enable_login_emails": Setting(default=True, legacy=_NOTIFICATIONS),
    "message_content_in_email_notifications": Setting(default=True, legacy=_NOTIFICATIONS),
    "pm_content_in_desktop_notifications": Setting(default=True, legacy=_NOTIFICATIONS),
    "wildcard_mentions_notify": Setting(default=True, legacy=_NOTIFICATIONS),
    "desktop_icon_count_display": Setting(default=1, allowed=(1, 2, 3, 4), legacy=_NOTIFICATIONS),
    "realm_name_in_email_notifications_policy": Setting(default=1, allowed=(1, 2, 3), legacy=_NOTIFICATIONS),
    # What happens to topics by itself.
    "automatically_follow_topics_policy": Setting(default=AutomaticPolicy.STARTED.value, allowed=_POLICIES),
    "automatically_unmute_topics_in_muted_streams_policy": Setting(
        default=AutomaticPolicy.SENT.value, allowed=_POLICIES
    ),
    "automatically_follow_topics_where_mentioned": Setting(default=True),
    "resolved_topic_notice_auto_read_policy": Setting(
        default="except_followed", allowed=("always", "except_followed", "never")
    ),
    # What others learn.
    "presence_enabled": Setting(default=True, legacy=_NOTIFICATIONS),
    "send_private_typing_notifications": Setting(default=True),
    "send_stream_typing_notifications": Setting(default=True),
    "send_read_receipts": Setting(default=True),
    "allow_private_data_export": Setting(default=False),
    "email_address_visibility": Setting(
        default=EmailVisibility.EVERYONE.value, allowed=tuple(int(who) for who in EmailVisibility)
    ),
}
"""Every setting. The settings for push notifications to devices have no legacy form."""

DEFAULTS: Mapping[str, Value] = {name: setting.default for name, setting in SETTINGS.items()}

CHOICES: Mapping[str, object] = {
    "available_notification_sounds": list(NOTIFICATION_SOUNDS),
    "emojiset_choices": [{"key": key, "text": text} for key, text in EMOJI_SETS.items()],
}
"""What clients may offer, sent along with the settings."""

CHOICES_IN_LEGACY_GROUP: Mapping[str, str] = {
    "available_notification_sounds": _NOTIFICATIONS,
    "emojiset_choices": _DISPLAY,
}


CHANNEL_NOTIFICATIONS: Mapping[str, str] = {
    "desktop_notifications": "enable_stream_desktop_notifications",
    "email_notifications": "enable_stream_email_notifications",
    "push_notifications": "enable_stream_push_notifications",
    "audible_notifications": "enable_stream_audible_notifications",
}
"""A channel's notification setting, and the user's setting that holds where it is null."""


def channel_notification_defaults(user: User) -> dict[str, bool]:
    """What null stands for in the notification settings of the user's channels."""
    return {name: bool(value(user, default)) for name, default in CHANNEL_NOTIFICATIONS.items()}


def without_null_notifications(fields: Mapping[str, Any], defaults: Mapping[str, bool]) -> dict[str, Any]:
    """Fields of a subscription for clients that know only true and false."""
    filled = {name: defaults.get(name) if value is None else value for name, value in fields.items()}
    filled.pop("wildcard_mentions_notify", None)
    return filled


def value(user: User, name: str) -> Value:
    """A user's value of the setting *name*: the user's own, else the default."""
    match name:
        case "timezone":
            return user.timezone
        case "email_address_visibility":
            return int(user.email_visibility)
        case _:
            own: Value = user.settings.get(name, DEFAULTS[name])
            return own


def values(user: User) -> dict[str, Value]:
    """All settings of a user, by name."""
    return {name: value(user, name) for name in SETTINGS}
