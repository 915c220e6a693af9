"""The table of the settings of users: names, defaults and accepted values."""

from collections.abc import Collection, Mapping
from dataclasses import KW_ONLY, dataclass
from enum import IntEnum

from chatcore.domain.choices import MAX_INT, Value, explain_setting, read_value
from chatcore.domain.languages import LANGUAGES
from chatcore.domain.people.users import EmailVisibility


class AutomaticPolicy(IntEnum):
    """Actions by which a topic is automatically followed or unmuted, as the API numbers them."""

    PARTICIPATED = 1
    SENT = 2
    STARTED = 3
    NEVER = 4


class LegacyGroup:
    """Older event types that send some settings to clients without `user_settings_object`."""

    NOTIFICATIONS = "update_global_notifications"
    DISPLAY = "update_display_settings"


@dataclass(frozen=True, slots=True)
class UserSetting:
    """One setting: its subject, and the values it accepts.

    `allowed` lists the possible values if there are few, with their meanings unless
    the values are self-explanatory.
    """

    about: str
    _: KW_ONLY
    default: Value
    allowed: Collection[int | str] = ()
    bounds: tuple[int, int] = (0, MAX_INT)
    nullable: bool = False
    legacy: str | None = None
    """The legacy group, if older clients get the setting as a separate field."""

    @property
    def explained(self) -> str:
        """Description: its subject, and the meanings of its values or their bounds."""
        return explain_setting(self.about, type(self.default), self.allowed, self.bounds)

    def read(self, name: str, raw: object) -> Value:
        """Return the setting's value for client input.

        :raises InvalidParameter: of another type, out of bounds, or not among the allowed ones
        """
        if raw is None and self.nullable:
            return None
        kind = type(self.default)
        bounds = (0, MAX_TEXT_LENGTH) if kind is str else self.bounds
        return read_value(name, raw, kind, allowed=self.allowed, bounds=bounds)


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
_TIMES = {1: "the client decides", 2: "always", 3: "never"}
_POLICIES: Mapping[int, str] = {
    AutomaticPolicy.PARTICIPATED.value: "topics in which the user takes part",
    AutomaticPolicy.SENT.value: "topics to which the user sends messages",
    AutomaticPolicy.STARTED.value: "topics that the user starts",
    AutomaticPolicy.NEVER.value: "none",
}
_WHO_SEES: Mapping[int, str] = {
    EmailVisibility.EVERYONE.value: "everybody",
    EmailVisibility.MEMBERS.value: "members and above",
    EmailVisibility.ADMINISTRATORS.value: "administrators",
    EmailVisibility.NOBODY.value: "nobody",
    EmailVisibility.MODERATORS.value: "moderators and above",
}

RESOLVED_NOTICES = "resolved_topic_notice_auto_read_policy"
EXPORT_CONSENT = "allow_private_data_export"

SETTINGS: Mapping[str, UserSetting] = {
    # Appearance of messages and channels.
    "twenty_four_hour_time": UserSetting(
        "Whether times are shown with 24 hours; null: the language decides.",
        default=False,
        nullable=True,
        legacy=_DISPLAY,
    ),
    "web_mark_read_on_scroll_policy": UserSetting(
        "Whether scrolling past messages marks them as read.",
        default=1,
        allowed={1: "always", 2: "in conversations only", 3: "never"},
    ),
    "web_channel_default_view": UserSetting(
        "The view that a click on a channel opens.",
        default=1,
        allowed={
            1: "the newest topic",
            2: "all of its messages",
            3: "the list of topics",
            4: "the topic with the newest unread message",
        },
    ),
    "starred_message_counts": UserSetting(
        "Whether the number of starred messages is shown.", default=True, legacy=_DISPLAY
    ),
    "receives_typing_notifications": UserSetting(
        "Whether typing notifications of others are received.", default=True, legacy=_DISPLAY
    ),
    "web_suggest_update_timezone": UserSetting(
        "Whether clients suggest a change if their time zone differs from the setting.", default=True
    ),
    "fluid_layout_width": UserSetting(
        "Whether the page fills the width of a wide screen.", default=False, legacy=_DISPLAY
    ),
    "high_contrast_mode": UserSetting(
        "Whether clients use stronger contrasts.", default=False, legacy=_DISPLAY
    ),
    "web_font_size_px": UserSetting("The size of text, in pixels.", default=16, bounds=(1, 100)),
    "web_line_height_percent": UserSetting(
        "The height of a line, in percent of the size of text.", default=140, bounds=(1, 1000)
    ),
    "color_scheme": UserSetting(
        "The colour scheme.",
        default=1,
        allowed={1: "the setting of the device", 2: "dark", 3: "light"},
        legacy=_DISPLAY,
    ),
    "translate_emoticons": UserSetting(
        "Whether clients replace `:)` by an emoji during typing.", default=False, legacy=_DISPLAY
    ),
    "display_emoji_reaction_users": UserSetting(
        "Whether the names of users who reacted are shown instead of their number, if they are few.",
        default=True,
    ),
    "default_language": UserSetting(
        "The language of clients, by its code.",
        default="en",
        allowed=tuple(LANGUAGES),
        legacy=_DISPLAY,
    ),
    "web_home_view": UserSetting(
        "The first view.",
        default="inbox",
        allowed=("recent_topics", "inbox", "all_messages"),
        legacy=_DISPLAY,
    ),
    "web_escape_navigates_to_home_view": UserSetting(
        "Whether the Escape key leads to that first view.", default=True
    ),
    "left_side_userlist": UserSetting(
        "Whether the list of people is on the left in narrow windows.",
        default=False,
        legacy=_DISPLAY,
    ),
    "emojiset": UserSetting(
        "The style of emoji.", default="google", allowed=tuple(EMOJI_SETS), legacy=_DISPLAY
    ),
    "demote_inactive_streams": UserSetting(
        "Whether quiet channels are listed last.", default=1, allowed=_TIMES, legacy=_DISPLAY
    ),
    "user_list_style": UserSetting(
        "The contents of the list of people.",
        default=3,
        allowed={1: "the name", 2: "the status too", 3: "status and picture too"},
    ),
    "web_animate_image_previews": UserSetting(
        "The times when animated pictures move.", default="on_hover", allowed=("always", "on_hover", "never")
    ),
    "web_stream_unreads_count_display_policy": UserSetting(
        "Channels that show the number of unread messages.",
        default=2,
        allowed={1: "all", 2: "those that are not muted", 3: "none"},
    ),
    "hide_ai_features": UserSetting("Whether features with language models are hidden.", default=False),
    "web_left_sidebar_show_channel_folders": UserSetting(
        "Whether channels are listed by folder.", default=True
    ),
    "web_left_sidebar_unreads_count_summary": UserSetting(
        "Whether the number of all unread messages is shown.", default=True
    ),
    "web_navigate_to_sent_message": UserSetting(
        "Whether clients navigate to the conversation of a message that the user has sent.", default=True
    ),
    "timezone": UserSetting(
        "A time zone by its name, such as `Europe/London`, or empty.", default="", legacy=_DISPLAY
    ),
    "enter_sends": UserSetting(
        "Whether Enter sends a message, instead of Ctrl and Enter.", default=False, legacy=_DISPLAY
    ),
    "enable_drafts_synchronization": UserSetting(
        "Whether drafts are kept on the server.", default=True, legacy=_DISPLAY
    ),
    # Notifications.
    "enable_stream_desktop_notifications": UserSetting(
        "Whether all messages in channels cause desktop notifications.",
        default=False,
        legacy=_NOTIFICATIONS,
    ),
    "enable_stream_email_notifications": UserSetting(
        "Whether all messages in channels cause e-mails.", default=False, legacy=_NOTIFICATIONS
    ),
    "enable_stream_push_notifications": UserSetting(
        "Whether all messages in channels cause push notifications.", default=False, legacy=_NOTIFICATIONS
    ),
    "enable_stream_audible_notifications": UserSetting(
        "Whether all messages in channels cause sounds.", default=False, legacy=_NOTIFICATIONS
    ),
    "notification_sound": UserSetting(
        "The sound; `none` is silence.",
        default="service",
        allowed=(*NOTIFICATION_SOUNDS, NO_SOUND),
        legacy=_NOTIFICATIONS,
    ),
    "enable_desktop_notifications": UserSetting(
        "Whether direct messages and mentions cause desktop notifications.",
        default=True,
        legacy=_NOTIFICATIONS,
    ),
    "enable_sounds": UserSetting(
        "Whether direct messages and mentions cause sounds.", default=True, legacy=_NOTIFICATIONS
    ),
    "enable_followed_topic_desktop_notifications": UserSetting(
        "Whether followed topics cause desktop notifications.", default=True
    ),
    "enable_followed_topic_email_notifications": UserSetting(
        "Whether followed topics cause e-mails.", default=True
    ),
    "enable_followed_topic_push_notifications": UserSetting(
        "Whether followed topics cause push notifications.", default=True
    ),
    "enable_followed_topic_audible_notifications": UserSetting(
        "Whether followed topics cause sounds.", default=True
    ),
    "enable_followed_topic_wildcard_mentions_notify": UserSetting(
        "Whether wildcards such as `@**all**` count as mentions in followed topics.", default=True
    ),
    "email_notifications_batching_period_seconds": UserSetting(
        "The seconds for which messages are collected into one e-mail.",
        default=120,
        bounds=(0, 604_800),
        legacy=_NOTIFICATIONS,
    ),
    "enable_offline_email_notifications": UserSetting(
        "Whether direct messages and mentions cause e-mails while the user is offline.",
        default=True,
        legacy=_NOTIFICATIONS,
    ),
    "enable_offline_push_notifications": UserSetting(
        "Whether direct messages and mentions cause push notifications while the user is offline.",
        default=True,
        legacy=_NOTIFICATIONS,
    ),
    "enable_online_push_notifications": UserSetting(
        "Whether push notifications are also sent while the user is active; so far, none is sent then.",
        default=True,
        legacy=_NOTIFICATIONS,
    ),
    "enable_digest_emails": UserSetting(
        "Whether the user receives a summary by e-mail after a long absence, once a week.",
        default=True,
        legacy=_NOTIFICATIONS,
    ),
    "enable_marketing_emails": UserSetting(
        "Whether the user receives announcements of the service by e-mail; so far, none is sent.",
        default=True,
        legacy=_NOTIFICATIONS,
    ),
    "enable_login_emails": UserSetting(
        "Whether a login from a new device causes an e-mail.", default=True, legacy=_NOTIFICATIONS
    ),
    "message_content_in_email_notifications": UserSetting(
        "Whether e-mails quote the messages.", default=True, legacy=_NOTIFICATIONS
    ),
    "pm_content_in_desktop_notifications": UserSetting(
        "Whether desktop notifications quote direct messages.", default=True, legacy=_NOTIFICATIONS
    ),
    "wildcard_mentions_notify": UserSetting(
        "Whether wildcards such as `@**all**` count as mentions.", default=True, legacy=_NOTIFICATIONS
    ),
    "desktop_icon_count_display": UserSetting(
        "The messages that the number on the client's icon counts.",
        default=1,
        allowed={
            1: "all unread messages",
            2: "direct messages, mentions, followed topics",
            3: "direct messages and mentions",
            4: "nothing",
        },
        legacy=_NOTIFICATIONS,
    ),
    "realm_name_in_email_notifications_policy": UserSetting(
        "Whether the subject of e-mails names the organization.",
        default=1,
        allowed=_TIMES,
        legacy=_NOTIFICATIONS,
    ),
    # Automatic changes of topic policies.
    "automatically_follow_topics_policy": UserSetting(
        "Topics that are followed automatically.", default=AutomaticPolicy.STARTED.value, allowed=_POLICIES
    ),
    "automatically_unmute_topics_in_muted_streams_policy": UserSetting(
        "Topics of muted channels that are unmuted automatically.",
        default=AutomaticPolicy.SENT.value,
        allowed=_POLICIES,
    ),
    "automatically_follow_topics_where_mentioned": UserSetting(
        "Whether topics in which the user is mentioned are followed automatically.", default=True
    ),
    RESOLVED_NOTICES: UserSetting(
        "Whether the notice that a topic was resolved is read on arrival.",
        default="except_followed",
        allowed=("always", "except_followed", "never"),
    ),
    # Visibility for others.
    "presence_enabled": UserSetting(
        "Whether others see the user's presence.", default=True, legacy=_NOTIFICATIONS
    ),
    "send_private_typing_notifications": UserSetting(
        "Whether typing a direct message notifies its recipients.", default=True
    ),
    "send_stream_typing_notifications": UserSetting(
        "Whether typing in a channel notifies its subscribers.", default=True
    ),
    "send_read_receipts": UserSetting("Whether others see which messages the user has read.", default=True),
    EXPORT_CONSENT: UserSetting(
        "Whether an export of the organization may contain the user's private data.", default=False
    ),
    "email_address_visibility": UserSetting(
        "The users who see the user's address.", default=EmailVisibility.EVERYONE.value, allowed=_WHO_SEES
    ),
}
"""Every setting."""

DEFAULTS: Mapping[str, Value] = {name: setting.default for name, setting in SETTINGS.items()}

OFFERED_CHOICES: Mapping[str, object] = {
    "available_notification_sounds": list(NOTIFICATION_SOUNDS),
    "emojiset_choices": [{"key": key, "text": text} for key, text in EMOJI_SETS.items()],
}
"""Choices that clients may offer, sent along with the settings."""

OFFERED_IN_LEGACY_GROUP: Mapping[str, str] = {
    "available_notification_sounds": _NOTIFICATIONS,
    "emojiset_choices": _DISPLAY,
}
"""The legacy group of settings beside which older clients get each of these choices."""
