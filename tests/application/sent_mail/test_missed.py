"""Mails about missed messages, as a mail server gets them."""

from collections.abc import Iterator
from contextlib import closing
from email.message import EmailMessage
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from chatcore.application.due import read_due
from chatcore.application.messages.sending import SendDirect
from chatcore.application.messages.sending import send as send_message
from chatcore.application.sent_mail import gathering, sending
from chatcore.application.sent_mail.gathering import gather_missed
from chatcore.application.sent_mail.sending import send_due
from chatcore.domain.limits import Limits
from chatcore.domain.sent_mail.missed import ACTIVE_SECONDS, FULL_PAUSE, MAX_AGE, MAX_MESSAGES, MAX_WAITING
from chatcore.domain.topics import VisibilityPolicy
from tests.worlds.mail import Receiver, mail_server, sent
from tests.worlds.organization import MakeWorld, World, at_once

PATIENCE = 120


@pytest.fixture
def receiver() -> Iterator[tuple[Receiver, int]]:
    with mail_server() as running:
        yield running


@pytest.fixture
def world(make_world: MakeWorld, receiver: tuple[Receiver, int]) -> World:
    return make_world(smtp_host="127.0.0.1", smtp_port=receiver[1], smtp_tls="off", smtp_timeout=60)


@pytest.fixture
def inbox(receiver: tuple[Receiver, int]) -> Receiver:
    return receiver[0]


def works(world: World, seconds: int = 0) -> None:
    """Do what is due, and again after some seconds."""
    gather_missed(world.svc)
    world.clock.advance(seconds)
    gather_missed(world.svc)
    send_due(world.svc)


def arrived(world: World, inbox: Receiver, after: int = PATIENCE) -> list[EmailMessage]:
    works(world, after)
    mails, inbox.received = inbox.received, []
    return mails


def text_of(mail: EmailMessage) -> str:
    part = mail.get_body(("plain",))
    assert part is not None
    return str(part.get_content())


def page_of(mail: EmailMessage) -> str:
    part = mail.get_body(("html",))
    assert part is not None
    return str(part.get_content())


def to(mails: list[EmailMessage]) -> list[str]:
    return sorted(mail["To"] for mail in mails)


def test_a_direct_message_is_mailed_once_after_the_patience(world: World, inbox: Receiver) -> None:
    message_id = world["ada"].writes("Tea at *five*?", "bea")
    assert arrived(world, inbox, PATIENCE - 1) == []
    (mail,) = arrived(world, inbox, 1)
    assert (mail["To"], mail["Subject"]) == ("bea@example.org", "Direct message from Ada")
    assert mail["From"] == "Analytical Society <noreply@chat.example.org>"
    assert "Tea at five?" in text_of(mail)
    assert "Tea at <em>five</em>?" in page_of(mail)
    assert f"https://chat.example.org/#narrow/dm/{world['ada'].id}-dm/near/{message_id}" in text_of(mail)
    assert "Answers to this mail reach nobody" in text_of(mail)
    assert mail["Reply-To"] is None
    assert arrived(world, inbox, 10 * PATIENCE) == []
    assert [world.count(table) for table in ("missed_conversation", "mail")] == [0, 0]


def test_people_who_are_mentioned_or_want_it_get_a_mail(world: World, inbox: Receiver) -> None:
    cem = world["cem"]
    cem.joins("lunch")
    assert arrived(world, inbox) == []
    cem.says("@**Ada** and @**Gus**: soup")
    cem.says("@**all** eat", topic="all")
    world.set_policy("bea", "lunch", "Cake", VisibilityPolicy.FOLLOWED)
    cem.says("cake", topic="cake")
    mails = arrived(world, inbox)
    assert sorted((mail["To"], mail["Subject"]) for mail in mails) == [
        ("ada@example.org", "Cem in #lunch > all"),
        ("ada@example.org", "Cem in #lunch > today"),
        ("bea@example.org", "Cem in #lunch > all"),
        ("bea@example.org", "Cem in #lunch > cake"),
        ("gus@example.org", "Cem in #lunch > all"),
        ("gus@example.org", "Cem in #lunch > today"),
    ]
    assert {mail["To"] for mail in mails if "you follow the topic" in text_of(mail)} == {"bea@example.org"}


@pytest.mark.parametrize("by", ["account", "channel"])
def test_all_messages_of_channels_are_mailed_to_who_wants_them(
    world: World, inbox: Receiver, by: str
) -> None:
    bea, channel_id = world["bea"], world.id("lunch")
    if by == "account":
        bea.patch("/settings", enable_stream_email_notifications=True)
    else:
        data = [{"stream_id": channel_id, "property": "email_notifications", "value": True}]
        bea.post("/users/me/subscriptions/properties", subscription_data=data)
    world["ada"].says("soup")
    world["ada"].says("not there", channel="plaza")
    assert to(arrived(world, inbox)) == ["bea@example.org"]
    off = [{"stream_id": channel_id, "property": "email_notifications", "value": False}]
    bea.post("/users/me/subscriptions/properties", subscription_data=off)
    world["ada"].says("more soup")
    assert arrived(world, inbox) == []


def test_mails_are_grouped_by_conversation_and_form_threads(world: World, inbox: Receiver) -> None:
    ada = world["ada"]
    for content in ("@**Bea** one", "@**Bea** two"):
        ada.says(content, topic="Soup")
        world.clock.advance(30)
    ada.says("@**Bea** three", topic="cake")
    ada.writes("hi", "bea", "cem")
    mails = [mail for mail in arrived(world, inbox) if mail["To"] == "bea@example.org"]
    assert sorted(mail["Subject"] for mail in mails) == [
        "Ada in #lunch > Soup", "Ada in #lunch > cake", "Direct messages with Ada and Cem",
    ]  # fmt: skip
    first = next(mail for mail in mails if "Soup" in mail["Subject"])
    assert text_of(first).index("@Bea one") < text_of(first).index("@Bea two")
    ada.says("@**Bea** four", topic="soup")
    (later,) = arrived(world, inbox)
    assert later["References"] == first["References"]
    assert later["Message-ID"] != first["Message-ID"]
    assert len({mail["References"] for mail in mails}) == 3


def test_a_person_who_is_active_gets_no_mail(world: World, inbox: Receiver) -> None:
    ada, bea = world["ada"], world["bea"]
    ada.writes("first", "bea")
    world.clock.advance(60)
    bea.post("/users/me/presence", status="active", new_user_input=True)
    assert arrived(world, inbox) == []
    world.clock.advance(10)
    ada.writes("second", "bea")
    assert arrived(world, inbox, ACTIVE_SECONDS - PATIENCE - 20) == []
    assert arrived(world, inbox, PATIENCE) != []


def test_a_person_without_presence_is_active_by_the_queues(world: World, inbox: Receiver) -> None:
    world.choose("bea", presence_enabled=False)
    world["ada"].writes("first", "bea")
    world.clock.advance(60)
    line = world["bea"].opens_queue("message")
    assert arrived(world, inbox) == []
    world["bea"].delete("/events", queue_id=line.id)
    world["ada"].writes("second", "bea")
    assert to(arrived(world, inbox)) == ["bea@example.org"]


def moves_away(world: World, message_id: int) -> None:
    world.add_channel("cave", "ada", invite_only=True)
    world["olga"].joins("lunch")
    world["ada"].patch(f"/messages/{message_id}", stream_id=world.id("cave"))


@pytest.mark.parametrize(
    "what",
    ["read", "deleted", "topic muted", "channel muted", "sender muted", "left", "moved away", "edited",
     "deactivated", "setting", "closed"],
)  # fmt: skip
@pytest.mark.parametrize("when", ["waits", "in outbox"])
def test_what_changes_before_the_mail_is_sent_counts(
    world: World, inbox: Receiver, what: str, when: str
) -> None:
    ada, bea = world["ada"], world["bea"]
    world.change_user("ada", role=200)
    message_id = ada.says("@**Bea** soup", channel="secret")
    world.set_policy("bea", "secret", "today", VisibilityPolicy.INHERIT)  # who is mentioned follows
    gather_missed(world.svc)
    assert world.count("missed_conversation") == 1
    if when == "in outbox":
        world.clock.advance(PATIENCE)
        gather_missed(world.svc)
        assert [world.count(table) for table in ("missed_conversation", "mail")] == [0, 1]
    match what:
        case "read":
            bea.flagged("read", message_id)
        case "deleted":
            ada.delete(f"/messages/{message_id}")
        case "topic muted":
            world.set_policy("bea", "secret", "today", VisibilityPolicy.MUTED)
        case "channel muted":
            world.mute("bea", "secret")
            world.clock.advance(1)
        case "sender muted":
            bea.post(f"/users/me/muted_users/{ada.id}")
        case "left":
            bea.leaves("secret")
        case "moved away":
            moves_away(world, message_id)
        case "edited":
            ada.patch(f"/messages/{message_id}", content="soup")
        case "deactivated":
            world["olga"].delete(f"/users/{bea.id}")
        case "setting":
            bea.patch("/settings", enable_offline_email_notifications=False)
        case "closed":
            world.change_organization(is_deactivated=True)
    assert arrived(world, inbox) == []
    assert [world.count(table) for table in ("missed_conversation", "mail")] == [0, 0]


def test_nobody_else_gets_a_mail(world: World, inbox: Receiver) -> None:
    ada = world["ada"]
    ada.writes("to myself", "ada")
    ada.writes("to a bot", "robo")
    ada.says("@**Robo** @**Ada** me")
    ada.says("@**Cem** is not subscribed")
    ada.says("@_**Bea** silently")
    ada.post("/reminders", message_id=ada.says("later"), scheduled_delivery_timestamp=world.svc.now + 1)
    assert arrived(world, inbox) == []


def test_the_text_is_left_out_where_settings_say_so(world: World, inbox: Receiver) -> None:
    world["bea"].patch("/settings", message_content_in_email_notifications=False)
    world["ada"].says("@**Bea** @**Gus** secret soup", topic="plan")
    mails = {mail["To"]: mail for mail in arrived(world, inbox)}
    hidden = mails["bea@example.org"]
    assert hidden["Subject"] == "New messages for you"
    assert "secret soup" in text_of(mails["gus@example.org"])
    for text in (text_of(hidden), page_of(hidden)):
        assert "a new message in Analytical Society" in text
        assert not any(word in text for word in ("soup", "plan", "Ada"))
    world.change_organization(message_content_allowed_in_email_notifications=False)
    world["ada"].says("@**Gus** secret soup")
    (mail,) = arrived(world, inbox)
    assert "secret soup" not in text_of(mail) + page_of(mail)


def test_the_subject_names_the_organization_by_the_policy(world: World, inbox: Receiver) -> None:
    world["bea"].patch("/settings", realm_name_in_email_notifications_policy=2)
    world["ada"].writes("hi", "bea")
    (mail,) = arrived(world, inbox)
    assert mail["Subject"] == "Direct message from Ada [Analytical Society]"


def test_the_period_of_the_person_counts_from_the_first_message(world: World, inbox: Receiver) -> None:
    world["bea"].patch("/settings", email_notifications_batching_period_seconds=600)
    world["ada"].writes("one", "bea")
    world.clock.advance(500)
    world["ada"].writes("two", "bea")
    assert arrived(world, inbox, 99) == []
    (mail,) = arrived(world, inbox, 1)
    assert "two" in text_of(mail)
    world["bea"].patch("/settings", email_notifications_batching_period_seconds=0)
    world["ada"].writes("now", "bea")
    assert len(arrived(world, inbox, 0)) == 1


def test_a_message_of_a_clock_that_was_ahead_waits_for_no_later_time(world: World, inbox: Receiver) -> None:
    first, day = world["ada"].writes("one", "bea"), 86_400
    world.clock.advance(day)
    world["ada"].writes("two", "bea")
    world.clock.advance(-day)
    works(world)
    world["bea"].post("/messages/flags", messages=[first], op="add", flag="read")
    (mail,) = arrived(world, inbox)
    assert "two" in text_of(mail)


def test_a_long_conversation_is_cut(world: World, inbox: Receiver) -> None:
    for number in range(MAX_MESSAGES + 5):
        world["ada"].writes(f"number {number}.", "bea")
    (mail,) = arrived(world, inbox)
    assert f"number {MAX_MESSAGES - 1}." in text_of(mail)
    assert f"number {MAX_MESSAGES}." not in text_of(mail)
    assert "There are more messages" in text_of(mail)


def test_long_headers_of_one_word_stay_as_they_are(make_world: MakeWorld, tmp_path: Path) -> None:
    host = f"{'chat-of-the-analytical-society.' * 3}example.org"
    world = make_world(mail_folder=tmp_path / "mail", external_url=f"https://{host}", receives_mail=True)
    ada, bea = (world.actor(name) for name in ("ada", "bea"))
    send_message(world.svc, ada, SendDirect(content="hi", to=[bea.user_id]))
    gather_missed(world.svc)
    world.clock.advance(PATIENCE)
    gather_missed(world.svc)
    (mail,) = sent(world)
    assert mail["List-Unsubscribe"].startswith(f"<https://{host}/unsubscribe/")
    (file,) = (tmp_path / "mail").glob("*.eml")
    lines = file.read_bytes().split(b"\r\n")
    for name in (b"List-Unsubscribe", b"Reply-To", b"References", b"Message-ID"):
        (line,) = (line for line in lines if line.startswith(name + b": "))
        assert host.encode() in line


def test_messages_that_are_too_large_together_are_fewer(make_world: MakeWorld, tmp_path: Path) -> None:
    world = make_world(mail_folder=tmp_path / "mail", limits=Limits(max_fetch_size=20_000))
    world["bea"].patch("/settings", timezone="Europe/London")
    for number in range(6):
        world["ada"].writes(f"number {number}. " + "x" * 4000, "bea")
    gather_missed(world.svc)
    world.clock.advance(PATIENCE)
    gather_missed(world.svc)
    (mail,) = sent(world)
    assert "number 0." in text_of(mail)
    assert "number 5." not in text_of(mail)


@pytest.mark.parametrize("timezone", ["Soup/Kitchen", "America", "../soup", "/soup"])
def test_a_time_zone_that_is_none_is_utc(timezone: str, world: World, inbox: Receiver) -> None:
    """Such as in an archive."""
    world.change_user("bea", timezone=timezone)
    world["ada"].writes("hi", "bea")
    (mail,) = arrived(world, inbox)
    assert " UTC" in text_of(mail)


def test_names_cannot_add_headers_or_markup(world: World, inbox: Receiver) -> None:
    world.change_user("ada", full_name="Ada <b>Fox</b>")
    world["ada"].says("@**Bea** <script>x</script>", topic="a\u2028Bcc: spy@example.org & <i>")
    (mail,) = arrived(world, inbox)
    assert mail["Bcc"] is None
    assert mail["Subject"].startswith("Ada <b>Fox</b> in #lunch > a")
    assert not any(tag in page_of(mail) for tag in ("<b>", "<i>", "<script>"))


def test_without_mail_nothing_is_gathered(make_world: MakeWorld) -> None:
    world = make_world()
    world["ada"].writes("hi", "bea")
    assert gather_missed(world.svc) == float("inf")
    assert world.count("missed_conversation") == 0
    assert world.svc.alarms.missed.task is None


def test_old_messages_cause_no_mail_when_mail_is_set_up(world: World, inbox: Receiver) -> None:
    world["ada"].writes("old", "bea")
    world.clock.advance(MAX_AGE + 1)
    assert arrived(world, inbox) == []


def test_what_waits_for_a_person_has_a_bound(world: World, inbox: Receiver) -> None:
    inbox.data_answer = "451 later"
    for number in range(MAX_WAITING + 2):
        world["ada"].says("@**Bea**", topic=f"t{number}")
    gather_missed(world.svc)
    assert world.count("missed_conversation") == MAX_WAITING
    world.clock.advance(PATIENCE)
    gather_missed(world.svc)
    assert [world.count(table) for table in ("missed_conversation", "mail")] == [0, MAX_WAITING]
    for number in range(2):
        world["ada"].says("@**Bea**", topic=f"more {number}")
    gather_missed(world.svc)
    world.clock.advance(PATIENCE)
    assert gather_missed(world.svc) == FULL_PAUSE
    assert [world.count(table) for table in ("missed_conversation", "mail")] == [2, MAX_WAITING]
    world.sql("DELETE FROM mail WHERE id = (SELECT min(id) FROM mail)")
    world.clock.advance(FULL_PAUSE)
    gather_missed(world.svc)
    assert [world.count(table) for table in ("missed_conversation", "mail")] == [1, MAX_WAITING]


class Killed(BaseException):
    """The end of a process."""


def test_a_process_that_is_killed_after_sending_sends_the_same_mail_again(
    world: World, inbox: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    world["ada"].writes("hi", "bea")
    gather_missed(world.svc)
    world.clock.advance(PATIENCE)
    gather_missed(world.svc)

    def dies(*_: object) -> None:
        raise Killed

    with monkeypatch.context() as patch:
        patch.setattr(sending, "_remove_mail", dies)
        with pytest.raises(Killed):
            send_due(world.svc)
    assert len(inbox.received) == 1
    send_due(world.svc)
    assert len(inbox.received) == 1  # the claim still holds
    first, *_ = inbox.received
    again = arrived(world, inbox, 600)
    assert [mail["Message-ID"] for mail in again] == [first["Message-ID"]] * 2
    assert [text_of(mail) for mail in again] == [text_of(first)] * 2
    assert world.count("mail") == 0


def test_a_process_that_is_killed_while_it_gathers_gathers_again(
    world: World, inbox: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    world["ada"].writes("hi", "bea")
    storage, write, count = world.svc.storage, world.svc.storage.write, 0

    def dies_at_the_second(work: object) -> object:
        nonlocal count
        count += 1
        if count == 2:
            raise Killed
        return write(work)  # type: ignore[arg-type]

    with monkeypatch.context() as patch:
        patch.setattr(storage, "write", dies_at_the_second)
        with pytest.raises(Killed):
            gather_missed(world.svc)
    assert len(arrived(world, inbox)) == 1
    assert arrived(world, inbox) == []


def test_a_process_that_is_overtaken_while_it_gathers_stores_nothing(
    world: World, inbox: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    world["ada"].writes("hi", "bea")

    def is_overtaken(*arguments: Any) -> object:
        gathered = read_due(*arguments)
        monkeypatch.setattr(gathering, "read_due", read_due)
        works(world, PATIENCE)
        assert to(inbox.received) == ["bea@example.org"]
        return gathered

    monkeypatch.setattr(gathering, "read_due", is_overtaken)
    assert len(arrived(world, inbox)) == 1
    assert world.count("missed_conversation") == 0


def test_a_mail_to_a_former_address_is_not_sent(world: World, inbox: Receiver) -> None:
    world["ada"].writes("hi", "bea")
    gather_missed(world.svc)
    world.clock.advance(PATIENCE)
    gather_missed(world.svc)
    assert world.count("mail") == 1
    world.change_user("bea", email="bea@example.com")
    assert arrived(world, inbox) == []
    assert world.count("mail") == 0


def test_several_processes_send_each_mail_once(
    world: World, inbox: Receiver, receiver: tuple[Receiver, int]
) -> None:
    for number in range(10):
        world["ada"].says("@**Bea** @**Gus**", topic=f"t{number}")
    given = {"smtp_host": "127.0.0.1", "smtp_port": receiver[1], "smtp_tls": "off", "smtp_timeout": 60}
    with closing(World(world.url, **given)) as other:
        for seconds in (0, PATIENCE):
            for one in (world, other):
                one.clock.advance(seconds)
            at_once(*(partial(gather_missed, one.svc) for one in (world, other)))
        assert world.count("mail") == 20
        at_once(*(partial(send_due, one.svc) for one in (world, other)))
    assert len(inbox.received) == len({mail["Message-ID"] for mail in inbox.received}) == 20
    assert [world.count(table) for table in ("missed_conversation", "mail")] == [0, 0]


def test_a_mail_server_that_is_down_holds_up_no_gathering(world: World, inbox: Receiver) -> None:
    inbox.data_answer = "451 later"
    world["ada"].writes("one", "bea")
    works(world, PATIENCE)
    world["ada"].writes("two", "gus")
    works(world, PATIENCE)
    assert world.count("mail") == 2
    inbox.data_answer = "250 OK"
    world.clock.advance(300)
    send_due(world.svc)
    assert to(inbox.received) == ["bea@example.org", "gus@example.org"]
