"""Mails that wait: sent once, retried with growing pauses, given up after a bound."""

import email
import logging
import threading
from collections.abc import Callable, Iterator
from email.message import EmailMessage
from email.policy import default
from pathlib import Path
from typing import Any

import pytest

from chatcore.application import units
from chatcore.application.mail import outbox, transport
from chatcore.application.sent_mail.sending import send_due
from chatcore.domain.errors import BadRequest
from chatcore.domain.mail.mails import MAX_ATTEMPTS, PAUSES, MailKind
from chatcore.settings import Settings
from chatcore.storage import Transaction
from tests.worlds.mail import Receiver, mail_server
from tests.worlds.organization import MakeWorld, World

FOREVER = float("inf")
Mails = tuple[World, Receiver]


@pytest.fixture
def mails(make_world: MakeWorld) -> Iterator[Mails]:
    with mail_server() as (receiver, port):
        yield make_world(smtp_host="127.0.0.1", smtp_port=port, smtp_tls="off", smtp_timeout=60), receiver


def writes(world: World, to: str = "new@example.org", **facts: str) -> None:
    given = {"inviter": "Ada Fox", **facts}
    units.write(world.svc, outbox.put, MailKind.INVITATION, to, nonce="abc", **given)


def test_a_mail_is_sent_once(mails: Mails) -> None:
    world, receiver = mails
    writes(world)
    assert send_due(world.svc) == FOREVER
    send_due(world.svc)
    (mail,) = receiver.received
    assert mail["To"] == "new@example.org"
    assert mail["From"] == "Analytical Society <noreply@chat.example.org>"
    assert mail["Subject"] == "Ada Fox has invited you to Analytical Society"
    assert outbox.link(world.svc, "join", "abc") in mail.get_content()
    assert world.count("mail") == 0


def test_names_cannot_add_headers(mails: Mails) -> None:
    world, receiver = mails
    world.change_organization(name="Team\r\nBcc: spy@example.org")
    writes(world, inviter="Ada\nBcc: spy@example.org\n\n{link} Ünï")
    send_due(world.svc)
    (mail,) = receiver.received
    assert mail["Bcc"] is None
    assert mail["Subject"].startswith("Ada Bcc: spy@example.org {link} Ünï has invited")


def test_names_from_right_to_left_do_not_move_their_neighbours(mails: Mails) -> None:
    world, receiver = mails
    writes(world, inviter="עדה (1)")
    send_due(world.svc)
    (mail,) = receiver.received
    assert mail["Subject"] == "עדה (1) has invited you to Analytical Society"
    assert mail.get_content().startswith(
        "\u2068עדה (1)\u2069 has invited you to join Analytical Society, a team"
    )


@pytest.mark.parametrize(
    "address",
    ["a@b.example\nBcc: c@d.example", "a b@c.example", "a,b@c.example", "<a@b.example>", '"a"@b.example',
     "a@", "ä@b.example", "a..b@c.example", "a@-b.example", "a@b.example>", "x" * 65 + "@b.example", "a@b@c"],
)  # fmt: skip
def test_mails_go_to_plain_addresses_only(world: World, address: str) -> None:
    with pytest.raises(BadRequest):
        writes(world, address)
    assert world.count("mail") == 0


def test_a_failure_is_retried_with_growing_pauses_and_given_up(
    mails: Mails, caplog: pytest.LogCaptureFixture
) -> None:
    world, receiver = mails
    receiver.data_answer = "451 later"
    writes(world)
    with caplog.at_level(logging.WARNING, "chatcore.mail"):
        for pause in PAUSES:
            assert send_due(world.svc) == pause
            world.clock.advance(pause - 1)
            assert send_due(world.svc) == 1
            world.clock.advance(1)
        assert send_due(world.svc) == FOREVER
    assert list(PAUSES) == sorted(PAUSES)
    assert world.count("mail") == 0
    assert "given up after 8 attempts" in caplog.messages[-1]
    assert "new@example.org" not in caplog.text
    assert outbox.link(world.svc, "join", "abc").rpartition("/")[2] not in caplog.text


def test_people_who_wait_for_a_mail_come_before_invitations(mails: Mails) -> None:
    world, receiver = mails
    for number in range(3):
        writes(world, f"new{number}@example.org")
    world.clock.advance(5)
    units.write(world.svc, outbox.put, MailKind.NEW_PASSWORD, "ada@example.org", nonce="abc")
    send_due(world.svc)
    assert [mail["To"].partition("@")[0] for mail in receiver.received] == ["ada", "new0", "new1", "new2"]


def test_a_mail_that_ends_every_attempt_is_given_up(
    mails: Mails, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """As if each process that has it is killed, or runs out of memory."""
    world, receiver = mails
    writes(world)

    class Killed(BaseException):
        pass

    def kill(*_: object) -> None:
        raise Killed

    with monkeypatch.context() as patch:
        patch.setattr(transport, "deliver", kill)
        for _ in range(MAX_ATTEMPTS):
            with pytest.raises(Killed):
                send_due(world.svc)
            world.clock.advance(transport.longest_attempt(world.svc.settings))
    assert (send_due(world.svc), receiver.received, world.count("mail")) == (FOREVER, [], 0)
    assert f"given up after {MAX_ATTEMPTS} attempts" in caplog.messages[-1]


def test_a_mail_comes_late_but_once(mails: Mails) -> None:
    world, receiver = mails
    receiver.data_answer = "451 later"
    writes(world)
    send_due(world.svc)
    receiver.data_answer = "250 OK"
    world.clock.advance(PAUSES[0])
    send_due(world.svc)
    send_due(world.svc)
    assert len(receiver.received) == 1


@pytest.mark.parametrize("refusal", ["recipient_answer", "data_answer"])
def test_a_final_refusal_is_not_retried(mails: Mails, refusal: str) -> None:
    world, receiver = mails
    setattr(receiver, refusal, "550 no")
    writes(world)
    assert send_due(world.svc) == FOREVER
    assert world.count("mail") == 0


def test_a_mail_does_not_keep_others_waiting(mails: Mails) -> None:
    world, receiver = mails
    receiver.data_answer = "451 later"
    writes(world)
    send_due(world.svc)
    receiver.data_answer = "250 OK"
    writes(world, "other@example.org")
    send_due(world.svc)
    assert [mail["To"] for mail in receiver.received] == ["other@example.org"]


@pytest.mark.parametrize("answer", ["recipient_answer", "data_answer"])
def test_a_refusal_for_now_is_retried(mails: Mails, answer: str) -> None:
    world, receiver = mails
    setattr(receiver, answer, "450 greylisted")
    writes(world)
    assert send_due(world.svc) == PAUSES[0]
    setattr(receiver, answer, "250 OK")
    world.clock.advance(PAUSES[0])
    send_due(world.svc)
    assert len(receiver.received) == 1


def test_a_process_that_sends_a_mail_keeps_others_from_it(
    mails: Mails, monkeypatch: pytest.MonkeyPatch
) -> None:
    world, _ = mails
    writes(world)
    waits: list[float] = []

    def meanwhile(settings: Settings, message: EmailMessage, to: str, key: str) -> None:
        waits.append(send_due(world.svc))  # as another process would

    monkeypatch.setattr(transport, "deliver", meanwhile)
    send_due(world.svc)
    assert waits == [transport.longest_attempt(world.svc.settings)]
    assert (
        transport.longest_attempt(world.svc.settings) > transport.MAX_STEPS * world.svc.settings.smtp_timeout
    )


def test_a_mail_that_another_process_has_claimed_is_left_to_it(
    mails: Mails, monkeypatch: pytest.MonkeyPatch
) -> None:
    world, receiver = mails
    writes(world)
    write = world.storage.write

    def claimed_before(change: Callable[[Transaction], Any]) -> Any:
        monkeypatch.undo()
        first = world.storage.read(lambda snapshot: snapshot.mails.first_due(world.svc.now))
        assert first is not None
        write(lambda tx: tx.mails.put_off(first.id, due=world.svc.now + 25, attempts=1))
        return write(change)

    monkeypatch.setattr(world.storage, "write", claimed_before)
    assert send_due(world.svc) == 25
    assert receiver.received == []


def test_a_failure_that_comes_late_leaves_a_mail_to_the_next_process(
    mails: Mails, monkeypatch: pytest.MonkeyPatch
) -> None:
    world, _ = mails
    writes(world)

    def fail_late(settings: Settings, message: EmailMessage, to: str, key: str) -> None:
        first = world.storage.read(lambda snapshot: snapshot.mails.first_due(world.svc.now))
        assert first is not None
        world.storage.write(lambda tx: tx.mails.put_off(first.id, due=world.svc.now + 25, attempts=2))
        raise OSError

    monkeypatch.setattr(transport, "deliver", fail_late)
    assert send_due(world.svc) == 25


def test_a_server_that_never_comes_to_an_end_is_cut_off(mails: Mails) -> None:
    world, receiver = mails
    timers: list[threading.Timer] = []
    receiver.on_mail = lambda: timers.extend(
        thread for thread in threading.enumerate() if isinstance(thread, threading.Timer)
    )
    writes(world)
    send_due(world.svc)
    assert [timer.interval for timer in timers] == [transport.MAX_STEPS * world.svc.settings.smtp_timeout]
    assert timers[0].finished.is_set(), "it is called off"


def test_a_claimed_mail_is_tried_by_nobody_else_for_a_while(mails: Mails) -> None:
    """As if a process was killed after it claimed the mail."""
    world, receiver = mails
    writes(world)
    first = world.storage.read(lambda snapshot: snapshot.mails.first_due(world.svc.now))
    assert first is not None
    until = world.svc.now + 25
    world.storage.write(lambda tx: tx.mails.put_off(first.id, due=until, attempts=1))
    assert send_due(world.svc) == 25
    world.clock.advance(25)
    send_due(world.svc)
    assert len(receiver.received) == 1


def test_a_mail_does_not_wait_for_a_clock_that_was_set_back(mails: Mails) -> None:
    """As if a process was killed after it claimed the mail, and the clock was wrong."""
    world, receiver = mails
    writes(world)
    first = world.storage.read(lambda snapshot: snapshot.mails.first_due(world.svc.now))
    assert first is not None
    until = world.svc.now + transport.longest_attempt(world.svc.settings)
    world.storage.write(lambda tx: tx.mails.put_off(first.id, due=until, attempts=1))
    world.clock.advance(-7200)
    assert (send_due(world.svc), len(receiver.received)) == (FOREVER, 1)


def test_mails_are_files_in_a_folder(make_world: MakeWorld, tmp_path: Path) -> None:
    world = make_world(mail_folder=tmp_path / "mail")
    writes(world)
    send_due(world.svc)
    (file,) = (tmp_path / "mail").iterdir()
    assert file.suffix == ".eml"
    assert file.stat().st_mode & 0o077 == 0
    mail = email.message_from_bytes(file.read_bytes(), policy=default)
    assert mail["To"] == "new@example.org"


def test_the_store_holds_no_link(world: World) -> None:
    writes(world)
    mail = world.storage.read(lambda snapshot: snapshot.mails.first_due(world.svc.now))
    token = outbox.link(world.svc, "join", "abc").rpartition("/")[2]
    assert token not in repr(mail)
    assert len(token) == 40


def test_without_settings_nothing_is_sent(world: World) -> None:
    writes(world)
    assert send_due(world.svc) == FOREVER
    assert world.count("mail") == 1
