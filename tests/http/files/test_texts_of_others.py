"""Texts that somebody else wrote than the account that posts them give nobody the files of that account."""

from collections.abc import Callable
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pytest

from chatcore.application.bots.calling import answer_due
from chatcore.application.delivery.card_fetching import fetch_waiting, want_lost_cards
from chatcore.application.files.thumbnails import make_due
from chatcore.application.people.accounts import NewUser, create_user
from chatcore.application.received_mail.receiving import receive_mail
from tests.worlds.files import fetches, uploads
from tests.worlds.integrations import send_json
from tests.worlds.organization import MakeWorld, Someone, World, succeeded
from tests.worlds.pictures import picture
from tests.worlds.web_services import Answer, serves


@pytest.fixture
def world(make_world: MakeWorld, tmp_path: Path) -> World:
    return make_world(data_dir=tmp_path / "data", outgoing_private_addresses=True)


def bot_of(world: World, short_name: str, **more: Any) -> Someone:
    made = world["ada"].post("/bots", full_name=short_name.title(), short_name=short_name, **more)
    world.storage.read(world.know)
    world.keys[f"{short_name}-bot"] = made["api_key"]
    return world[f"{short_name}-bot"]


def mails(world: World, sender: Someone, text: str) -> tuple[int, str]:
    """Receive a stranger's mail with an attachment at an address of ada's; return message and file."""
    ada = world["ada"]
    path = f"/streams/{world.id('lunch')}/email_address"
    address = ada.get(path, sender_id=sender.id)["email"]
    mail = EmailMessage()
    mail["Subject"] = "Plans"
    mail.set_content(text)
    mail.add_attachment(picture(), maintype="image", subtype="png", filename="own.png")
    message_id = receive_mail(world.svc, address, mail.as_bytes())
    assert message_id is not None
    content = ada.message(message_id, apply_markdown=False)["content"]
    return int(message_id), content.rpartition("](")[2].rstrip(")")


def plain(url: str) -> str:
    return f"see {url}"


def linked(url: str) -> str:
    return f"[see]({url})"


def image(url: str) -> str:
    return f"![pic]({url})"


def encoded(url: str) -> str:
    head, _, path = url.partition("/user_uploads/")
    written = "".join(f"%{ord(letter):02x}" if letter.isalnum() else letter for letter in path)
    return f"[see]({head}/user_uploads/{written})"


def absolute(url: str) -> str:
    return f"![see](https://chat.example.org{url})"


@pytest.mark.parametrize("written", [plain, linked, encoded, absolute])
def test_sec_a_mail_gives_only_the_files_that_came_with_it(
    world: World, bea: Someone, written: Callable[[str], str]
) -> None:
    ada, private = world["ada"], uploads(world["ada"], picture(), "private.png")["url"]
    message_id, attached = mails(world, ada, written(private))
    assert fetches(bea, private).status_code == 404
    assert fetches(bea, attached).status_code == 200
    content = ada.message(message_id, apply_markdown=False)["content"]
    ada.patch(f"/messages/{message_id}", content=content + "\n\nthanks")
    assert fetches(bea, private).status_code == 404, "whoever edits the rest does not see it"
    assert fetches(bea, attached).status_code == 200
    ada.patch(f"/messages/{message_id}", content="nothing")
    ada.patch(f"/messages/{message_id}", content=f"here: {private}")
    assert fetches(bea, private).status_code == 200, "what one writes oneself is a link"


def test_sec_a_mail_shows_nothing_of_other_files(world: World, bea: Someone) -> None:
    """Neither what they are nor how large: when it comes, with a card, with its editor's words, with a
    thumbnail.
    """
    world.change_organization(inline_url_embed_preview=True)
    ada, private = world["ada"], uploads(world["ada"], picture(), "private.png")["url"]

    def require_hidden() -> None:
        html = bea.message(message_id)["content"]
        assert private in html
        assert html.count("data-original-dimensions") == 1, "that of its own attachment"

    with serves() as service:
        page = Answer(body=b"<title>Soup</title>", headers={"Content-Type": "text/html"})
        service.answers = lambda request: page
        message_id, attached = mails(world, ada, f"{image(private)} {linked(private)} {service.url}page")
        require_hidden()
        want_lost_cards(world.svc)
        fetch_waiting(world.svc)
        assert "message_embed" in bea.message(message_id)["content"]
        require_hidden()
        content = ada.message(message_id, apply_markdown=False)["content"]
        ada.patch(f"/messages/{message_id}", content=content + "\n\nthanks")
        require_hidden()
        make_due(world.svc)
        fetch_waiting(world.svc)
        require_hidden()
        ada.patch(f"/messages/{message_id}", content="nothing")
        ada.patch(f"/messages/{message_id}", content=f"{image(private)} {image(attached)} {service.url}page")
        assert bea.message(message_id)["content"].count("data-original-dimensions") == 2


@pytest.mark.parametrize("written", [plain, linked, encoded, absolute])
def test_what_one_writes_oneself_gives_the_file_however_it_is_written(
    world: World, bea: Someone, written: Callable[[str], str]
) -> None:
    """So that the tests of others' texts write what would give it."""
    own = uploads(world["ada"], picture(), "private.png")["url"]
    world["ada"].says(written(own))
    assert fetches(bea, own).status_code == 200


def test_sec_a_mail_by_a_bot_gives_no_file_of_the_bot(world: World, bea: Someone) -> None:
    private = uploads(world["robo"], b"private")["url"]
    _, attached = mails(world, world["robo"], linked(private))
    assert [fetches(bea, url).status_code for url in (private, attached)] == [404, 200]


def test_sec_an_integration_gives_no_files(world: World, bea: Someone) -> None:
    hook = bot_of(world, "hook", bot_type=2)
    private = uploads(world["ada"], b"private")["url"]
    world["ada"].writes(linked(private), hook.name or "")
    given = {"api_key": world.keys["hook-bot"], "stream": "lunch", "topic": "alerts"}
    succeeded(send_json(world, "/external/text", given, {"text": f"see {private}"}))
    assert private in bea.reads("channel:lunch", apply_markdown=False)[-1]["content"]
    assert fetches(bea, private).status_code == 404


def test_sec_the_answer_of_a_service_gives_no_files(world: World, bea: Someone) -> None:
    with serves() as service:
        echo = bot_of(world, "echo", bot_type=3, payload_url=service.url)
        private = uploads(world["ada"], b"private")["url"]
        service.says(content="kept")
        world["ada"].writes(linked(private), echo.name or "")
        assert answer_due(world.svc) == 1
        service.says(content=linked(private))
        bea.says("@**Echo** what is there?")
        assert answer_due(world.svc) == 1
    assert private in bea.reads("channel:lunch", apply_markdown=False)[-1]["content"]
    assert fetches(bea, private).status_code == 404


def test_sec_a_welcome_gives_no_files(world: World) -> None:
    private = uploads(world["ada"], b"private")["url"]
    world["ada"].writes(linked(private), "system")
    world.change_organization(welcome_message_custom_text=linked(private))
    world.keys["new"] = create_user(world.svc, NewUser(email="new@example.org", full_name="New")).api_key
    world.storage.read(world.know)
    assert "user_uploads" in str(world["new"].reads("is:dm"))
    assert fetches(world["new"], private).status_code == 404
