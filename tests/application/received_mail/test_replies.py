"""Answers by mail to mails about missed messages."""

import re
from collections.abc import Callable, Mapping, Sequence
from email.message import EmailMessage
from html import escape
from pathlib import Path
from typing import Final
from urllib.parse import quote

import pytest

from chatcore.application.channels.email_addresses import letterbox_of
from chatcore.application.received_mail.outcomes import DeliveryOutcome, outcome_of_address, outcome_of_mail
from chatcore.application.sent_mail.gathering import gather_missed
from chatcore.domain.limits import Limits
from chatcore.domain.mail.mails import is_mailable
from chatcore.domain.received_mail.reply_addresses import LIFETIME
from tests.worlds.files import fetches
from tests.worlds.mail import sent
from tests.worlds.organization import MakeWorld, World
from tests.worlds.pictures import picture

QUOTED = """\
Yes, at five.

On Fri, 27 Nov 2026 at 12:00, Analytical Society <noreply@chat.example.org> wrote:
> Ada, 2026-11-27 12:00 UTC:
> Tea?
> No more such mails: https://chat.example.org/unsubscribe/secret
"""


@pytest.fixture
def world(make_world: MakeWorld, tmp_path: Path) -> World:
    limits = Limits(max_mail_size=100_000, max_mails_per_channel_and_hour=3)
    return make_world(
        mail_folder=tmp_path / "mail", data_dir=tmp_path / "data", receives_mail=True, limits=limits
    )


def mailed(world: World) -> EmailMessage:
    """Return the mail about what was sent just now."""
    gather_missed(world.svc)
    world.clock.advance(120)
    gather_missed(world.svc)
    return sent(world)[-1]


def answer(content: str = "Yes, at five.", *, key: str = "1", **headers: str) -> EmailMessage:
    mail = EmailMessage()
    given = {"From": "Bea <BEA@example.org>", "Subject": "Re: x", "Message-ID": f"<{key}@home.example>"}
    for name, value in (given | {name.replace("_", "-"): value for name, value in headers.items()}).items():
        mail[name] = value
    mail.set_content(content)
    return mail


def arrives(world: World, address: str, mail: EmailMessage) -> DeliveryOutcome:
    return outcome_of_mail(lambda _: world.svc, address, bytes(mail)).outcome


def is_taken(world: World, address: str) -> bool:
    return outcome_of_address(lambda _: world.svc, address).outcome is DeliveryOutcome.TAKEN


def test_an_answer_is_a_message_in_the_topic_without_the_quotation(world: World) -> None:
    world["ada"].says("@**Bea** Tea?", topic="Tea")
    mail = mailed(world)
    address = mail["Reply-To"]
    assert is_mailable(address)
    assert "Answer this mail to post" in mail.get_body(("plain",)).get_content()  # type: ignore[union-attr]
    assert is_taken(world, address)
    assert arrives(world, address, answer(QUOTED)) is DeliveryOutcome.TAKEN
    newest = world["ada"].reads()[-1]
    assert (newest["sender_full_name"], newest["display_recipient"], newest["subject"]) == (
        "Bea", "lunch", "Tea",
    )  # fmt: skip
    assert newest["content"] == "<p>Yes, at five.</p>"
    assert "read" in world["bea"].flags(newest["id"])


def safe_link(address: str) -> str:
    """Return an address as services write it that look at links first."""
    return f"https://safe.example/?url={quote(address, safe='')}&data=x"


QUOTING: Final[Mapping[str, Callable[[str, str], str]]] = {
    "headers": lambda address, link: f"Yes.\n\nVon: Bea\nAn: {address}\nBetreff: Re: x\n\nTea?\n{link}",
    "passed on": lambda address, link: f"Begin forwarded message:\n\nReply-To: {address}\n\nTea?\n{link}",
    "other case": lambda address, link: f"Yes. {address.upper()} {link.upper()}",
    "links": lambda address, link: f"{safe_link('mailto:' + address)} {safe_link(safe_link(link))}",
}
"""What mail programs repeat of the mail that somebody answers."""


def mark_and_token(mail: EmailMessage) -> list[str]:
    """Return the parts of a mail with which others could send as its reader, and end its mails."""
    link = mail["List-Unsubscribe"].strip("<>")
    return [mail["Reply-To"].partition("@")[0].rpartition("-")[2], link.rpartition("/")[2].lower()]


def has_any(world: World, parts: Sequence[str]) -> bool:
    """Whether the newest message, or a file of it, has one of these texts."""
    newest = world["ada"].reads()[-1]
    contents = [newest["content"], newest["subject"]]
    contents += [
        fetches(world["ada"], url).text for url in re.findall(r'href="(/user_uploads/[^"]+)"', contents[0])
    ]
    return any(part in content.lower() for part in parts for content in contents)


@pytest.mark.parametrize("is_html", [False, True])
@pytest.mark.parametrize("quoting", QUOTING)
def test_an_answer_gives_nobody_the_rights_of_the_mail(world: World, quoting: str, is_html: bool) -> None:
    world["ada"].writes("Tea?", "bea")
    mail = mailed(world)
    text = QUOTING[quoting](mail["Reply-To"], mail["List-Unsubscribe"].strip("<>"))
    reply = answer()
    if is_html:
        reply.set_content("".join(f"<div>{escape(line)}</div>" for line in text.split("\n")), "html")
    else:
        reply.set_content(text)
    before = world.count("message")
    assert arrives(world, mail["Reply-To"], reply) is DeliveryOutcome.TAKEN
    assert world.count("message") == before + 1
    assert not has_any(world, mark_and_token(mail))


def test_a_mail_passed_on_to_a_channel_gives_nobody_its_rights(world: World) -> None:
    world["ada"].says("@**Bea** Tea?", topic="Tea")
    mail = mailed(world)
    address, link = mail["Reply-To"], mail["List-Unsubscribe"].strip("<>")
    channel = world["cem"].get(f"/streams/{world.id('lunch')}/email_address")["email"]
    passed_on = answer(f"Reply-To: {address}\n\nTea?\n{link}", Subject=f"Fwd: {address}", key="2")
    passed_on.add_attachment(f"Reply-To: {address}", filename=f"{address}.txt")
    passed_on.add_attachment(mail)
    before = world.count("message")
    assert arrives(world, channel, passed_on) is DeliveryOutcome.TAKEN
    assert world.count("message") == before + 1
    assert not has_any(world, mark_and_token(mail))


@pytest.mark.parametrize(
    "sender", ["cem@example.org", "Bea <bea@home.example>", "bea@example.org, cem@example.org", "nobody", ""]
)
def test_an_answer_from_another_address_is_refused(world: World, sender: str) -> None:
    world["ada"].writes("Tea?", "bea")
    address = mailed(world)["Reply-To"]
    mail = answer(From=sender, Sender="bea@example.org")
    before = world.count("message")
    result = outcome_of_mail(lambda _: world.svc, address, bytes(mail))
    assert result.outcome is DeliveryOutcome.NOT_TAKEN
    assert "only taken from the e-mail address of the account" in result.reply
    assert world.count("message") == before


def test_two_headers_of_the_sender_are_refused(world: World) -> None:
    world["ada"].writes("Tea?", "bea")
    address = mailed(world)["Reply-To"]
    data = b"From: cem@example.org\n" + bytes(answer())
    assert outcome_of_mail(lambda _: world.svc, address, data).outcome is DeliveryOutcome.NOT_TAKEN


@pytest.mark.parametrize(
    "sender",
    [
        "bea@example.org (x) <cem@example.org>",
        "<bea@example.org><cem@example.org>",
        "bea@example.org\N{NO-BREAK SPACE}<cem@example.org>",
        "bea@example.org;@example.net",
        "bea@example.org:cem@example.org;",
        f"bea@example.org{' ' * 2500}<cem@example.org>",
    ],
)
def test_a_sender_who_could_be_read_as_another_is_refused(world: World, sender: str) -> None:
    world["ada"].writes("Tea?", "bea")
    address = mailed(world)["Reply-To"]
    data = f"From: {sender}\nMessage-ID: <1@x>\n\nYes\n".encode()
    assert outcome_of_mail(lambda _: world.svc, address, data).outcome is DeliveryOutcome.NOT_TAKEN


@pytest.mark.parametrize(
    "sender", ["bea@example.org", '"bea@example.org" <BEA@example.org>', '"Bea @ home" <bea@example.org>']
)
def test_a_sender_may_have_any_name(world: World, sender: str) -> None:
    world["ada"].writes("Tea?", "bea")
    address = mailed(world)["Reply-To"]
    data = f"From: {sender}\nMessage-ID: <1@x>\n\nYes\n".encode()
    assert outcome_of_mail(lambda _: world.svc, address, data).outcome is DeliveryOutcome.TAKEN


def test_an_answer_to_a_direct_message_goes_to_all_its_people(world: World) -> None:
    world["ada"].writes("Tea?", "bea", "cem")
    mails = [mailed(world), *sent(world)]
    (address,) = {mail["Reply-To"] for mail in mails if mail["To"] == "bea@example.org"}
    assert arrives(world, address, answer()) is DeliveryOutcome.TAKEN
    newest = world["cem"].reads()[-1]
    assert (newest["sender_full_name"], newest["type"]) == ("Bea", "private")
    assert len(newest["display_recipient"]) == 3


def test_a_mail_is_posted_once(world: World) -> None:
    world["ada"].writes("Tea?", "bea")
    address = mailed(world)["Reply-To"]
    before = world.count("message")
    for key in ("1", "1", "2"):
        assert arrives(world, address, answer(key=key)) is DeliveryOutcome.TAKEN
    assert world.count("message") == before + 2
    world.clock.advance(world.svc.limits.mail_receipt_lifetime + 1)
    assert arrives(world, address, answer(key="3")) is DeliveryOutcome.TAKEN
    assert world.count("reply_receipt") == 1  # what no mail server sends again is forgotten


def test_an_answer_follows_a_message_that_was_moved(world: World) -> None:
    message_id = world["ada"].says("@**Bea** Tea?", topic="Tea")
    address = mailed(world)["Reply-To"]
    world["ada"].patch(f"/messages/{message_id}", topic="Coffee")
    assert arrives(world, address, answer()) is DeliveryOutcome.TAKEN
    assert world["ada"].reads()[-1]["subject"] == "Coffee"


def test_files_come_along(world: World) -> None:
    world["ada"].writes("Tea?", "bea")
    mail = answer()
    mail.add_attachment(picture(), maintype="image", subtype="png", filename="cup.png")
    assert arrives(world, mailed(world)["Reply-To"], mail) is DeliveryOutcome.TAKEN
    assert "cup.png" in world["ada"].reads()[-1]["content"]


@pytest.mark.parametrize(
    ("what", "outcome"),
    [
        ("left", DeliveryOutcome.NOT_TAKEN),
        ("deleted", DeliveryOutcome.NOT_TAKEN),
        ("archived", DeliveryOutcome.NOT_TAKEN),
        ("deactivated", DeliveryOutcome.UNKNOWN_ADDRESS),
        ("new key", DeliveryOutcome.UNKNOWN_ADDRESS),
        ("expired", DeliveryOutcome.UNKNOWN_ADDRESS),
        ("closed", DeliveryOutcome.NOT_TAKEN),
    ],
)
def test_an_address_loses_its_power(world: World, what: str, outcome: DeliveryOutcome) -> None:
    world.change_user("ada", role=200)
    message_id = world["ada"].says("@**Bea** Tea?", channel="secret")
    address = mailed(world)["Reply-To"]
    assert is_taken(world, address)
    match what:
        case "left":
            world["bea"].leaves("secret")
        case "deleted":
            world["ada"].delete(f"/messages/{message_id}")
        case "archived":
            world["olga"].joins("lunch")
            world["ada"].delete(f"/streams/{world.id('secret')}")
        case "deactivated":
            world["olga"].delete(f"/users/{world['bea'].id}")
        case "new key":
            world["bea"].post("/users/me/api_key/regenerate")
        case "expired":
            world.clock.advance(LIFETIME)
        case "closed":
            world.change_organization(is_deactivated=True)
    before = world.count("message")
    assert not is_taken(world, address)
    assert arrives(world, address, answer()) is outcome
    assert world.count("message") == before


def test_other_addresses_are_unknown(world: World) -> None:
    world["ada"].writes("Tea?", "bea")
    local, _, host = mailed(world)["Reply-To"].partition("@")
    body, _, mark = local.rpartition("-")
    user, ada = (f"{world[name].id:x}-" for name in ("bea", "ada"))
    assert letterbox_of(world.svc, f"{local}@{host}") is None
    for other in (
        f"{body}-{'0' * len(mark)}@{host}",
        f"{body.replace(user, ada, 1)}-{mark}@{host}",
        f"{local}@elsewhere.example",
        f"reply.{'f' * 80}-1-1-1@{host}",
        f"{local}-@{host}",
    ):
        assert arrives(world, other, answer()) is DeliveryOutcome.UNKNOWN_ADDRESS


@pytest.mark.parametrize(
    ("mail", "outcome"),
    [
        (answer(Auto_Submitted="auto-replied"), DeliveryOutcome.TAKEN),
        (answer(""), DeliveryOutcome.NOT_TAKEN),
        (answer("x" * 200_000), DeliveryOutcome.TOO_LARGE),
    ],
)
def test_what_is_no_answer_posts_nothing(world: World, mail: EmailMessage, outcome: DeliveryOutcome) -> None:
    world["ada"].writes("Tea?", "bea")
    address = mailed(world)["Reply-To"]
    before = world.count("message")
    assert arrives(world, address, mail) is outcome
    assert world.count("message") == before


def test_the_mails_of_a_person_are_limited_by_the_hour(world: World) -> None:
    world["ada"].writes("Tea?", "bea")
    address = mailed(world)["Reply-To"]
    outcomes = [arrives(world, address, answer(key=str(number))) for number in range(4)]
    assert outcomes == [DeliveryOutcome.TAKEN] * 3 + [DeliveryOutcome.TRY_AGAIN]
    world.clock.advance(3600)
    assert arrives(world, address, answer(key="5")) is DeliveryOutcome.TAKEN
