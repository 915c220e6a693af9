"""The table of user settings."""

import pytest

from chatcore.domain.errors import InvalidParameter
from chatcore.domain.ids import UserId
from chatcore.domain.people import setting_values
from chatcore.domain.people.settings import DEFAULTS, SETTINGS
from chatcore.domain.people.users import EmailVisibility, User


def user(**fields: object) -> User:
    return User(id=UserId(1), email="ada@example.org", full_name="Ada", date_joined=1, **fields)  # type: ignore[arg-type]


def test_unchanged_settings_have_the_default() -> None:
    assert setting_values.values(user()) == DEFAULTS


def test_changed_settings_override_the_default() -> None:
    changed = user(
        settings={"emojiset": "text", "presence_enabled": False},
        timezone="Europe/London",
        email_visibility=EmailVisibility.NOBODY,
    )
    assert setting_values.value(changed, "emojiset") == "text"
    assert setting_values.values(changed) == {
        **DEFAULTS,
        "emojiset": "text",
        "presence_enabled": False,
        "timezone": "Europe/London",
        "email_address_visibility": 4,
    }


@pytest.mark.parametrize("name", SETTINGS)
def test_every_default_is_a_value_that_a_client_may_send(name: str) -> None:
    setting = SETTINGS[name]
    assert setting.read(name, setting.default) == setting.default


@pytest.mark.parametrize(
    ("name", "raw"),
    [
        ("presence_enabled", 1),
        ("presence_enabled", None),
        ("color_scheme", True),
        ("color_scheme", 4),
        ("color_scheme", "1"),
        ("web_font_size_px", 10**30),
        ("web_font_size_px", 1.5),
        ("emojiset", "other"),
        ("default_language", "x" * 51),
        ("timezone", ["Europe/London"]),
    ],
)
def test_other_values_are_refused(name: str, raw: object) -> None:
    with pytest.raises(InvalidParameter) as refused:
        SETTINGS[name].read(name, raw)
    assert refused.value.extra == {"var_name": name}


def test_a_clock_of_no_choice_is_allowed() -> None:
    assert SETTINGS["twenty_four_hour_time"].read("twenty_four_hour_time", None) is None
