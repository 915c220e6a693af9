"""Settings and lists of one user."""

from typing import Literal, NotRequired, TypedDict

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


class SettingEvent(Payload):
    """A setting of the reader has changed."""

    type: Literal["user_settings"]
    op: Literal["update"]
    property: str
    value: Value
    language_name: NotRequired[str]


class NotificationSettingEvent(Payload):
    """The older form of `SettingEvent`."""

    type: Literal["update_global_notifications"]
    user: str
    notification_name: str
    setting: Value


class DisplaySettingEvent(Payload):
    """The older form of `SettingEvent`."""

    type: Literal["update_display_settings"]
    user: str
    setting_name: str
    setting: Value
    language_name: NotRequired[str]


class AlertWordsEvent(Payload):
    type: Literal["alert_words"]
    alert_words: list[str]


class MutedUsersEvent(Payload):
    type: Literal["muted_users"]
    muted_users: list[MutedUserObject]


class OnboardingStepsEvent(Payload):
    type: Literal["onboarding_steps"]
    onboarding_steps: list[OnboardingStepObject]
