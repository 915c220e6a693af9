"""Mail that comes by the command, and by a server of LMTP: what mail servers hand over, and learn."""

import json
import os
import re
import signal
import smtplib
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from fcntl import F_SETPIPE_SZ, fcntl
from pathlib import Path
from typing import IO, Any

import pytest
from click.testing import CliRunner, Result

from chatcore import open_chat
from chatcore.cli import chatcore
from chatcore.settings import Settings
from tests.test_cli import INIT, home, run, serving
from tests.waiting import PATIENCE

__all__ = ["home"]

OUTSIDE = {"CHATCORE_EXTERNAL_URL": "https://chat.example.com"}
MAIL = b"From: zoe@x.example\r\nSubject: Soup\r\nMessage-ID: <1@x>\r\n\r\nReady.\r\n"
UNKNOWN, NOT_TAKEN, TRY_AGAIN = 67, 69, 75


@pytest.fixture(autouse=True)
def outside(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in OUTSIDE.items():
        monkeypatch.setenv(name, value)


@pytest.fixture
def ada() -> tuple[str, str]:
    """An organization; the login of its owner."""
    made = json.loads(run(*INIT, "--json").stdout)
    return made["email"], made["api_key"]


@pytest.fixture
def address(ada: tuple[str, str]) -> str:
    with serving() as server:
        streams = server.call("/streams", ada)["streams"]
        found: str = server.call(f"/streams/{streams[0]['stream_id']}/email_address", ada)["email"]
        assert server.stop() == 0
    return found


def receive(address: str, data: bytes = MAIL, *options: str) -> Result:
    done = CliRunner().invoke(
        chatcore, ["mail", "receive", address, *options], input=data, prog_name="chatcore"
    )
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exc_info
    return done


def topics(ada: tuple[str, str]) -> list[str]:
    with serving() as server:
        stream_id = server.call("/streams", ada)["streams"][0]["stream_id"]
        found = [one["name"] for one in server.call(f"/users/me/{stream_id}/topics", ada)["topics"]]
        assert server.stop() == 0
    return found


def test_a_mail_server_pipes_a_mail_to_the_command(ada: tuple[str, str], address: str) -> None:
    for _ in range(2):
        done = receive(address)
        assert (done.exit_code, done.output) == (0, "")
    assert topics(ada).count("Soup") == 1


def test_exit_codes_say_what_became_of_a_mail(address: str) -> None:
    assert receive("nobody@chat.example.com").exit_code == UNKNOWN
    assert "There is no such address here" in receive("nobody@chat.example.com").stderr
    assert receive(address, MAIL + b"x" * 26 * 2**20).exit_code == NOT_TAKEN
    Path("chat.db").rename("away.db")
    assert receive(address).exit_code == TRY_AGAIN


def test_a_mail_finds_its_organization(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CHATCORE_EXTERNAL_URL")
    addresses = []
    for name in ("club", "team"):
        folder = home / "all" / name
        folder.mkdir(parents=True)
        (folder / "chatcore.toml").write_text(f'external_url = "https://{name}.example.com"\n')
        with open_chat(
            f"sqlite:///{folder}/chat.db",
            owner_email="ada@example.com",
            settings=Settings(external_url=f"https://{name}.example.com"),
        ) as chat:
            owner = chat.users.actor("ada@example.com")
            addresses.append(chat.channels.email_address(owner, chat.channels.id_of(owner, "general")))
    for address in addresses:
        assert receive(address, MAIL, "--organizations", str(home / "all")).exit_code == 0
    elsewhere = addresses[0].replace("club", "team")
    assert receive(elsewhere, MAIL, "--organizations", str(home / "all")).exit_code == UNKNOWN


@contextmanager
def taking_mail(log: IO[Any] | None = None) -> Iterator[tuple[str, int]]:
    command = [sys.executable, "-m", "chatcore.cli", "mail", "serve", "--port", "0"]
    with log or Path("mail.log").open("wb") as log:
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, text=True)
    assert process.stdout is not None
    try:
        found = re.search(r"at (\S+):(\d+)$", process.stdout.readline().strip())
        assert found is not None, Path("mail.log").read_text()
        yield found[1], int(found[2])
        process.send_signal(signal.SIGTERM)
        assert process.wait(PATIENCE) == 0, Path("mail.log").read_text()
    finally:
        process.kill()
        process.wait()
        process.stdout.close()


def test_a_mail_server_hands_over_mails_by_lmtp(ada: tuple[str, str], address: str) -> None:
    with serving() as server:
        login = ada
        queue = server.call("/register", login, event_types='["message"]')
        with taking_mail() as (host, port), smtplib.LMTP(host, port, timeout=PATIENCE) as lmtp:
            refused = lmtp.sendmail("zoe@x.example", [address, "nobody@chat.example.com"], MAIL)
            assert list(refused) == ["nobody@chat.example.com"]
            assert refused["nobody@chat.example.com"][0] == 550
            events = server.call(
                f"/events?queue_id={queue['queue_id']}&last_event_id={queue['last_event_id']}", login
            )["events"]
            assert [one["message"]["subject"] for one in events if one["type"] == "message"] == ["Soup"]
            with pytest.raises(smtplib.SMTPSenderRefused) as too_large:
                lmtp.sendmail("zoe@x.example", [address], b"x" * 26 * 2**20)
            assert too_large.value.smtp_code == 552
            lmtp.rset()
            lmtp.mail("zoe@x.example")
            for _ in range(2):
                assert lmtp.rcpt(address)[0] == 250
            assert lmtp.docmd("DATA")[0] == 354
            lmtp.send(MAIL + b".\r\n")
            # A line for each recipient; the mail came before.
            assert [lmtp.getreply() for _ in range(2)] == [(250, b"2.0.0 Dropped")] * 2
        assert server.stop() == 0
    assert topics(ada).count("Soup") == 1


def test_a_reader_of_the_log_that_stands_still_does_not_stop_lmtp(ada: tuple[str, str], address: str) -> None:
    reading, writing = os.pipe()
    size = fcntl(writing, F_SETPIPE_SZ, 4_096)
    (database,) = Path().glob("*.db")
    with os.fdopen(reading) as log, taking_mail(os.fdopen(writing, "w")) as (host, port):
        database.rename("away")
        with smtplib.LMTP(host, port, timeout=PATIENCE) as lmtp:
            lmtp.ehlo_or_helo_if_needed()
            lmtp.mail("zoe@x.example")
            for _ in range(size // 20):  # with a line each
                assert lmtp.rcpt(address)[0] == 451
        assert "mail cannot be taken" in log.readline()


def test_lmtp_says_what_it_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    run(*INIT)
    monkeypatch.setitem(sys.modules, "chatcore.cli.lmtp", None)
    done: Any = run("mail", "serve")
    assert done.exit_code == 1
    assert "pip install '.[mail]'" in done.stderr
