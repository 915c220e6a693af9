"""Rules for the values of settings, whether a program, the environment or a file gives them."""

from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest

from chatcore.configuration import FILE_READERS, SETTING_READERS, from_environment
from chatcore.domain.sign_on.providers import Provider
from chatcore.settings import BadSetting, Settings
from chatcore.settings.rules import RULES

SECRET = "k" * 32
NOT_READ = {"url_is_a_guess", "rate_limit_rules", "limits", "organizations", "oidc"}

REFUSED = [
    ("secret_key", b"too short", "at least 32"),
    ("secret_key", SECRET, "at least 32"),
    ("external_url", "chat.example.com", "complete address"),
    ("external_url", "https://", "complete address"),
    ("external_url", "https://chat.example.com /", "complete address"),
    ("rate_limit_rules", {"api_by_nobody": "5/minute"}, "there is no rate limit 'api_by_nobody'"),
    ("rate_limit_rules", {"api_by_user": "many"}, "use a limit such as"),
    ("limits", {"max_soups": 3}, "there is no limit 'max_soups' that can be set"),
    ("limits", {"max_topic_length": 70}, "there is no limit 'max_topic_length' that can be set"),
    ("limits", {"max_users": 0}, "for 'max_users' use a number from 1 to 1000000"),
    ("external_images", "all", "use one of"),
    ("web_push", "all", "one of text, notice, off"),
    ("connections_per_address", -1, "at least 0"),
    ("trusted_proxies", -1, "at least 0"),
    ("forwarded_headers", frozenset({"for", "port"}), "some of for, proto"),
    ("frame_ancestors", ("https://*.example.com",), "scheme, host and port alone"),
    ("uploads_url", "https://uploads", "s3://bucket"),
    ("metrics_token", "too short", "at least 20 plain characters"),
    ("metrics_token", "é" * 20, "at least 20 plain characters"),
    ("scim_token", "x" * 31, "at least 32 plain characters"),
    ("scim_token", "é" * 32, "at least 32 plain characters"),
    ("scim_token", "x " * 16, "at least 32 plain characters"),
    ("bigbluebutton_url", "calls.example.com", "complete address"),
    ("smtp_port", 0, "from 1 to 65535"),
    ("smtp_port", 65_536, "from 1 to 65535"),
    ("smtp_tls", "STARTTLS", "one of starttls, tls, off"),
    ("smtp_timeout", 0, "at least 1"),
    ("mail_from", "a@b.example\nBcc: c@d.example", "use an address such as"),
    ("jwt_key", b"too short", "at least 32"),
    ("jwt_algorithms", (), "some of HS256"),
    ("jwt_algorithms", ("none",), "some of HS256"),
    ("jwt_algorithms", "HS256", "some of HS256"),
    ("remote_user_header", "Remote_User", "letters, digits and hyphens"),
    ("remote_user_proxies", ("0.0.0.0/0",), "anybody could log in as anybody"),
    ("remote_user_email_header", "Remote-Email:", "letters, digits and hyphens"),
    ("remote_user_domain", "@example.com", "a domain such as"),
    ("remote_user_name_header", "Remote Name", "letters, digits and hyphens"),
    ("remote_user_groups_header", "Grüppen", "letters, digits and hyphens"),
    ("remote_user_logout_url", "/logout", "complete address"),
    ("login_app_scheme", "https", "a scheme that is the app's own"),
    ("oidc", (Provider(name="Our login", issuer="https://login.example.com", client_id="c"),), "is no name"),
    ("audit_days", 0, "from 1 to 36500"),
    ("log_format", "xml", "one of text, json, off"),
    ("log_level", "debug", "one of info, warning, error"),
]


@pytest.mark.parametrize(("name", "value", "reason"), REFUSED, ids=[name for name, _, _ in REFUSED])
def test_a_program_cannot_give_a_value_that_is_not_allowed(name: str, value: Any, reason: str) -> None:
    with pytest.raises(BadSetting, match=reason) as refusal:
        Settings(**{name: value})
    assert str(refusal.value).startswith(name)
    assert "too short" not in str(refusal.value)
    with pytest.raises(BadSetting, match=reason):
        replace(Settings(), **{name: value})


@pytest.mark.parametrize(
    "networks", [("proxy",), ("::/0",), ("10.1.0.1/16",), ("127.0.0.1", ""), "127.0.0.1"], ids=str
)
def test_proxies_are_addresses_and_networks(networks: Any) -> None:
    with pytest.raises(BadSetting, match=r"^remote_user_proxies is .*use "):
        Settings(remote_user_header="Remote-User", remote_user_proxies=networks)


NAMED: dict[str, Any] = {"remote_user_header": "Remote-User", "remote_user_proxies": ("127.0.0.1",)}


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        ({"remote_user_header": "Remote-User"}, "name the addresses of the proxies"),
        ({"remote_user_proxies": ("unix",)}, "set without remote_user_header"),
        ({"remote_user_domain": "example.com"}, "set without remote_user_header"),
        ({"remote_user_logout_url": "https://login.example.com/out"}, "set without remote_user_header"),
        ({**NAMED, "remote_user_groups": ("staff",)}, "have an effect together alone"),
        ({**NAMED, "remote_user_groups_header": "Remote-Groups"}, "have an effect together alone"),
    ],
)
def test_a_header_is_believed_from_named_proxies_alone(given: dict[str, Any], reason: str) -> None:
    with pytest.raises(BadSetting, match=reason):
        Settings(**given)
    assert replace(Settings(**NAMED), remote_user_proxies=("::1", "10.1.0.0/16", "unix"))


def test_each_rule_refuses_something() -> None:
    assert {name for name, _, _ in REFUSED} == RULES.keys()


def test_each_setting_has_a_variable() -> None:
    assert {one.name for one in fields(Settings)} == {*SETTING_READERS, *NOT_READ}
    assert FILE_READERS.keys() <= SETTING_READERS.keys()


def test_addresses_end_without_a_slash() -> None:
    given = Settings(external_url="https://chat.example.com/club/", bigbluebutton_url="https://bbb.example/")
    assert (given.external_url, given.bigbluebutton_url) == (
        "https://chat.example.com/club",
        "https://bbb.example",
    )


def test_a_file_has_a_secret_of_any_bytes(tmp_path: Path) -> None:
    file = tmp_path / "key"
    file.write_bytes(bytes(range(128, 192)) + b"\n")
    variable = "CHATCORE_SECRET_KEY_FILE"
    assert from_environment({variable: str(file)}).secret_key == bytes(range(128, 192))
    file.write_bytes(b"too short")
    with pytest.raises(BadSetting, match="at least 32") as refusal:
        from_environment({variable: str(file)})
    assert str(refusal.value).startswith(f"{variable} is '{file}'")


@pytest.mark.parametrize("variable", ["CHATCORE_SECRET_KEY", "CHATCORE_JWT_KEY", "CHATCORE_METRICS_TOKEN"])
@pytest.mark.parametrize("text", ["", "hunter2", "hunter2\udcff"])
def test_no_message_shows_a_secret(variable: str, text: str) -> None:
    with pytest.raises(BadSetting, match=f"{variable} cannot be used") as refusal:
        from_environment({variable: text})
    assert "hunter2" not in str(refusal.value)
    assert refusal.value.__cause__ is None
    assert refusal.value.__suppress_context__


def test_each_of_several_organizations_has_a_proxy_of_its_own(tmp_path: Path) -> None:
    for name, more in (
        ("club", ""),
        ("team", 'remote_user_header = "X-User"\nremote_user_proxies = "10.1.0.2, UNIX"\n'),
    ):
        (tmp_path / name).mkdir()
        text = f'external_url = "https://{name}.example.com"\n{more}'
        (tmp_path / name / "chatcore.toml").write_text(text)
    server = from_environment({"CHATCORE_ORGANIZATIONS": str(tmp_path), "CHATCORE_TRUSTED_PROXIES": "1"})
    club, team = server.organizations
    assert (club.remote_user_header, club.remote_user_proxies) == ("", ())
    assert (team.remote_user_header, team.remote_user_proxies) == ("X-User", ("10.1.0.2", "unix"))
    with pytest.raises(BadSetting, match="of each organization"):
        from_environment(
            {
                "CHATCORE_ORGANIZATIONS": str(tmp_path),
                "CHATCORE_REMOTE_USER_HEADER": "X-User",
                "CHATCORE_REMOTE_USER_PROXIES": "unix",
            }
        )


@pytest.mark.parametrize(("text", "mode"), [("on", "proxy"), ("False", "off"), ("Direct", "direct")])
def test_pictures_of_other_sites_may_be_set_as_before(text: str, mode: str) -> None:
    assert from_environment({"CHATCORE_EXTERNAL_IMAGES": text}).external_images == mode
