"""The space of accounts and of the organization, on each way on which bytes come."""

from collections.abc import Callable
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pytest
from werkzeug.test import TestResponse

from chatcore.application.received_mail.receiving import receive_mail
from chatcore.domain.limits import Limits
from tests.worlds.files import attachments, form, part, send_form, sends_file, stored_files, uploads
from tests.worlds.organization import MakeWorld, Someone, World, succeeded
from tests.worlds.pictures import picture
from tests.worlds.toys import refusal

MIB = 2**20
FULL: dict[str, Limits] = {
    "the organization": Limits(max_upload_space_mib=1),
    "the account": Limits(max_upload_space_per_user_mib=1),
}
Sends = Callable[[Someone], TestResponse]


def sends_picture(path: str, *more: bytes) -> Sends:
    return lambda someone: send_form(someone, form(part(picture(), "me.png"), *more), path=path)


def sends_bot_picture(someone: Someone) -> TestResponse:
    fields = [part(text, None, name=name) for name, text in (("full_name", b"Robi"), ("short_name", b"robi"))]
    return send_form(someone, form(*fields, part(picture(), "robi.png")), path="/bots")


ROADS: dict[str, Sends] = {
    "an upload": lambda someone: sends_file(someone, b"x"),
    "a picture of a person": sends_picture("/users/me/avatar"),
    "a picture of a bot": sends_bot_picture,
    "an emoji": sends_picture("/realm/emoji/mew"),
    "an icon": sends_picture("/realm/icon"),
    "a logo": sends_picture("/realm/logo", part(b"false", None, name="night")),
}


@pytest.fixture(params=FULL)
def full_world(make_world: MakeWorld, tmp_path: Path, request: pytest.FixtureRequest) -> World:
    """An organization in which Olga's account, or all files, have all bytes that they may have."""
    world = make_world(data_dir=tmp_path / "data", limits=FULL[request.param])
    uploads(world["olga"], b"x" * MIB)
    return world


@pytest.mark.parametrize("road", ROADS)
def test_there_is_no_room_for_more_on_any_road(full_world: World, road: str) -> None:
    world, olga = full_world, full_world["olga"]
    refusal(ROADS[road](olga), code="REALM_UPLOAD_QUOTA")
    assert (len(stored_files(world)), world.count("unfinished_upload")) == (1, 0)
    olga.delete(f"/attachments/{attachments(olga)[0]['id']}")
    succeeded(ROADS[road](olga))


def test_a_resumable_upload_has_no_room(full_world: World) -> None:
    olga = full_world["olga"]
    headers = {**olga.headers, "Tus-Resumable": "1.0.0", "Upload-Length": "1"}
    assert olga.client.post("/api/v1/tus/", headers=headers).status_code == 413


def test_an_attachment_of_a_mail_is_left_out(full_world: World) -> None:
    """It belongs to the account that posts the message, as the address names it."""
    olga = full_world["olga"]
    olga.joins("lunch")
    path = f"/streams/{full_world.id('lunch')}/email_address"
    address = olga.get(path, sender_id=olga.id)["email"]
    mail = EmailMessage()
    mail["Subject"] = "Plans"
    mail.set_content("see")
    mail.add_attachment(b"soup", maintype="text", subtype="plain", filename="soup.txt")
    receive_mail(full_world.svc, address, mail.as_bytes())
    assert "(<code>soup.txt</code> was left out:" in olga.reads("channel:lunch")[-1]["content"]


def test_clients_are_told_the_quota_that_is_in_force(make_world: MakeWorld) -> None:
    world = make_world(limits=Limits(max_upload_space_mib=700))
    olga = world["olga"]

    def told() -> Any:
        return olga.registers(fetch_event_types=["realm"]).state["realm_upload_quota_mib"]

    received = olga.opens_queue("realm")
    assert told() == 700
    for wanted, in_force in ((500, 500), (900, 700), ("unlimited", 700), (600, 600)):
        olga.patch("/realm", upload_quota_mib=wanted)
        assert told() == in_force
    changes = [(event["property"], event["value"]) for event in received.events()]
    assert changes == [("upload_quota_mib", value) for value in (500, 700, 600)]
