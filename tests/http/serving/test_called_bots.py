"""Server processes that call bots, and are killed meanwhile."""

import random
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from tests.http.serving.test_durability import Client, Server
from tests.waiting import until
from tests.worlds.organization import World
from tests.worlds.web_services import Answer, Request, Service, serves

MESSAGES = 30


@pytest.fixture
def service() -> Iterator[Service]:
    with serves() as service:
        yield service


@pytest.fixture
def starts(store_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[], Server]]:
    started: list[Server] = []

    def start() -> Server:
        started.append(Server(store_url, tmp_path, CHATCORE_OUTGOING_PRIVATE_ADDRESSES="on"))
        return started[-1]

    yield start
    for server in started:
        server.kill()


def test_no_call_is_lost_by_kill_9(store_url: str, starts: Callable[[], Server], service: Service) -> None:
    """Each message gets one answer; a service is asked again only about what a dead process had begun."""
    rng, kills = random.Random(9), 3

    def reply(request: Request) -> Answer:
        time.sleep(0.02)
        return Answer(body=b'{"content": "%d"}' % request.json["message"]["id"])

    service.answers = reply
    with closing(World(store_url)) as world:
        given = {"bot_type": 3, "payload_url": service.url}
        echo = world["ada"].post("/bots", full_name="Echo", short_name="echo", **given)["user_id"]
    server = starts()
    ada = Client(world, "ada", lambda: server.port)
    message = {"type": "channel", "to": world.id("lunch"), "topic": "today", "content": "@**Echo**"}
    sent = {ada.call("POST", "/messages", **message)["id"] for _ in range(MESSAGES)}
    for _ in range(kills):
        server.kill()
        server = starts()
        time.sleep(rng.random() * 0.2)
    with closing(World(store_url)) as after:
        until(lambda: not after.count("bot_call"))
        server.stop()
        found = after["ada"].reads("channel:lunch", num_before=1000, apply_markdown=False)
    answers = [int(message["content"]) for message in found if message["sender_id"] == echo]
    assert sorted(answers) == sorted(sent)
    asked = [request.json["message"]["id"] for request in service.requests]
    assert set(asked) == sent
    assert len(asked) <= len(sent) + kills
    ada.close()
