"""The secret is replaced: nothing that followed from the old one gives access any more."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from werkzeug.test import Client

from chatcore.application import units
from chatcore.application.bots.calling import answer_due
from chatcore.application.delivery.card_fetching import fetch_waiting
from chatcore.application.events.secret_replacement import SecretReplaced, replace_secret
from chatcore.application.files.thumbnails import make_due
from chatcore.application.mail import outbox
from chatcore.application.organization.audit import forget_old_entries
from chatcore.application.scheduled.delivery import deliver_due
from chatcore.application.sent_mail.sending import send_due
from chatcore.application.services import Services
from chatcore.application.units import Unit
from chatcore.bootstrap import write_exports
from chatcore.domain.ids import MessageId, UserId
from chatcore.domain.mail.mails import MailKind
from chatcore.runtime.cards import Waiting
from chatcore.storage import StorageNotReady
from tests.worlds.joining import invites, makes_link, opens
from tests.worlds.mail import link_in, mail_server, sent
from tests.worlds.organization import MakeWorld, World

NEW = b"n" * 32
NEWCOMERS = ["ned@example.org", "nel@example.org"]


@pytest.fixture
def replaced(make_world: MakeWorld, world: World) -> World:
    """Return the same organization as a server shows it that was started after the replacement."""
    replace_secret(world.svc, NEW)
    return make_world(secret_key=NEW)


def test_old_keys_end_and_new_ones_are_valid(world: World, replaced: World) -> None:
    old = world.keys["ada"]
    assert replaced.keys["ada"] != old
    assert replaced["ada"].get("/users/me")["email"] == "ada@example.org"
    replaced["ada"].headers["Authorization"] = world["ada"].headers["Authorization"]
    assert replaced["ada"].request("GET", "/users/me").status_code == 401


def test_a_server_with_the_old_secret_refuses_everything(world: World, replaced: World) -> None:
    client = Client(world.application)
    lunch = {"type": "channel", "to": "lunch", "topic": "soup", "content": "Hi"}
    login = {"username": "ada@example.org", "password": "x"}
    answers = [
        client.get("/api/v1/users/me", headers=world["ada"].headers),
        client.post("/api/v1/messages", headers=world["ada"].headers, data=lunch),
        client.post("/api/v1/fetch_api_key", data=login),
        client.get("/ready"),
    ]
    assert [one.status_code for one in answers] == [503] * 4
    assert {(one.json or {}).get("code") for one in answers} == {"SERVER_NOT_READY"}
    assert replaced["ada"].get("/messages", anchor="newest", num_before=5, num_after=0)["messages"] == []
    with pytest.raises(StorageNotReady, match="start the server anew"):
        units.read(world.svc, units.is_open)


def test_of_two_replacements_at_once_the_second_changes_nothing(world: World, replaced: World) -> None:
    line = replaced["ada"].opens_queue("message")
    with pytest.raises(SecretReplaced):
        replace_secret(world.svc, b"m" * 32)
    assert line.events("message") == []
    assert units.read(replaced.svc, units.is_open)
    assert replaced["ada"].get("/users/me")["email"] == "ada@example.org"


@pytest.mark.parametrize(
    "work", [send_due, deliver_due, make_due, write_exports, forget_old_entries, answer_due, fetch_waiting]
)
def test_a_server_with_the_old_secret_does_no_due_work(
    make_world: MakeWorld, tmp_path: Path, work: Callable[[Services], object]
) -> None:
    world = make_world(mail_folder=tmp_path / "mail")
    world.change_organization(is_deactivated=True)
    work(world.svc)
    world.svc.cards.let_wait(Waiting(MessageId(1), UserId(1), ["https://example.org"]))
    replace_secret(world.svc, NEW)
    with pytest.raises(StorageNotReady, match="start the server anew"):
        work(world.svc)


@pytest.mark.parametrize("waiting", [1, 2])
def test_mails_that_wait_are_left_to_servers_with_the_new_secret(
    make_world: MakeWorld, tmp_path: Path, waiting: int
) -> None:
    """Also the one that is sent, with an old link, while the secret is replaced."""
    with mail_server() as (receiver, port):
        options: dict[str, Any] = {
            "smtp_host": "127.0.0.1",
            "smtp_port": port,
            "smtp_tls": "off",
            "smtp_timeout": 60,
        }
        world = make_world(**options)
        receiver.on_mail = lambda: replace_secret(world.svc, NEW)
        invites(world["ada"], *NEWCOMERS[:waiting])
        with pytest.raises(StorageNotReady, match="start the server anew"):
            send_due(world.svc)
        assert (len(receiver.received), world.count("mail")) == (1, waiting)
        receiver.on_mail = lambda: None
        replaced = make_world(secret_key=NEW, **options)
        world.clock.advance(3600)
        replaced.clock.advance(3600)
        send_due(replaced.svc)
        mails = receiver.received[1:]
        assert sorted(mail["To"] for mail in mails) == NEWCOMERS[:waiting]
        assert {opens(replaced, link_in(mail)).status_code for mail in mails} == {200}


def test_sessions_and_queues_end(make_world: MakeWorld, world: World) -> None:
    line = world["ada"].opens_queue("message")
    world.sql(
        "INSERT INTO browser_session (token_hash, user_id, began_at, used_at, user_agent, address)"
        " VALUES (?, ?, ?, ?, ?, ?)",
        "h", world["ada"].id, world.svc.now, world.svc.now, "", "",
    )  # fmt: skip
    replace_secret(world.svc, NEW)
    replaced = make_world(secret_key=NEW)
    assert (world.count("browser_session"), world.count("event_queue")) == (0, 0)
    answer = replaced["ada"].request("GET", "/events", queue_id=line.id, last_event_id=-1)
    assert (answer.json or {})["code"] == "BAD_EVENT_QUEUE_ID"


def test_links_of_before_end_and_those_of_invitations_are_renewed(
    make_world: MakeWorld, tmp_path: Path
) -> None:
    """Also those that an attacker computes with the old secret from a copy of the database."""
    world = make_world(mail_folder=tmp_path / "mail")
    invites(world["ada"], "ned@example.org")
    old = [link_in(sent(world)[-1]), makes_link(world["olga"], invite_as=400)]

    def write(unit: Unit) -> None:
        nonce = unit.tx.invitations.all()[0].nonce
        outbox.put(unit, MailKind.INVITATION, "ned@example.org", nonce=nonce, inviter="Ada")
        outbox.put(unit, MailKind.NEW_PASSWORD, "bea@example.org", nonce="abc")

    units.write(world.svc, write)
    replace_secret(world.svc, NEW)
    replaced = make_world(secret_key=NEW, mail_folder=tmp_path / "mail")
    assert [opens(replaced, path).status_code for path in old] == [404, 404]
    (mail,) = sent(replaced)[1:]
    assert mail["To"] == "ned@example.org"
    assert opens(replaced, link_in(mail)).status_code == 200


def test_nobody_holds_the_new_key_of_a_bot_of_somebody_else(make_world: MakeWorld, world: World) -> None:
    """So nothing happens to it when the administrator who had the old one may no longer have it."""
    world["adi"].post(f"/bots/{world['robo'].id}/api_key/regenerate")
    replace_secret(world.svc, NEW)
    replaced = make_world(secret_key=NEW)
    replaced["olga"].patch(f"/users/{replaced['adi'].id}", role=400)
    assert replaced["robo"].get("/users/me")["user_id"] == replaced["robo"].id
