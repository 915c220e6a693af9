"""A process of PostgreSQL that stands still exactly while it commits, and others of it that do not."""

import threading
from collections.abc import Iterator
from contextlib import closing
from functools import partial
from typing import Any

import pytest
from werkzeug.test import Client

from chatcore.bootstrap import make_application
from chatcore.events.audience import Everyone
from chatcore.storage import OutcomeUnknown, StorageNotReady, Transaction
from chatcore.storage.conformance.makers import an_event, announce
from chatcore.storage.conformance.transactions import Crowd, texts
from storage_backends import open_storage, postgres_connections, postgres_silence
from storage_backends.sql import group_commit
from storage_backends.sql.statement import Statement
from tests.storage_backends.frozen import gate_in_commit
from tests.storage_backends.pgbouncer import pgbouncer
from tests.waiting import PATIENCE
from tests.worlds.registering_over_http import Api


@pytest.fixture(params=["direct", "behind a pooler"])
def url(request: pytest.FixtureRequest, postgres_url: str) -> Iterator[str]:
    if request.param == "direct":
        yield postgres_url
        return
    with pgbouncer(postgres_url) as pooled:
        yield pooled


@pytest.fixture(autouse=True)
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """Look soon after a connection on which nothing comes."""
    monkeypatch.setattr(postgres_connections, "SILENT_SECONDS", 0.2)


@pytest.mark.every_case_on_postgresql
def test_all_in_a_commit_that_stands_still_get_an_answer_and_it_may_take_effect_later(
    url: str, postgres_url: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(group_commit, "BATCH_SECONDS", PATIENCE)
    together = ["ada", "mary", "eve"]
    with closing(open_storage(url)) as storage, closing(open_storage(url)) as of_another_process:
        api = Api(storage)
        client = Client(make_application(api.svc))
        headers = {name: api.headers(name) for name in (*together, "grace")}
        grace = api.follow("grace", "message")
        answers: dict[str, Any] = {}

        def send(sender: str) -> None:
            message = {"type": "direct", "to": '["grace@example.org"]', "content": "Hello"}
            answer = client.post("/api/v1/messages", data=message, headers=headers[sender])
            answers[sender] = answer.status_code, answer.json.get("code")

        running, go_on, crowd = threading.Event(), threading.Event(), Crowd()

        def hold(_: object) -> None:
            running.set()
            assert go_on.wait(PATIENCE)

        with gate_in_commit(postgres_url) as gate:
            crowd.start("holds the others up", partial(storage.write, hold))
            crowd.until(running.is_set)
            for name in together:
                crowd.start(name, partial(send, name))
            crowd.until(lambda: storage.writers.waiting == len(together))
            go_on.set()
            gate.freeze()
            with monkeypatch.context() as patch:
                patch.setattr(postgres_silence, "COMMIT_SECONDS", 0.0)
                crowd.wait()
            assert (crowd.errors, answers) == ({}, dict.fromkeys(together, (503, "OUTCOME_UNKNOWN")))
            assert caplog.text.count("has not answered COMMIT") == 1
            assert api.ok("ada", "GET", "users/me")["full_name"] == "Ada"
            with monkeypatch.context() as patch:
                patch.setattr(group_commit, "LOCK_SECONDS", 1.0)
                send("grace")
                assert answers["grace"] == (503, "SERVER_NOT_READY")
                with pytest.raises(StorageNotReady):
                    announce(of_another_process, "never")
            gate.open()
            announce(of_another_process, "in between")
            send("grace")
            assert answers["grace"] == (200, None)
        found = api.ok("grace", "GET", "messages", anchor="newest", num_before=9, num_after=0)["messages"]
        senders = [message["sender_email"].partition("@")[0] for message in found]
        assert (sorted(senders[:-1]), senders[-1]) == (sorted(together), "grace")
        assert [event["message"]["id"] for event in grace.events()] == [message["id"] for message in found]
        api.svc.hub.stop()


def test_a_commit_that_stands_still_after_statements_without_a_pipeline_is_unknown_too(
    postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def work(tx: Transaction) -> None:
        tx.announce(an_event("one"), Everyone())
        tx.session.load("linkifier", ["pattern"], [])  # type: ignore[attr-defined]

    crowd = Crowd()
    with closing(open_storage(postgres_url)) as storage:
        with gate_in_commit(postgres_url) as gate:
            crowd.start("writes", partial(storage.write, work))
            gate.freeze()
            monkeypatch.setattr(postgres_silence, "COMMIT_SECONDS", 0.0)
            crowd.wait()
            assert isinstance(crowd.errors["writes"], OutcomeUnknown)
        announce(storage, "two")
        assert texts(storage) == ["one", "two"]


def test_a_long_statement_before_a_commit_is_waited_for(
    postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def work(tx: Transaction) -> None:
        tx.announce(an_event("one"), Everyone())
        tx.session.run(Statement("SELECT pg_sleep(1)"))  # type: ignore[attr-defined]

    with closing(open_storage(postgres_url)) as storage:
        announce(storage, "before")
        monkeypatch.setattr(postgres_silence, "COMMIT_SECONDS", 0.0)
        storage.write(work)
        assert texts(storage) == ["before", "one"]


def test_a_commit_of_less_than_its_seconds_is_waited_for(
    postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks, is_at_work = list[int](), postgres_silence.Silence.is_at_work

    def look(silence: postgres_silence.Silence, pid: int) -> bool:
        looks.append(pid)
        return is_at_work(silence, pid)

    monkeypatch.setattr(postgres_silence.Silence, "is_at_work", look)
    crowd = Crowd()
    with closing(open_storage(postgres_url)) as storage:
        with gate_in_commit(postgres_url) as gate:
            crowd.start("writes", partial(announce, storage, "one"))
            gate.freeze()
            crowd.until(lambda: len(looks) > 1)
            gate.open()
            crowd.wait()
        assert crowd.errors == {}
        assert texts(storage) == ["one"]
