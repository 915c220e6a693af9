"""`chatcore check` and what a server needs of others: bucket, mail server, certificate, replica, clock."""

import json
import socket
import ssl
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from chatcore import bootstrap
from chatcore.bootstrap import store_at
from chatcore.cli.checking import outside
from chatcore.cli.checking.outside import Problem, address, bucket, checks_of, clock, mail, replica, within
from chatcore.settings import Settings
from chatcore.storage import Store
from tests.ports import free_port
from tests.postgres import PostgresServer
from tests.storage_backends.buckets import URL, names, s3_address
from tests.storage_backends.buckets import bucket as made_bucket
from tests.test_cli import INIT, run
from tests.worlds.mail import mail_server

__all__ = ["made_bucket", "s3_address"]


def test_the_folder_of_what_is_deleted_has_to_be_writable(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run(*INIT)
    monkeypatch.setenv("CHATCORE_RETENTION_ARCHIVE", str(home / "deleted" / "batches"))
    assert f"deleted    ok      written into {home}\n" in run("check").stdout
    (home / "deleted").write_text("no folder")
    found = run("check")
    assert found.exit_code == 1
    assert f"deleted    FAILED  {home}/deleted cannot be written to by this user" in found.stdout


def test_only_what_is_set_is_checked() -> None:
    assert [*checks_of(Settings())] == []
    everything = Settings(
        database_url="postgresql://chat@db/chat",
        read_database_url="postgresql://chat@other/chat",
        uploads_url="s3://uploads",
        smtp_host="smtp.example.com",
        external_url="https://chat.example.com",
    )
    assert [*checks_of(everything)] == ["bucket", "mail", "address", "replica", "clock"]


def test_what_has_no_end_is_left_alone() -> None:
    let_go = threading.Event()
    with pytest.raises(Problem, match="no answer within 0 seconds"):
        within(0.1, lambda: str(let_go.wait()))
    let_go.set()
    with pytest.raises(Problem, match="as it is"):
        within(10, fails)
    assert within(10, lambda: "fine") == "fine"


def fails() -> str:
    raise Problem("as it is")


def test_a_bucket_takes_gives_and_deletes(made_bucket: Any, tmp_path: Path) -> None:
    settings = Settings(uploads_url=URL, data_dir=tmp_path / "data")
    assert "takes, gives and deletes" in bucket(settings)
    assert list(names(made_bucket)) == []
    missing = replace(settings, uploads_url="s3://nothing/here")
    with pytest.raises(Problem, match="s3://nothing/here"):
        bucket(missing)


def test_a_mail_server_answers_or_refuses() -> None:
    with mail_server() as (receiver, port):
        settings = Settings(smtp_host="127.0.0.1", smtp_port=port, smtp_tls="off")
        assert "answers" in mail(settings)
        with pytest.raises(Problem, match=f"127.0.0.1:{port}: "):
            mail(replace(settings, smtp_tls="starttls"))
        with pytest.raises(Problem):
            mail(replace(settings, smtp_user="chat", smtp_password="sesame"))
        assert receiver.received == []
    with pytest.raises(Problem, match="ConnectionRefusedError") as refused:
        mail(Settings(smtp_host="127.0.0.1", smtp_port=free_port(), smtp_tls="off", smtp_password="sesame"))
    assert "sesame" not in str(refused.value)


@contextmanager
def listening(answer: bytes) -> Iterator[int]:
    """Answer each connection with some bytes that are no TLS."""
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def serve() -> None:
            try:
                while True:
                    connection, _ = listener.accept()
                    with connection:
                        connection.recv(100)
                        connection.sendall(answer)
            except OSError:
                return

        threading.Thread(target=serve, daemon=True).start()
        yield int(listener.getsockname()[1])
        listener.shutdown(socket.SHUT_RDWR)


def test_an_address_without_a_valid_certificate_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    with listening(b"HTTP/1.1 400 Bad Request\r\n\r\n") as port:
        settings = Settings(external_url=f"https://127.0.0.1:{port}")
        with pytest.raises(Problem, match="does not speak TLS"):
            address(settings)
    unreachable = address(Settings(external_url=f"https://127.0.0.1:{free_port()}"))
    assert "cannot be seen from this machine" in unreachable


def test_a_certificate_that_ends_soon_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    class Encrypted(socket.socket):
        def getpeercert(self) -> dict[str, str]:
            return {"notAfter": "May  9 00:00:00 2026 GMT"}

    monkeypatch.setattr(socket, "create_connection", lambda *_: Encrypted())
    monkeypatch.setattr(ssl.SSLContext, "wrap_socket", lambda self, connection, **_: connection)
    settings = Settings(external_url="https://chat.example.com")
    end = ssl.cert_time_to_seconds("May  9 00:00:00 2026 GMT")
    monkeypatch.setattr(outside, "now", lambda: end - 40 * 86_400)
    assert address(settings).endswith("is valid for 40 days")
    monkeypatch.setattr(outside, "now", lambda: end - 3 * 86_400)
    with pytest.raises(Problem, match="ends in 3 days; renew it"):
        address(settings)


def test_the_clock_is_compared_with_that_of_the_database(
    postgres: PostgresServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    with postgres.database() as url:
        settings = Settings(database_url=url)
        assert "between this machine and the database" in clock(settings)
        now = time.time()  # noqa: TID251 - the clock is the subject
        monkeypatch.setattr(outside, "now", lambda: now - 3600)
        with pytest.raises(Problem, match="ahead of that of this machine"):
            clock(settings)


def test_a_replica_that_is_none_is_found(postgres: PostgresServer) -> None:
    with postgres.database() as url:
        assert replica(Settings(database_url=url)) == "none"
        with pytest.raises(Problem, match="it is no replica, but takes changes itself"):
            replica(Settings(database_url=url, read_database_url=url))


def test_a_database_without_an_organization_has_nothing_to_export(home: Path) -> None:
    with closing(store_at("sqlite:///chat.db")) as storage:
        storage.migrate()
    done = run("check")
    assert done.exit_code == 3
    assert "archive    FAILED  there is no organization to export" in done.stdout


def test_a_postgresql_without_its_programs_cannot_be_backed_up(
    home: Path, postgres: PostgresServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    with postgres.bare_database() as url:
        assert run(*INIT, "--database", url).exit_code == 0
        for folder in (home / "bin", home / "none"):
            folder.mkdir()
        program = home / "bin" / "pg_dump"
        program.touch(mode=0o700)
        for path, is_said in (("bin", False), ("none", True)):
            monkeypatch.setenv("PATH", str(home / path))
            said = run("check", "--database", url).stdout
            assert ("'chatcore backup' needs pg_dump, which is not here" in said) == is_said


def test_the_database_is_opened_once(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run(*INIT)
    opened: list[Settings] = []

    def open_store(settings: Settings) -> Store:
        opened.append(settings)
        return really_open(settings)

    really_open = bootstrap.open_store
    monkeypatch.setattr(bootstrap, "open_store", open_store)
    assert run("check", "--deep").exit_code == 0
    assert len(opened) == 1


def test_findings_are_printed_as_json(home: Path) -> None:
    run(*INIT)
    done = run("check", "--json")
    (report,) = json.loads(done.stdout)
    assert (done.exit_code, report["host"], report["database"]) == (
        0,
        "127.0.0.1",
        f"sqlite:///{home}/chat.db",
    )
    checks = [(one["name"], one["ok"]) for one in report["checks"]]
    names = ("database", "roles", "archive", "retention", "secret", "disk")
    assert checks == [(name, True) for name in names]
    smtp = {"CHATCORE_SMTP_HOST": "127.0.0.1", "CHATCORE_SMTP_PORT": str(free_port())}
    done = run("check", "--json", env=smtp)
    last = json.loads(done.stdout)[0]["checks"][-1]
    assert (done.exit_code, last["name"], last["ok"]) == (1, "mail", False)
