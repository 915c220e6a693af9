"""The secret that API keys are derived from: made once, with the organization, and never again."""

from dataclasses import replace
from pathlib import Path

import pytest

from chatcore import open_chat
from chatcore.bootstrap import open_services
from chatcore.data_folder import SECRET_FILE
from chatcore.settings import BadSetting, Settings


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(database_url=f"sqlite:///{tmp_path}/chat.db", data_dir=tmp_path / "data")


def key_of_the_owner(settings: Settings) -> str:
    with open_chat(settings.database_url, owner_email="owner@example.com", settings=settings) as chat:
        return chat.users.credentials(chat.users.actor("owner@example.com")).api_key


def test_the_secret_is_made_with_the_organization_and_kept(settings: Settings, tmp_path: Path) -> None:
    key = key_of_the_owner(settings)
    file = tmp_path / "data" / SECRET_FILE
    assert file.stat().st_mode & 0o777 == 0o600
    assert file.parent.stat().st_mode & 0o777 == 0o700
    assert key_of_the_owner(settings) == key


def test_a_lost_secret_is_not_made_anew(settings: Settings, tmp_path: Path) -> None:
    key = key_of_the_owner(settings)
    file = tmp_path / "data" / SECRET_FILE
    file.rename(tmp_path / "elsewhere")
    for _ in range(2):
        with pytest.raises(BadSetting, match="is not in"):
            open_services(settings)
        assert not file.exists()
    moved = replace(settings, secret_key=(tmp_path / "elsewhere").read_bytes())
    assert key_of_the_owner(moved) == key


def test_another_secret_is_refused(settings: Settings, tmp_path: Path) -> None:
    key_of_the_owner(settings)
    with pytest.raises(BadSetting, match="the secret differs from that of this organization"):
        open_services(replace(settings, secret_key=b"x" * 64))
    file = tmp_path / "data" / SECRET_FILE
    file.write_text("y" * 64)
    with pytest.raises(BadSetting, match="the secret differs from that of this organization"):
        open_services(settings)


def test_a_secret_that_is_none_is_refused(settings: Settings, tmp_path: Path) -> None:
    key_of_the_owner(settings)
    file = tmp_path / "data" / SECRET_FILE
    file.write_text("short")
    with pytest.raises(BadSetting, match="too short"):
        open_services(settings)
    file.chmod(0o644)
    with pytest.raises(BadSetting, match="chmod 600"):
        open_services(settings)


def test_two_organizations_with_one_secret_have_different_keys(settings: Settings, tmp_path: Path) -> None:
    other = replace(settings, database_url=f"sqlite:///{tmp_path}/other.db")
    assert key_of_the_owner(settings) != key_of_the_owner(other)
