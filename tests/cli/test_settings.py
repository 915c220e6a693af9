"""`chatcore settings`: each setting, its value in force, and where it comes from."""

import json
from pathlib import Path
from typing import Any

import pytest

from chatcore.configuration import LIMIT_VARIABLES, RULE_VARIABLES, VARIABLE_READERS
from chatcore.settings import BadSetting, Settings
from tests.test_cli import error_line, run


def settings(*arguments: str) -> dict[str, dict[str, Any]]:
    result = run("settings", "--json", *arguments)
    assert result.exit_code == 0, result.output
    rows = json.loads(result.stdout)
    assert len({row["name"] for row in rows}) == len(rows)
    return {row.pop("name"): row for row in rows}


def row(value: str | None, source: str = "default", place: object = "") -> dict[str, Any]:
    return {"value": value, "source": source, "place": str(place)}


def test_all_settings_are_listed_with_their_defaults(home: Path) -> None:
    rows = settings()
    names = {name for name, _ in VARIABLE_READERS.values()}
    names |= {name[9:].lower() for name in (*RULE_VARIABLES, *LIMIT_VARIABLES)}
    assert rows.keys() >= names | {"config", "host", "port", "workers", "organizations", "demo"}
    assert {(row["source"], row["place"]) for row in rows.values()} == {("default", "")}
    assert rows["port"] == row("9991")
    assert rows["config"] == row("")
    assert rows["database_url"] == row(f"sqlite:///{home}/chat.db")
    assert rows["data_dir"] == row(f"{home}/chat-data")
    assert rows["forwarded_headers"] == row("for, proto")
    assert rows["rate_limits_api_by_user"] == row("200 per 60 seconds")
    assert rows["limits_max_file_upload_size_mib"] == row("100")


def test_a_setting_says_where_it_comes_from(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = home / "chatcore.toml"
    file.write_text(
        'port = 8000\ntrusted_proxies = 2\nsmtp_port = 25\n[rate_limits]\napi_by_bot = "off"\n'
        "[limits]\nmax_users = 70\nmax_bots_per_user = 0\n"
    )
    monkeypatch.setenv("CHATCORE_SMTP_PORT", "465")
    monkeypatch.setenv("CHATCORE_LIMITS_MAX_BOTS_PER_USER", "7")
    rows = settings("--database", "sqlite:///other.db")
    assert rows["port"] == row("8000", "file", file)
    assert rows["external_url"] == row("http://127.0.0.1:8000")
    assert rows["trusted_proxies"] == row("2", "file", file)
    assert rows["smtp_port"] == row("465", "environment", "CHATCORE_SMTP_PORT")
    assert rows["rate_limits_api_by_bot"] == row("off", "file", file)
    assert rows["limits_max_users"] == row("70", "file", file)
    assert rows["limits_max_bots_per_user"] == row("7", "environment", "CHATCORE_LIMITS_MAX_BOTS_PER_USER")
    assert rows["database_url"] == row(f"sqlite:///{home}/other.db", "option", "--database")
    elsewhere = home / "elsewhere.toml"
    elsewhere.write_text("smtp_timeout = 5\n")
    monkeypatch.setenv("CHATCORE_CONFIG", str(elsewhere))
    rows = settings()
    assert rows["config"] == row(str(elsewhere), "environment", "CHATCORE_CONFIG")
    assert rows["smtp_timeout"] == row("5", "file", elsewhere)
    assert rows["trusted_proxies"] == row("0")


@pytest.mark.parametrize("is_json", [True, False])
def test_secrets_are_hidden(home: Path, monkeypatch: pytest.MonkeyPatch, is_json: bool) -> None:
    secret = "a-word-of-the-test-that-nobody-may-read"
    (home / "secret").write_text(secret)
    for name in ("SMTP_PASSWORD", "METRICS_TOKEN", "GIPHY_API_KEY", "BIGBLUEBUTTON_SECRET", "JWT_KEY"):
        monkeypatch.setenv(f"CHATCORE_{name}", secret)
    monkeypatch.setenv("CHATCORE_SECRET_KEY_FILE", str(home / "secret"))
    for name in ("DATABASE_URL", "READ_DATABASE_URL"):
        monkeypatch.setenv(f"CHATCORE_{name}", f"postgresql://chat:{secret}@host/name?password={secret}")
    result = run("settings", *(["--json"] if is_json else []))
    assert result.exit_code == 0, result.output
    assert secret not in result.output
    if is_json:
        rows = settings()
        assert rows["secret_key"] == row(None, "environment", "CHATCORE_SECRET_KEY_FILE")
        assert rows["database_url"] == row("postgresql://host/name", "environment", "CHATCORE_DATABASE_URL")
    else:
        assert "smtp_password = (hidden)  (environment CHATCORE_SMTP_PASSWORD)" in result.stdout.splitlines()


@pytest.mark.parametrize("name", ["BIGBLUEBUTTON_URL", "EXTERNAL_URL"])
@pytest.mark.parametrize("is_json", [True, False])
def test_addresses_are_shown_without_passwords(
    home: Path, monkeypatch: pytest.MonkeyPatch, name: str, is_json: bool
) -> None:
    monkeypatch.setenv(f"CHATCORE_{name}", "https://user:PASS@calls.example.com:8443/bbb/@me")
    result = run("settings", *(["--json"] if is_json else []))
    assert result.exit_code == 0, result.output
    assert not {"user", "PASS"} & set(result.output.replace(":", "/").split("/"))
    assert "https://calls.example.com:8443/bbb/@me" in result.output


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("uploads_url", "s3://KEY:PASS@bucket/prefix"),
        ("uploads_url", "KEY:PASS@bucket"),
        ("bigbluebutton_url", "https://user:PASS@calls.example.com/a b"),
        ("bigbluebutton_url", "https://user:PA/PASS@calls.example.com"),
        ("external_url", "ftp://user:PASS@chat.example.com"),
        ("frame_ancestors", "https://a.example.com, https://user:PASS@b.example.com"),
    ],
)
def test_errors_about_addresses_reveal_no_password(
    home: Path, monkeypatch: pytest.MonkeyPatch, name: str, value: str
) -> None:
    (home / "chatcore.toml").write_text(f'{name} = "{value}"\n')
    line = error_line(run("settings"), 2)
    assert ("PA" in line, f"'{name}' cannot be used: use " in line) == (False, True)
    (home / "chatcore.toml").unlink()
    monkeypatch.setenv(f"CHATCORE_{name.upper()}", value)
    line = error_line(run("settings"), 2)
    assert ("PA" in line, f"CHATCORE_{name.upper()} cannot be used: use " in line) == (False, True)
    given: Any = tuple(value.split(", ")) if name == "frame_ancestors" else value
    with pytest.raises(BadSetting) as caught:
        Settings(**{name: given})
    assert f"{caught.value}".startswith(f"{name}: use ")


def test_an_organization_has_its_own_settings_and_those_of_the_server(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = home / "all" / "club" / "chatcore.toml"
    file.parent.mkdir(parents=True)
    file.write_text('external_url = "https://club.example.com"\n')
    (home / "chatcore.toml").write_text("smtp_timeout = 5\n")
    monkeypatch.setenv("CHATCORE_ORGANIZATIONS", str(home / "all"))
    of_server = settings()
    assert of_server["organizations"] == row(str(home / "all"), "environment", "CHATCORE_ORGANIZATIONS")
    assert not of_server.keys() & {"external_url", "database_url", "secret_key"}
    rows = settings("--organization", "club.example.com")
    assert rows["external_url"] == row("https://club.example.com", "file", file)
    assert rows["database_url"] == row(f"sqlite:///{home}/all/club/chat.db")
    assert rows["smtp_timeout"] == row("5", "file", home / "chatcore.toml")


def test_a_file_with_a_mistake_is_refused(home: Path) -> None:
    (home / "chatcore.toml").write_text("prot = 8000\n")
    assert "do you mean 'port'?" in error_line(run("settings"), 2)
    (home / "chatcore.toml").write_text('smtp_tls = "perhaps"\n')
    assert "use one of starttls, tls, off" in error_line(run("settings"), 2)
    (home / "chatcore.toml").write_text("[limits]\nmax_file_upload_size_mib = 5000\n")
    line = error_line(run("settings"), 2)
    assert "'limits_max_file_upload_size_mib' is '5000': use a number from 0 to 4096" in line
    (home / "chatcore.toml").write_text("[limits]\nmax_file_size_mib = 5\n")
    assert "there is no setting 'limits_max_file_size_mib'" in error_line(run("settings"), 2)
