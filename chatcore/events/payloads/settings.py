"""Settings and lists of one user."""

from typing import Literal, TypedDict

from chatcore.domain.choices import Value
from chatcore.events.payloads.parts import Payload

__all__ = [
    "AlertWordsEvent",
    "DisplaySettingEvent",
    "MutedUserObject",
    "MutedUsersEvent",
    "NotificationSettingEvent",
    "OnboardingStepObject",
    "OnboardingStepsEvent",
    "SettingEvent",
]


class MutedUserObject(TypedDict):
    """A muted user, and the time of muting."""

    id: int
    timestamp: int


class OnboardingStepObject(TypedDict):
    """A step that a person has not seen yet."""

    type: str
    name: str


class LanguageName(TypedDict, total=False):
    """The name of a language in itself; only for the setting `default_language`."""

    language_name: str


class SettingEvent(Payload, LanguageName):
    """A setting of the reader has changed."""

    type: Literal["user_settings"]
    op: Literal["update"]
    property: str
    value: Value


class NotificationSettingEvent(Payload):
    """The older payload beside `SettingEvent`."""

    type: Literal["update_global_notifications"]
    user: str
    notification_name: str
    setting: Value


class DisplaySettingEvent(Payload, LanguageName):
    """The older payload beside `SettingEvent`."""

    type: Literal["update_display_settings"]
    user: str
    setting_name: str
    setting: Value


class AlertWordsEvent(Payload):
    type: Literal["alert_words"]
    alert_words: list[str]


class MutedUsersEvent(Payload):
    type: Literal["muted_users"]
    muted_users: list[MutedUserObject]


class OnboardingStepsEvent(Payload):
    type: Literal["onboarding_steps"]
    onboarding_steps: list[OnboardingStepObject]
