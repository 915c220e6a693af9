"""The settings of mail."""

from pathlib import Path

import pytest

from chatcore.configuration import from_environment
from chatcore.settings import BadSetting, Settings


def test_mail_is_off_without_settings() -> None:
    assert not Settings().sends_mail
    assert from_environment({"CHATCORE_SMTP_HOST": "smtp.example"}).sends_mail
    assert from_environment({"CHATCORE_MAIL_FOLDER": "mail"}).mail_folder == Path("mail")


def test_the_sender_is_of_the_host_unless_it_is_set() -> None:
    url = {"CHATCORE_EXTERNAL_URL": "https://chat.example"}
    assert from_environment(url).sender == "noreply@chat.example"
    assert from_environment({**url, "CHATCORE_MAIL_FROM": "us@mail.example"}).sender == "us@mail.example"


def test_the_password_may_be_in_a_file_and_is_not_shown(tmp_path: Path) -> None:
    file = tmp_path / "password"
    file.write_text("hush hush\n")
    settings = from_environment({"CHATCORE_SMTP_PASSWORD_FILE": str(file)})
    assert settings.smtp_password == "hush hush"
    assert "hush" not in repr(settings)


@pytest.mark.parametrize(
    ("variable", "text"),
    [
        ("CHATCORE_SMTP_PORT", "0"),
        ("CHATCORE_SMTP_PORT", "65536"),
        ("CHATCORE_SMTP_TIMEOUT", "0"),
        ("CHATCORE_SMTP_TLS", "maybe"),
        ("CHATCORE_MAIL_FROM", "a@b.example\nBcc: c@d.example"),
        ("CHATCORE_SMTP_PASSWORD_FILE", "/nowhere"),
    ],
)
def test_invalid_settings_are_refused(variable: str, text: str) -> None:
    with pytest.raises(BadSetting, match=variable):
        from_environment({variable: text})


def test_a_program_cannot_turn_encryption_off_by_a_wrong_word() -> None:
    with pytest.raises(BadSetting, match="smtp_tls"):
        Settings(smtp_tls="STARTTLS")
