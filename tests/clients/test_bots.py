"""The runner of bots, from the Python package of bots, with bots of that package."""

import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from tests.clients.installed import BOTS
from tests.clients.served import Served
from tests.clients.test_library import ok
from tests.waiting import until

AGAIN = 2.0
"""Seconds after which a question is asked again: the runner does not say when it listens."""


@pytest.fixture
def kitchen(ada: Any, bea: Any, robo: Any) -> str:
    """A channel with a bot."""
    for one in (ada, bea, robo):
        ok(one.add_subscriptions([{"name": "kitchen"}]))
    return "kitchen"


@contextmanager
def running(served: Served, bot: str) -> Iterator[None]:
    """The runner with one of the package's bots."""
    log_path = served.folder / f"{bot}.log"
    with log_path.open("wb") as log:
        command = [sys.executable, "-m", f"{served.brand}{BOTS}.run", bot, "--config-file"]
        process = subprocess.Popen(
            [*command, str(served.configuration("robo"))], stdout=log, stderr=log, cwd=served.folder
        )
    try:
        yield
        assert process.poll() is None, log_path.read_text()
    finally:
        process.kill()
        process.wait()


def asks(ask: Callable[[], Any], answer: Callable[[], list[str]]) -> list[str]:
    """Ask until there is an answer; return what was answered."""
    asked = float("-inf")

    def asked_lately() -> list[str]:
        nonlocal asked
        if asked + AGAIN < time.monotonic():
            ask()
            asked = time.monotonic()
        return answer()

    return until(asked_lately)


def answers(client: Any, *narrow: list[Any]) -> list[str]:
    """Return the texts of the bot among the newest messages."""
    wanted = {"anchor": "newest", "num_before": 50, "num_after": 0, "narrow": list(narrow)}
    found = ok(client.get_messages({**wanted, "apply_markdown": False}))["messages"]
    return [one["content"] for one in found if one["sender_full_name"] == "Robo"]


def test_a_bot_answers_direct_messages_and_mentions(
    served: Served, bea: Any, robo: Any, kitchen: str
) -> None:
    robo_id = ok(robo.get_profile())["user_id"]
    with running(served, "helloworld"):
        directly = asks(
            lambda: ok(bea.send_message({"type": "private", "to": [robo_id], "content": "hi"})),
            lambda: answers(bea, ["dm", robo.email]),
        )
        assert directly[0].startswith("beep boop")
        where = {"type": "stream", "to": kitchen, "topic": "hello"}
        ok(bea.send_message({**where, "content": "not for the bot"}))
        mentioned = asks(
            lambda: ok(bea.send_message({**where, "content": "@**Robo** hi"})),
            lambda: answers(bea, ["stream", kitchen], ["topic", "hello"]),
        )
        assert set(mentioned) == set(directly)


def test_a_bot_keeps_what_it_knows_and_changes_its_message(
    served: Served, bea: Any, robo: Any, kitchen: str
) -> None:
    where = {"type": "stream", "to": kitchen, "topic": "numbers", "content": "@**Robo**"}

    def number() -> list[int]:
        return [int(one) for one in answers(bea, ["stream", kitchen], ["topic", "numbers"])]

    with running(served, "incrementor"):
        (first,) = asks(lambda: ok(bea.send_message(where)), number)
        asks(lambda: ok(bea.send_message(where)), lambda: [n for n in number() if n > first])
        (last,) = number()
        until(lambda: int(ok(robo.get_storage())["storage"]["number"]) >= last)  # after its message
    stored = ok(robo.get_storage())["storage"]
    assert stored["message_id"].isdecimal()
