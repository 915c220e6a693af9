"""Forms of events about the settings and lists of one user."""

from chatcore.domain.choices import Value
from chatcore.domain.languages import LANGUAGES
from chatcore.events import happened
from chatcore.events.sending.event import Fields
from chatcore.events.sending.formatter import form, whole_list
from chatcore.events.sending.listener import Listener


def _setting(event: happened.SettingChanged, listener: Listener) -> Fields:
    fields = {"type": event.type, "op": "update", "property": event.name, "value": event.value}
    return {**fields, **_language_name(event.name, event.value)}


def _notification(event: happened.NotificationSettingChanged, listener: Listener) -> Fields | None:
    if listener.capabilities.user_settings_object:
        return None
    return {
        "type": event.type,
        "user": event.email,
        "notification_name": event.name,
        "setting": event.value,
    }


def _display(event: happened.DisplaySettingChanged, listener: Listener) -> Fields | None:
    if listener.capabilities.user_settings_object:
        return None
    fields = {
        "type": event.type,
        "user": event.email,
        "setting_name": event.name,
        "setting": event.value,
    }
    return {**fields, **_language_name(event.name, event.value)}


def _language_name(setting: str, value: Value) -> Fields:
    if setting != "default_language":
        return {}
    return {"language_name": LANGUAGES.get(str(value), value)}


FORMATTERS = (
    form(happened.SettingChanged, _setting),
    form(happened.NotificationSettingChanged, _notification),
    form(happened.DisplaySettingChanged, _display),
    whole_list(happened.AlertWordsChanged),
    whole_list(happened.MutedUsersChanged),
    whole_list(happened.OnboardingStepsChanged),
)
