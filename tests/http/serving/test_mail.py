"""Server processes that send mails: when they are killed, none is lost, and only one in flight is doubled."""

import random
import time
from collections import Counter
from contextlib import closing
from pathlib import Path

from chatcore.application import units
from chatcore.application.mail import outbox
from chatcore.application.units import Unit
from chatcore.domain.mail.mails import MailKind
from tests.http.serving.test_durability import Server
from tests.waiting import until
from tests.worlds.mail import Receiver, mail_server
from tests.worlds.organization import World

MAILS = 20
KILLS = 2


def writes(url: str) -> set[str]:
    world = World(url)
    addresses = {f"new{number}@example.org" for number in range(MAILS)}

    def write(unit: Unit) -> None:
        for email in sorted(addresses):
            outbox.put(unit, MailKind.INVITATION, email, nonce="abc", inviter="Ada")

    units.write(world.svc, write)
    world.close()
    return addresses


def waits_for(receiver: Receiver, number: int) -> None:
    until(lambda: len(receiver.received) >= number)


def test_killed_processes_lose_no_mail(store_url: str, tmp_path: Path) -> None:
    addresses = writes(store_url)
    dice = random.Random(7)
    with mail_server() as (receiver, port):
        receiver.seconds = 0.02
        settings = {
            "CHATCORE_SMTP_HOST": "127.0.0.1",
            "CHATCORE_SMTP_PORT": str(port),
            "CHATCORE_SMTP_TLS": "off",
            "CHATCORE_SMTP_TIMEOUT": "60",
        }
        for kill in range(KILLS):
            server = Server(store_url, tmp_path, **settings)
            waits_for(receiver, 6 * kill + dice.randint(1, 5))
            time.sleep(dice.random() * 0.1)
            server.kill()
            with closing(World(store_url)) as between:  # what the dead process had claimed is due again
                between.sql("UPDATE mail SET due = ?", 0)
        server = Server(store_url, tmp_path, **settings)
        with closing(World(store_url)) as store:
            until(lambda: store.count("mail") == 0)
        server.stop()
    assert {mail["To"] for mail in receiver.received} == addresses
    copies = Counter(mail["Message-ID"] for mail in receiver.received)
    assert len(copies) == MAILS
    assert sum(copies.values()) <= MAILS + KILLS


def test_a_mail_about_a_missed_message_is_sent_again_by_the_next_process(
    store_url: str, tmp_path: Path
) -> None:
    """The process is killed when the mail server has the mail, and has not said so."""
    with closing(World(store_url)) as world:
        world.clock.now = time.time()  # noqa: TID251 - the process has no other clock
        world.choose("bea", email_notifications_batching_period_seconds=0)
        world["ada"].writes("Tea?", "bea")
    with mail_server() as (receiver, port):
        settings = {
            "CHATCORE_SMTP_HOST": "127.0.0.1",
            "CHATCORE_SMTP_PORT": str(port),
            "CHATCORE_SMTP_TLS": "off",
            "CHATCORE_SMTP_TIMEOUT": "60",
        }
        server = Server(store_url, tmp_path, **settings)
        receiver.on_mail = server.kill
        waits_for(receiver, 1)
        receiver.on_mail = lambda: None
        with closing(World(store_url)) as store:
            assert store.count("mail") == 1
            store.sql("UPDATE mail SET due = ?", 0)  # the claim of the dead process has ended
            server = Server(store_url, tmp_path, **settings)
            until(lambda: store.count("mail") == 0)
        server.stop()
    first, again = receiver.received
    assert first["Message-ID"] == again["Message-ID"]
    assert first["To"] == again["To"] == "bea@example.org"
    assert "Tea?" in str(again.get_body(("plain",)))
