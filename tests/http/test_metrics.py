"""`/metrics`: only where it is set up, only for who has the token, and with nothing in it about anybody."""

from typing import Any

import pytest
from prometheus_client.parser import text_string_to_metric_families
from werkzeug.test import Client, TestResponse

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
