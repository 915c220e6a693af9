"""`/metrics`: only where it is set up, only for who has the token, and with nothing in it about anybody."""

from functools import partial
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest
from prometheus_client.parser import text_string_to_metric_families
from werkzeug.test import Client, TestResponse

from chatcore.application import units
from chatcore.application.mail import outbox, transport
from chatcore.application.mail.transport import MailRefused
from chatcore.application.people import passwords
from chatcore.application.retention.deleting import delete_due
from chatcore.application.sent_mail.sending import send_due
from chatcore.domain.mail.mails import MailKind
from chatcore.runtime.measures import FAMILIES
from chatcore.storage import StorageNotReady
from chatcore.version import version
from tests.application.retention.days import pass_days
from tests.waiting import until
from tests.worlds.files import uploads
from tests.worlds.organization import MakeWorld, Someone, World

TOKEN = "t" * 32


@pytest.fixture
def world(make_world: MakeWorld) -> World:
    return make_world(metrics_token=TOKEN)


def ask(world: World, authorization: str | None = f"Bearer {TOKEN}", method: str = "GET") -> TestResponse:
    headers = {} if authorization is None else {"Authorization": authorization}
    return Client(world.application).open("/metrics", method=method, headers=headers)


def samples(world: World, name: str) -> dict[tuple[str, ...], float]:
    """The values of a metric by the values of its labels, in the order of their names."""
    response = ask(world)
    assert response.status_code == 200
    assert response.headers["Content-Type"].startswith("text/plain")
    return {
        tuple(value for _, value in sorted(sample.labels.items())): sample.value
        for family in text_string_to_metric_families(response.text)
        for sample in family.samples
        if sample.name == name
    }


def test_without_a_token_set_there_is_no_such_page(make_world: MakeWorld) -> None:
    plain = make_world()
    for authorization in (None, "Bearer ", f"Bearer {TOKEN}"):
        assert ask(plain, authorization).status_code == 404


@pytest.mark.parametrize(
    "authorization",
    [
        None,
        "",
        TOKEN,
        "Bearer",
        "Bearer ",
        f"Bearer {TOKEN[:-1]}",
        f"Bearer {TOKEN}t",
        f"Basic {TOKEN}",
        "\xff",
    ],
)
def test_it_is_for_who_has_the_token(world: World, authorization: str | None) -> None:
    response = ask(world, authorization)
    assert (response.status_code, response.get_json()["code"]) == (401, "UNAUTHORIZED")
    assert "chatcore_" not in response.text


def test_an_api_key_is_no_token(world: World, ada: Someone) -> None:
    assert ask(world, ada.headers["Authorization"]).status_code == 401


def test_it_can_only_be_read(world: World) -> None:
    assert ask(world, method="POST").status_code == 405
    assert ask(world, method="HEAD").data == b""


def test_answers_are_counted_by_route_and_status(world: World, ada: Someone) -> None:
    for _ in range(3):
        ada.get("/users/me")
    ada.refused("GET", "/messages/999999")
    ada.client.get("/no/such/page")
    ada.client.open("/api/v1/users/me", method="MAKEUP")
    answers = samples(world, "chatcore_answers_total")
    assert answers["GET", "/api/v1/users/me", "200"] == 3
    assert answers["GET", "/api/v1/messages/{message_id}", "400"] == 1
    assert answers["", "", "404"] == 1
    assert answers["", "", "405"] == 1
    assert samples(world, "chatcore_answer_seconds_count")["GET", "/api/v1/users/me"] == 3


def test_waiting_polls_are_counted(world: World, ada: Someone) -> None:
    line = ada.opens_queue("message")
    poll = line.waits()
    assert samples(world, "chatcore_waiting_polls") == {(): 1}
    ada.says("soup")
    poll.answer()
    assert samples(world, "chatcore_waiting_polls") == {(): 0}


def test_commits_are_counted_with_their_units_of_work(world: World, ada: Someone) -> None:
    before = samples(world, "chatcore_commit_batch_count").get((), 0)
    for text in ("one", "two"):
        ada.says(text)
    assert samples(world, "chatcore_commit_batch_count")[()] == before + 2
    assert samples(world, "chatcore_commit_batch_sum")[()] == before + 2


def test_the_process_is_measured(world: World) -> None:
    assert samples(world, "process_resident_memory_bytes")[()] > 10**6


def test_sec_82_it_has_no_personal_data(world: World, ada: Someone) -> None:
    sent = ada.says("basilisk", topic="kraken")
    ada.get(f"/messages/{sent}")
    ada.get("/users/bea@example.org")
    line = ada.opens_queue("message")
    text = ask(world).text
    private: list[Any] = ["basilisk", "kraken", "ada", "bea", "example.org", "lunch", line.id, TOKEN]
    assert [word for word in [*private, *world.keys.values(), f"/{sent}"] if word in text] == []


def test_a_commit_has_its_time(world: World, ada: Someone) -> None:
    before = samples(world, "chatcore_commit_seconds_count").get((), 0)
    ada.says("soup")
    assert samples(world, "chatcore_commit_seconds_count")[()] == before + 1


def test_the_lag_of_a_process_is_the_time_since_it_has_read_the_log(
    world: World, ada: Someone, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert samples(world, "chatcore_log_lag_seconds") == {(): 0}  # nobody polls: it does not follow the log
    line = ada.opens_queue("message")
    poll = line.waits()
    ada.says("soup")
    poll.answer()
    until(lambda: samples(world, "chatcore_log_lag_seconds")[()] == 0)
    monkeypatch.setattr(world.svc.storage, "read", Mock(side_effect=StorageNotReady("away")))

    def grows() -> bool:
        world.clock.advance(40)
        return samples(world, "chatcore_log_lag_seconds")[()] >= 40

    until(grows)
    monkeypatch.undo()
    until(lambda: samples(world, "chatcore_log_lag_seconds")[()] == 0)


def test_queues_and_the_events_of_polls_are_counted(world: World, ada: Someone, bea: Someone) -> None:
    line = ada.opens_queue("message")
    bea.says("soup")
    assert len(line.events()) == 1
    assert samples(world, "chatcore_event_queues") == {(): 1}
    assert samples(world, "chatcore_events_answered_total") == {(): 1}


def test_logins_are_counted_by_their_outcome(world: World, ada: Someone) -> None:
    world.change_user("ada", password_hash=passwords.hash_password("correct horse"))
    log_in = partial(ada.client.post, "/api/v1/fetch_api_key")
    log_in(data={"username": ada.email, "password": "correct horse"})
    for _ in range(6):
        log_in(data={"username": "nobody@example.org", "password": "wrong"})
    assert samples(world, "chatcore_logins_total") == {("ok",): 1, ("wrong",): 5, ("limited",): 1}


def test_searches_are_counted_and_other_narrows_are_not(world: World, ada: Someone) -> None:
    ada.says("soup")
    ada.finds("search:soup")
    ada.finds("channel:lunch")
    assert samples(world, "chatcore_search_seconds_count") == {(): 1}


def test_uploads_are_counted_with_their_bytes(make_world: MakeWorld, tmp_path: Path) -> None:
    world = make_world(metrics_token=TOKEN, data_dir=tmp_path)
    for data in (b"soup", b"salad"):
        uploads(world["ada"], data)
    assert samples(world, "chatcore_uploads_total") == {(): 2}
    assert samples(world, "chatcore_upload_bytes_total") == {(): 9}
    assert samples(world, "chatcore_uploads_free_bytes")[()] > 0


def test_mails_are_counted_by_their_outcome_and_those_that_wait(
    make_world: MakeWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    world = make_world(metrics_token=TOKEN, smtp_host="127.0.0.1")
    outcomes: list[Exception | None] = [OSError("away"), None, MailRefused("no such address")]

    def deliver(*_: object) -> None:
        if (error := outcomes.pop(0)) is not None:
            raise error

    monkeypatch.setattr(transport, "deliver", deliver)
    for name in ("gus", "zoe"):
        to = f"{name}@example.org"
        units.write(world.svc, outbox.put, MailKind.INVITATION, to, nonce="n", inviter="Ada")
    world.clock.advance(30)
    assert samples(world, "chatcore_due_waiting")["mail",] == 2
    assert samples(world, "chatcore_due_late_seconds")["mail",] == 30
    send_due(world.svc)
    world.clock.advance(60)
    send_due(world.svc)
    assert samples(world, "chatcore_mails_total") == {("failed",): 1, ("sent",): 1, ("given_up",): 1}


def test_changes_for_the_audit_log_are_counted_by_kind(world: World, olga: Someone, ada: Someone) -> None:
    olga.patch(f"/users/{ada.id}", role=300)
    assert samples(world, "chatcore_audit_entries_total") == {("role_changed",): 1}


def test_what_was_too_old_is_counted(world: World, ada: Someone) -> None:
    world.change_organization(message_retention_days=1)
    ada.says("soup")
    pass_days(world, 2)
    delete_due(world.svc)
    assert samples(world, "chatcore_retention_messages_total") == {(): 1}
    assert samples(world, "chatcore_retention_files_total") == {(): 0}


def test_refused_changes_are_not_counted(world: World, olga: Someone) -> None:
    world.add_channel("orchard", "olga")
    path = f"/streams/{world.id('lunch')}"
    olga.delete(path)
    taken = {"is_archived": False, "new_name": "orchard"}
    olga.refused("PATCH", path, status=409, code="CHANNEL_ALREADY_EXISTS", **taken)
    assert ("channel_restored",) not in samples(world, "chatcore_audit_entries_total")


def test_what_the_store_knows_is_read_seldom_and_left_out_while_it_cannot_be_read(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = Mock(side_effect=StorageNotReady("away"))
    monkeypatch.setattr(world.svc.storage, "read", read)
    for _ in range(2):
        assert samples(world, "chatcore_event_queues") == {}
    assert read.call_count == 1
    assert samples(world, "chatcore_build_info") == {(version(),): 1}


def test_all_that_is_declared_and_nothing_else_is_on_the_page(make_world: MakeWorld, tmp_path: Path) -> None:
    world = make_world(metrics_token=TOKEN, data_dir=tmp_path)
    shown = {
        family.name
        for family in text_string_to_metric_families(ask(world).text)
        if family.name.startswith("chatcore_") and not family.name.endswith("_created")
    }
    assert shown == {family.name for family in FAMILIES}
