"""Messages that link to many files, and files that many messages link to."""

from dataclasses import replace

import pytest

from chatcore.application.people.accounts import NewUser, create_user
from chatcore.domain.ids import Position
from chatcore.domain.limits import Limits
from tests.storage_backends.spying import statements
from tests.worlds.files import fetches, files_world, uploads
from tests.worlds.organization import MakeWorld, Someone, World
from tests.worlds.waiting import in_seconds, passes, reminded, reminders_of, schedules

__all__ = ["files_world"]


@pytest.fixture
def world(files_world: World) -> World:
    return files_world


def test_a_message_that_links_to_many_files_is_one_event_for_each_owner(
    world: World, ada: Someone, bea: Someone
) -> None:
    own = [uploads(ada, b"x" * n)["url"] for n in range(1, 21)]
    theirs = [uploads(bea, b"y" * n)["url"] for n in range(1, 3)]
    ada.writes(" ".join(theirs), "bea")
    bea.writes(" ".join(theirs), "ada")
    lines = [ada.opens_queue("attachment"), bea.opens_queue("attachment")]
    with statements(world.storage) as few:
        ada.says(own[0])
    head = world.storage.read(lambda snapshot: snapshot.log.head())
    with statements(world.storage) as many:
        sent = ada.says(" ".join(own + theirs))
    assert few
    assert len(many) <= len(few) + 10, "however many files there are"
    after = world.storage.read(lambda snapshot: snapshot.log.after(Position(head), 100))
    assert [one.event.type for one in after] == ["message", "attachment", "attachment"]
    mine, others = (line.events() for line in lines)
    assert [event["attachment"]["size"] for event in mine] == [1, *range(1, 21)]
    assert [event["attachment"]["size"] for event in others] == [1, 2]
    assert all(event["attachment"]["messages"][-1]["id"] == sent for event in mine + others)


def test_a_message_links_to_a_bounded_number_of_files(make_world: MakeWorld, tmp_path: object) -> None:
    world = make_world(data_dir=tmp_path, limits=replace(Limits(), max_files_per_message=2))
    ada = world["ada"]
    urls = [uploads(ada, b"x")["url"] for _ in range(3)]
    message = {"type": "channel", "to": "lunch", "topic": "today"}
    ada.refused("POST", "/messages", content=" ".join(urls), **message)
    sent = ada.says(" ".join(urls[:2]))
    ada.refused("PATCH", f"/messages/{sent}", content=" ".join(urls))
    assert ada.finds("channel:lunch") == [sent]
    later = {**message, "to": world.id("lunch"), "scheduled_delivery_timestamp": in_seconds(world, 60)}
    ada.refused("POST", "/scheduled_messages", content=" ".join(urls), **later)
    scheduled = schedules(ada, " ".join(urls[:2]))
    ada.refused("PATCH", f"/scheduled_messages/{scheduled}", content=" ".join(urls))


def test_notices_name_any_number_of_files(make_world: MakeWorld, tmp_path: object) -> None:
    """Notices give no files, so that none fails for their number."""
    world = make_world(data_dir=tmp_path, limits=replace(Limits(), max_files_per_message=2))
    ada = world["ada"]
    urls = [uploads(ada, b"x")["url"] for _ in range(3)]
    reminded(ada, ada.says(" ".join(urls[:2])), note=urls[2])
    passes(world, 60)
    assert reminders_of(ada) == []
    world.change_organization(welcome_message_custom_text=" ".join(urls))
    create_user(world.svc, NewUser(email="eve@example.org", full_name="Eve"))


def test_the_owner_reads_of_the_newest_messages_and_all_open_the_file(
    world: World, ada: Someone, bea: Someone, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("chatcore.application.delivery.file_links.MESSAGES_NAMED", 3)
    url = uploads(ada)["url"]
    line = ada.opens_queue("attachment")
    ada.writes(url, "bea")
    sent = [ada.writes(url, "cem") for _ in range(4)]
    (listed,) = ada.get("/attachments")["attachments"]
    assert [one["id"] for one in listed["messages"]] == sent[-3:]
    assert line.events()[-1]["attachment"] == listed
    assert fetches(bea, url).status_code == 200, "by a message that is not among the newest"
    assert fetches(world["gus"], url).status_code == 404
