"""Values of settings: of any, and of the organization's."""

from typing import Any

import pytest

from chatcore.domain.choices import MAX_INT, explain_setting, read_value, require_one_of
from chatcore.domain.errors import BadRequest, InsufficientRole, InvalidParameter
from chatcore.domain.groups.actors import Actor
from chatcore.domain.groups.system import system_groups_of
from chatcore.domain.ids import RecipientId, UserId
from chatcore.domain.languages import LANGUAGES
from chatcore.domain.organization.organization import Organization
from chatcore.domain.organization.settings import (
    MAX_NAME_LENGTH,
    SETTINGS,
    checked_organization_name,
    require_may_change,
)
from chatcore.domain.people.settings import SETTINGS as SETTINGS_OF_USERS
from chatcore.domain.roles import Role


@pytest.mark.parametrize(
    ("raw", "kind", "options", "refusal"),
    [
        (True, bool, {}, None),
        (1, bool, {}, "Expected a boolean"),
        (0, int, {}, None),
        (True, int, {}, "Expected an integer"),
        (MAX_INT, int, {}, None),
        (MAX_INT + 1, int, {}, "Expected 0 to"),
        (-1, int, {"otherwise": " or 'never'"}, "or 'never'"),
        (3, int, {"allowed": (1, 2)}, "Expected one of 1, 2"),
        ("b", str, {"allowed": ("a", "b")}, None),
        ("c", str, {"allowed": ("a", "b")}, "Expected one of a, b"),
        ("abc", str, {"bounds": (1, 3)}, None),
        ("", str, {"bounds": (1, 3)}, "Expected 1 to 3 characters"),
        ("abcd", str, {"bounds": (0, 3)}, "Expected at most 3 characters"),
        (None, str, {}, "Expected text"),
        ([], str, {}, "Expected text"),
    ],
)
def test_values_of_settings_are_checked(
    raw: object, kind: type, options: dict[str, Any], refusal: str | None
) -> None:
    if refusal is None:
        assert read_value("x", raw, kind, **options) == raw
    else:
        with pytest.raises(InvalidParameter, match=refusal):
            read_value("x", raw, kind, **options)


def test_a_value_outside_the_choices_is_refused() -> None:
    require_one_of("x", "a", ["a", "b"])
    with pytest.raises(InvalidParameter, match="Expected one of a, b"):
        require_one_of("x", "c", ["a", "b"])


@pytest.mark.parametrize(
    ("kind", "allowed", "words"),
    [
        (int, {1: "always", 2: "never"}, "When. 1 always, 2 never."),
        (int, (), "When. 3 to 5."),
        (str, (), "When."),
    ],
)
def test_explanations_of_refused_settings(kind: type, allowed: Any, words: str) -> None:
    assert explain_setting("When.", kind, allowed, (3, 5)) == words


# -- of the organization ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("raw", "name"),
    [
        (" Lunch ", "Lunch"),
        ("x" * MAX_NAME_LENGTH, "x" * MAX_NAME_LENGTH),
        ("x" * (MAX_NAME_LENGTH + 1), None),
        ("", None),
        ("  ", None),
        ("\u200b", None),
        ("a\nb", None),
    ],
)
def test_names_of_organizations(raw: str, name: str | None) -> None:
    if name is None:
        with pytest.raises(BadRequest):
            checked_organization_name(raw)
    else:
        assert checked_organization_name(raw) == name


@pytest.mark.parametrize(
    ("name", "raw", "value"),
    [
        ("name", " Lunch ", "Lunch"),
        ("description", "a\r\nb", "a\nb"),
        ("message_content_edit_limit_seconds", 60, 60),
        ("message_content_edit_limit_seconds", "unlimited", None),
        ("message_content_edit_limit_seconds", None, None),
        ("new_stream_announcements_stream_id", -1, None),
        ("upload_quota_mib", 0, 0),
        ("require_unique_names", False, False),
    ],
)
def test_values_of_the_organization_are_read(name: str, raw: object, value: object) -> None:
    assert SETTINGS[name].read(name, raw) == value


@pytest.mark.parametrize(
    ("name", "raw"),
    [
        ("message_content_edit_limit_seconds", 0),
        ("message_content_edit_limit_seconds", "never"),
        ("description", "a\0b"),
        ("waiting_period_threshold", 36_501),
        ("waiting_period_threshold", None),
        ("require_unique_names", 1),
        ("topics_policy", "inherit"),
    ],
)
def test_refused_values_of_the_organization(name: str, raw: object) -> None:
    with pytest.raises((BadRequest, InvalidParameter)):
        SETTINGS[name].read(name, raw)


@pytest.mark.parametrize("name", SETTINGS)
@pytest.mark.parametrize("role", Role)
def test_roles_decide_who_may_change_settings(name: str, role: Role) -> None:
    actor = Actor(UserId(RecipientId(7)), role, system_groups_of(role, full_member=True))
    if role == Role.OWNER or (role == Role.ADMINISTRATOR and not SETTINGS[name].of_owners):
        require_may_change(actor, [SETTINGS[name]])
    else:
        with pytest.raises(InsufficientRole):
            require_may_change(actor, [SETTINGS[name]])


@pytest.mark.parametrize("name", SETTINGS)
def test_settings_are_fields_of_the_organization(name: str) -> None:
    """Explained in a sentence, with the value for none where there is one."""
    setting = SETTINGS[name]
    assert hasattr(Organization(name="o", date_created=0), name)
    assert setting.explained.endswith(".")
    assert (setting.sent_for_none is None) or f"{setting.sent_for_none} for none" in setting.explained
    assert setting.explained.endswith("Owners only.") is setting.of_owners


def test_languages_that_can_be_chosen() -> None:
    for code in LANGUAGES:
        assert SETTINGS_OF_USERS["default_language"].read("default_language", code) == code
    with pytest.raises(InvalidParameter):
        SETTINGS_OF_USERS["default_language"].read("default_language", "xx")
