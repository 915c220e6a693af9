"""The settings that a client reads before it logs in."""

from collections.abc import Mapping
from typing import Any

import pytest

from chatcore.application.organization.server_settings import server_settings
from chatcore.domain.organization.organization import Organization
from chatcore.storage import Storage
from tests.worlds.registering import World, services

FIELDS: Mapping[str, type] = {
    "authentication_methods": dict,
    "external_authentication_methods": list,
    "service_feature_level": int,
    "service_version": str,
    "service_merge_base": str,
    "push_notifications_enabled": bool,
    "is_incompatible": bool,
    "email_auth_enabled": bool,
    "require_email_format_usernames": bool,
}
ORGANIZATION_FIELDS: Mapping[str, type] = {
    "realm_url": str,
    "realm_uri": str,
    "realm_name": str,
    "realm_icon": str,
    "realm_description": str,
    "realm_web_public_access_enabled": bool,
}
METHODS = {
    "password", "dev", "email", "ldap", "remoteuser", "saml", "openid connect",
    "apple", "azuread", "github", "gitlab", "google",
}  # fmt: skip


def answer_of(storage: Storage, *, development: bool = False, **settings: Any) -> dict[str, Any]:
    storage.write(lambda tx: tx.organization.put(Organization(name="A", date_created=1, **settings)))
    return server_settings(services(storage, development=development))


@pytest.mark.shows(
    "settings.authentication-methods", "settings.feature-level", "settings.push", "settings.incompatible",
    "settings.realm-url", "version.reported", "change.realm-url",
)  # fmt: skip
def test_every_field_is_there_with_its_type(storage: Storage) -> None:
    world = World(storage)
    answer = server_settings(world.svc)
    assert {name: type(value) for name, value in answer.items()} == {**FIELDS, **ORGANIZATION_FIELDS}
    assert answer["realm_name"] == "Analytical Society"
    assert answer["realm_url"] == answer["realm_uri"] == "https://chat.example.org"
    assert set(answer["authentication_methods"]) == METHODS  # type: ignore[call-overload]


@pytest.mark.shows("settings.merge-base")
def test_this_is_no_fork(storage: Storage) -> None:
    answer = server_settings(services(storage))
    assert answer["service_merge_base"] == answer["service_version"] != ""


@pytest.mark.shows("version.level")
def test_the_level_is_that_of_the_newest_change_that_is_there(storage: Storage) -> None:
    assert server_settings(services(storage))["service_feature_level"] == 421


@pytest.mark.shows("settings.no-organization")
def test_without_an_organization_its_fields_are_left_out(storage: Storage) -> None:
    for answer in (server_settings(None), server_settings(services(storage))):
        assert {name: type(value) for name, value in answer.items()} == FIELDS
        assert answer["email_auth_enabled"] is False


@pytest.mark.shows("settings.authentication-methods", "settings.email-auth", "authentication.methods")
@pytest.mark.parametrize(
    ("setup", "on"),
    [
        ({}, {"password", "email"}),
        ({"password_auth_enabled": False}, set()),
        ({"development": True}, {"password", "email", "dev"}),
    ],
)
def test_only_ways_to_log_in_that_work_are_on(storage: Storage, setup: dict[str, Any], on: set[str]) -> None:
    answer = answer_of(storage, **setup)
    assert {name for name, enabled in answer["authentication_methods"].items() if enabled} == on
    assert answer["email_auth_enabled"] is ("email" in on)


@pytest.mark.shows("settings.realm-description")
def test_the_description_is_html(storage: Storage) -> None:
    answer = answer_of(storage, description="*Hi*", rendered_description="<p><em>Hi</em></p>")
    assert answer["realm_description"] == "<p><em>Hi</em></p>"
