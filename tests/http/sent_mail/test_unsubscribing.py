"""The links in mails that end mails of their kind."""

from email.message import EmailMessage
from pathlib import Path

import pytest
from werkzeug.test import TestResponse

from chatcore.application.sent_mail.gathering import gather_missed
from chatcore.application.sent_mail.unsubscribing import MailList, unsubscribe_link
from chatcore.domain.ids import UserId
from tests.worlds.mail import sent
from tests.worlds.organization import HOST, MakeWorld, World


@pytest.fixture
def world(make_world: MakeWorld, tmp_path: Path) -> World:
    return make_world(mail_folder=tmp_path / "mail")


def mails_about(world: World, content: str) -> list[EmailMessage]:
    world["ada"].says(content)
    gather_missed(world.svc)
    world.clock.advance(120)
    gather_missed(world.svc)
    return sent(world)


def opens(world: World, link: str, method: str = "GET", **more: str) -> TestResponse:
    path = link.removeprefix(f"https://{HOST}")
    data = {"List-Unsubscribe": "One-Click"} if method == "POST" else None
    return world.nobody.client.open(path, method=method, headers={"Host": HOST, **more}, data=data)


def test_a_mail_program_unsubscribes_by_one_request(world: World) -> None:
    data = [{"stream_id": world.id("lunch"), "property": "email_notifications", "value": True}]
    world["bea"].post("/users/me/subscriptions/properties", subscription_data=data)
    (mail,) = mails_about(world, "@**Bea** soup")
    assert mail["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    link = mail["List-Unsubscribe"].strip("<>")
    text = mail.get_body(("plain",))
    assert text is not None
    assert link in text.get_content()
    shown = opens(world, link)
    assert (shown.status_code, "Unsubscribe</button>" in shown.text) == (200, True)
    assert len(mails_about(world, "@**Bea** more")) == 2  # looking changes nothing
    line = world["bea"].opens_queue("user_settings", "subscription")
    for _ in range(2):
        answer = opens(world, link, "POST")
        assert (answer.status_code, "no more mails about missed messages" in answer.text) == (200, True)
    changed = {event["property"]: event["value"] for event in line.events()}
    assert changed == {
        "enable_offline_email_notifications": False,
        "enable_followed_topic_email_notifications": False,
        "email_notifications": False,
    }
    assert len(mails_about(world, "@**Bea** again")) == 2


@pytest.mark.parametrize("token", ["x", "%C3%A4", "0" * 80, "a" * 5000])
def test_other_links_end_nothing(world: World, token: str) -> None:
    for method in ("GET", "POST"):
        answer = opens(world, f"/unsubscribe/{token}", method)
        assert (answer.status_code, answer.mimetype) in ((400, "text/html"), (414, "text/html"))


def test_the_link_of_an_account_that_is_gone_is_refused(world: World) -> None:
    link = unsubscribe_link(world.svc, UserId(world["bea"].id), MailList.MISSED)
    world["olga"].delete(f"/users/{world['bea'].id}")
    assert opens(world, link, "POST").status_code == 400


def test_pages_of_others_cannot_unsubscribe_anybody(world: World) -> None:
    link = unsubscribe_link(world.svc, UserId(world["bea"].id), MailList.MISSED)
    assert opens(world, link, "POST", Origin="https://elsewhere.example").status_code == 403
