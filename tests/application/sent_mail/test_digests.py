"""Summaries by mail after a long absence."""

from contextlib import suppress
from email.message import EmailMessage
from math import inf
from pathlib import Path
from typing import Any

import pytest

from chatcore.application import units
from chatcore.application.sent_mail import digests
from chatcore.application.sent_mail.digests import write_digests
from chatcore.domain.sent_mail.digests import MAX_CHANNELS, MAX_SHOWN, MAX_TOPICS
from chatcore.domain.topics import VisibilityPolicy
from tests.application.sent_mail.test_missed import moves_away
from tests.http.sent_mail.test_unsubscribing import opens
from tests.worlds.mail import sent
from tests.worlds.organization import DAY, MakeWorld, World

WEEK = 7 * DAY
SATURDAY = 5
"""The weekday six days after the world begins."""


@pytest.fixture
def world(make_world: MakeWorld, tmp_path: Path) -> World:
    """A world in which all are away, on the day before summaries are sent."""
    world = make_world(mail_folder=tmp_path / "mail")
    world["olga"].patch("/realm", digest_emails_enabled=True, digest_weekday=SATURDAY)
    world.clock.advance(5 * DAY)
    return world


def come(world: World, after: int = DAY) -> list[EmailMessage]:
    """Write and send the summaries after some seconds; return the new mails."""
    folder = world.svc.settings.mail_folder
    assert folder is not None
    for path in folder.glob("*.eml"):
        path.unlink()
    world.clock.advance(after)
    write_digests(world.svc)
    return sent(world)


def to(mails: list[EmailMessage]) -> list[str]:
    return sorted(mail["To"].partition("@")[0] for mail in mails)


def text_of(mails: list[EmailMessage], name: str = "bea", form: str = "plain") -> str:
    (mail,) = [mail for mail in mails if mail["To"].startswith(name)]
    part = mail.get_body((form,))
    assert part is not None
    return str(part.get_content())


def test_who_was_away_gets_a_summary_of_the_busiest_topics(world: World) -> None:
    ada = world["ada"]
    world["cem"].joins("lunch")
    first = ada.says("*Soup* is ready", topic="Soup")
    world["cem"].says("coming", topic="soup")
    ada.says("so am I", topic="soup")
    ada.says("cake", topic="cake")
    mails = come(world)
    assert to(mails) == ["ada", "bea", "cem", "gus"]
    text = text_of(mails)
    assert "You have 4 new messages in Analytical Society." in text
    assert "#lunch > Soup: 3 messages by 2 people" in text
    assert "Soup is ready" in text
    assert "so am I" not in text
    assert text.index("Soup is ready") < text.index("coming") < text.index("cake")
    link = f"https://chat.example.org/#narrow/channel/{world.id('lunch')}-lunch/topic/Soup/near/{first}"
    assert link in text
    page = text_of(mails, form="html")
    assert "<em>Soup</em> is ready" in page
    assert f'href="{link}"' in page
    (mail,) = [mail for mail in mails if mail["To"].startswith("bea")]
    assert mail["Subject"] == "What was new in Analytical Society"
    assert mail["From"] == "Analytical Society <noreply@chat.example.org>"
    assert mail["Auto-Submitted"] == "auto-generated"


def test_a_summary_comes_once_a_week_and_tells_nothing_twice(world: World) -> None:
    world["ada"].says("soup", topic="soup")
    assert to(come(world, 0)) == []
    assert to(come(world)) == ["bea", "gus"]
    assert to(come(world, 3600)) == []
    world["ada"].says("cake", topic="cake")
    assert to(come(world, DAY)) == []
    mails = come(world, WEEK - DAY)
    assert to(mails) == ["bea", "gus"]
    assert "cake" in text_of(mails)
    assert "soup" not in text_of(mails)
    assert to(come(world, WEEK)) == []


def test_what_comes_while_summaries_are_sent_is_told_a_week_later(world: World) -> None:
    world["ada"].says("soup", topic="soup")
    world.clock.advance(DAY)
    world["ada"].says("cake", topic="cake")
    makes_channel(world, "garden")
    text = text_of(come(world, 3600))
    assert "You have a new message in" in text
    assert "soup" in text
    assert not any(word in text for word in ("cake", "garden"))
    text = text_of(come(world, WEEK))
    assert "You have a new message in" in text
    assert "cake" in text
    assert "garden" in text


def test_without_the_settings_nothing_comes(world: World) -> None:
    world["ada"].says("soup", topic="soup")
    world["bea"].patch("/settings", enable_digest_emails=False)
    assert to(come(world)) == ["gus"]
    world["olga"].patch("/realm", digest_emails_enabled=False)
    world["ada"].says("cake", topic="cake")
    assert to(come(world, WEEK)) == []


def test_summaries_are_off_at_first_and_come_on_the_day_on_which_they_are_switched_on(
    make_world: MakeWorld, tmp_path: Path
) -> None:
    world = make_world(mail_folder=tmp_path / "mail")
    world["olga"].patch("/realm", digest_weekday=SATURDAY)
    world.clock.advance(5 * DAY)
    world["ada"].says("soup", topic="soup")
    assert to(come(world)) == []
    world["olga"].patch("/realm", digest_emails_enabled=True)
    assert to(come(world, 0)) == ["bea", "gus"]


def makes_channel(world: World, name: str, **more: Any) -> int:
    world["olga"].post("/users/me/subscriptions", subscriptions=[{"name": name}], **more)
    return int(world["olga"].get("/get_stream_id", stream=name)["stream_id"])


def report_activity(world: World) -> None:
    world["bea"].post("/users/me/presence", status="active", ping_only=True)


def open_queue(world: World) -> None:
    world["bea"].patch("/settings", presence_enabled=False)
    world["bea"].post("/register", event_types=["message"])


def hide_and_log_in(world: World) -> None:
    world["bea"].patch("/settings", presence_enabled=False)
    log_in(world)


def log_in(world: World) -> None:
    world.sql(
        "INSERT INTO browser_session (token_hash, user_id, began_at, used_at, user_agent, address)"
        f" VALUES ('x', {world['bea'].id}, {int(world.clock())}, {int(world.clock())}, 'x', 'x')"
    )


@pytest.mark.parametrize("is_active", [report_activity, open_queue, hide_and_log_in])
def test_who_was_there_lately_gets_none(world: World, is_active: Any) -> None:
    world["ada"].says("soup", topic="soup")
    is_active(world)
    assert to(come(world)) == ["gus"]


def test_an_open_browser_is_no_activity_of_people_with_presence(world: World) -> None:
    world["ada"].says("soup", topic="soup")
    log_in(world)
    assert to(come(world)) == ["bea", "gus"]


def test_new_people_get_none(world: World) -> None:
    world["ada"].says("soup", topic="soup")
    world.sql(f"UPDATE account SET date_joined = {int(world.clock())} WHERE id = {world['bea'].id}")
    assert to(come(world)) == ["gus"]


@pytest.mark.parametrize(
    "what",
    ["read", "deleted", "topic muted", "channel muted", "unsubscribed", "sender muted", "moved away", "back",
     "switched off", "off for all", "deactivated", "organization closed", "other address"],
)  # fmt: skip
@pytest.mark.parametrize("when", ["before", "in outbox"])
def test_what_changes_before_it_is_sent_counts(world: World, what: str, when: str) -> None:
    ada, bea, olga = world["ada"], world["bea"], world["olga"]
    world.change_user("ada", role=200)
    message_id = ada.says("secret soup", channel="secret")
    world.clock.advance(DAY)
    if when == "in outbox":
        write_digests(world.svc)
        assert world.count("mail") == 1
    match what:
        case "read":
            bea.flagged("read", message_id)
        case "deleted":
            ada.delete(f"/messages/{message_id}")
        case "topic muted":
            world.set_policy("bea", "secret", "today", VisibilityPolicy.MUTED)
        case "channel muted":
            world.mute("bea", "secret")
        case "unsubscribed":
            bea.leaves("secret")
        case "sender muted":
            bea.post(f"/users/me/muted_users/{ada.id}")
        case "moved away":
            moves_away(world, message_id)
        case "back":
            report_activity(world)
        case "switched off":
            bea.patch("/settings", enable_digest_emails=False)
        case "off for all":
            olga.patch("/realm", digest_emails_enabled=False)
        case "deactivated":
            olga.delete(f"/users/{bea.id}")
        case "organization closed":
            world.change_organization(is_deactivated=True)
        case "other address":
            world.change_user("bea", email="new@example.org")
    expected = ["new"] if (what, when) == ("other address", "before") else []
    assert to(come(world, 0)) == expected
    assert world.count("mail") == 0


def test_new_channels_are_told_to_those_who_may_know_of_them(world: World) -> None:
    garden = makes_channel(world, "garden")
    makes_channel(world, "cellar", invite_only=True)
    mails = come(world)
    assert to(mails) == ["ada", "adi", "bea", "cem", "mona", "olga"]
    assert "There are new channels in" in text_of(mails)
    assert f"https://chat.example.org/#narrow/channel/{garden}-garden" in text_of(mails)
    assert "cellar" not in text_of(mails)
    assert "cellar" in text_of(mails, "olga")


def test_archived_channels_are_not_told(world: World) -> None:
    shed = makes_channel(world, "shed")
    makes_channel(world, "garden")
    world["olga"].delete(f"/streams/{shed}")
    text = text_of(come(world))
    assert "garden" in text
    assert "shed" not in text


def test_the_newest_of_many_new_channels_are_told(world: World) -> None:
    names = [f"garden {letter}" for letter in "abcdefghijklm"]
    for name in names:
        makes_channel(world, name)
        world.clock.advance(1)
    lines = text_of(come(world)).splitlines()
    told = [line.partition(" http")[0] for line in lines if line.startswith("#garden")]
    assert told == [f"#{name}" for name in reversed(names)][:MAX_CHANNELS]


@pytest.mark.parametrize("whose", ["person", "organization"])
def test_mails_without_texts_tell_numbers_only(world: World, whose: str) -> None:
    if whose == "person":
        world["bea"].patch("/settings", message_content_in_email_notifications=False)
    else:
        world["olga"].patch("/realm", message_content_allowed_in_email_notifications=False)
    makes_channel(world, "garden")
    world["ada"].says("soup is hot", topic="kettle")
    mails = come(world)
    for form in ("plain", "html"):
        text = text_of(mails, form=form)
        assert "You have a new message in" in text
        assert not any(word in text for word in ("soup", "kettle", "lunch", "Ada", "garden"))


def test_what_is_shown_has_a_bound(world: World) -> None:
    for number in range(MAX_TOPICS + 3):
        for part in range(MAX_SHOWN + 1):
            world["ada"].says(f"message {number}.{part}", topic=f"topic {number}")
    text = text_of(come(world))
    assert text.count("> topic ") == MAX_TOPICS
    assert text.count("message 0.") == MAX_SHOWN


def test_the_link_in_a_summary_ends_summaries_alone(world: World) -> None:
    world["ada"].says("soup", topic="soup")
    (mail,) = [mail for mail in come(world) if mail["To"].startswith("bea")]
    assert mail["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    link = mail["List-Unsubscribe"].strip("<>")
    line = world["bea"].opens_queue("user_settings")
    assert "no more summaries by mail" in opens(world, link).text
    assert opens(world, link, "POST").status_code == 200
    assert [(event["property"], event["value"]) for event in line.events()] == [
        ("enable_digest_emails", False)
    ]


def test_a_killed_process_loses_and_repeats_nothing(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is killed between any two units of work: those after it are not done."""
    world["ada"].says("soup", channel="plaza", topic="soup")
    makes_channel(world, "garden")
    monkeypatch.setattr(digests, "PEOPLE_AT_ONCE", 1)
    write, done = units.write, 0

    class Killed(BaseException):
        pass

    def until_killed(*args: Any) -> Any:
        nonlocal done
        done += 1
        if done % 3 == 0:
            raise Killed
        return write(*args)

    world.clock.advance(DAY)
    left = 0.0
    while left < inf:
        with monkeypatch.context() as patched, suppress(Killed):
            patched.setattr(digests.units, "write", until_killed)
            left = write_digests(world.svc)
        sent(world)
    assert done > 3
    assert to(sent(world)) == ["ada", "adi", "bea", "cem", "mona", "olga"]


def test_a_slower_process_writes_nothing(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    world["ada"].says("soup", topic="soup")
    world.clock.advance(DAY)
    read, is_first = digests.read_due, True

    def overtaken(*args: Any) -> Any:
        nonlocal is_first
        part = read(*args)
        if is_first:
            is_first = False
            write_digests(world.svc)
            sent(world)
        return part

    monkeypatch.setattr(digests, "read_due", overtaken)
    write_digests(world.svc)
    assert to(sent(world)) == ["bea", "gus"]


def test_summaries_wait_until_other_mails_are_sent(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """So no other mail waits for those of a whole organization."""
    monkeypatch.setattr(digests, "PEOPLE_AT_ONCE", 1)
    world["ada"].says("soup", topic="soup")
    world.clock.advance(DAY)
    assert write_digests(world.svc) < inf
    assert to(sent(world)) == ["bea"]
    assert write_digests(world.svc) == inf
    assert to(sent(world)) == ["bea", "gus"]


def test_a_summary_that_is_tried_again_is_the_only_one(world: World) -> None:
    world["ada"].says("soup", topic="soup")
    world.clock.advance(DAY)
    write_digests(world.svc)
    world.sql(f"UPDATE mail SET due = {int(world.clock()) + WEEK + DAY}")
    world["ada"].says("cake", topic="cake")
    world.clock.advance(WEEK)
    assert write_digests(world.svc) == inf
    assert world.count("mail") == 2


def test_who_has_no_address_for_mails_holds_up_nobody(world: World) -> None:
    world["ada"].says("soup", topic="soup")
    world.change_user("bea", email="b..a@example.org")
    assert to(come(world)) == ["gus"]


def test_a_server_without_mail_writes_none(make_world: MakeWorld) -> None:
    world = make_world()
    world["olga"].patch("/realm", digest_emails_enabled=True, digest_weekday=SATURDAY)
    world.clock.advance(5 * DAY)
    world["ada"].says("soup", topic="soup")
    world.clock.advance(DAY)
    assert write_digests(world.svc) == inf
    assert world.count("mail") == 0
    assert world.svc.alarms.digests.task is None
    state = world["ada"].post("/register", fetch_event_types=["realm"])
    assert state["settings_send_digest_emails"] is False


def test_a_fault_in_what_one_person_missed_ends_nothing_for_others(
    world: World, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    world["ada"].says("soup", topic="soup")
    find, bea = digests.find_digest, world["bea"].id

    def fails_for_bea(view: Any, user: Any, *more: Any) -> Any:
        if user.id == bea:
            raise ValueError("no such row")
        return find(view, user, *more)

    monkeypatch.setattr(digests, "find_digest", fails_for_bea)
    assert to(come(world)) == ["gus"]
    assert f"there is no summary for account {bea}" in caplog.text


def test_names_in_a_summary_are_no_markup(world: World) -> None:
    world["ada"].says("soup", topic="<b>a</b> & b")
    makes_channel(world, "<i>garden</i>")
    page = text_of(come(world), form="html")
    assert "&lt;b&gt;a&lt;/b&gt; &amp; b" in page
    assert "&lt;i&gt;garden&lt;/i&gt;" in page
    assert "<b>" not in page
    assert "<i>" not in page
