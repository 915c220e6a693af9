"""Payloads of events about the settings and lists of one user."""

from chatcore.domain.choices import Value
from chatcore.domain.ids import Position
from chatcore.domain.languages import LANGUAGES
from chatcore.events import happened
from chatcore.events.payloads.settings import (
    DisplaySettingEvent,
    LanguageName,
    NotificationSettingEvent,
    SettingEvent,
)
from chatcore.events.sending.formatter import one_payload, whole_list
from chatcore.events.sending.listener import Listener


def _format_setting_changed(
    event: happened.SettingChanged, listener: Listener, position: Position
) -> SettingEvent:
    return {
        "type": "user_settings",
        "op": "update",
        "property": event.name,
        "value": event.value,
        **_language_name(event.name, event.value),
        "id": position,
    }


def _format_notification_setting_changed(
    event: happened.NotificationSettingChanged, listener: Listener, position: Position
) -> NotificationSettingEvent | None:
    if listener.capabilities.user_settings_object:
        return None
    return {
        "type": "update_global_notifications",
        "user": event.email,
        "notification_name": event.name,
        "setting": event.value,
        "id": position,
    }


def _format_display_setting_changed(
    event: happened.DisplaySettingChanged, listener: Listener, position: Position
) -> DisplaySettingEvent | None:
    if listener.capabilities.user_settings_object:
        return None
    return {
        "type": "update_display_settings",
        "user": event.email,
        "setting_name": event.name,
        "setting": event.value,
        **_language_name(event.name, event.value),
        "id": position,
    }


def _language_name(setting: str, value: Value) -> LanguageName:
    if setting != "default_language":
        return {}
    return {"language_name": LANGUAGES.get(str(value), str(value))}


FORMATTERS = (
    one_payload(happened.SettingChanged, _format_setting_changed),
    one_payload(happened.NotificationSettingChanged, _format_notification_setting_changed),
    one_payload(happened.DisplaySettingChanged, _format_display_setting_changed),
    whole_list(happened.AlertWordsChanged),
    whole_list(happened.MutedUsersChanged),
    whole_list(happened.OnboardingStepsChanged),
)
