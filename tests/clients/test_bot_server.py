"""The bot server of the API's Python library, against a served organization.

The package is found by the ending of its name, and its bots by the name before it.
"""

import configparser
import importlib.metadata
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from tests.http.serving.test_durability import Client, Server
from tests.ports import free_port
from tests.waiting import PATIENCE, until, until_it_listens
from tests.worlds.organization import World

BOT = "helloworld"


def found_brand() -> str:
    """Return the name that the package begins with; skip without it."""
    for distribution in importlib.metadata.distributions():
        name = (distribution.name or "").replace("-", "_").lower()
        if name.endswith("_botserver"):
            return name.removesuffix("_botserver")
    pytest.skip("no package of a bot server is installed (its name ends in '_botserver')")


@contextmanager
def bot_server(brand: str, config: Path, port: int, log: Path) -> Iterator[None]:
    with log.open("w") as output:
        process = subprocess.Popen(
            [sys.executable, "-m", f"{brand}_botserver.server", "-c", str(config), "--port", str(port)],
            stdout=output,
            stderr=output,
            cwd=config.parent,
            env={**os.environ, "HOME": str(config.parent)},  # noqa: TID251
        )
        try:
            until_it_listens(port, process, log)
            yield
        finally:
            process.kill()
            process.wait(PATIENCE)


def test_its_bots_answer_mentions_and_direct_messages(store_url: str, tmp_path: Path) -> None:
    brand, port = found_brand(), free_port()
    with closing(World(store_url)) as world:
        given = {"bot_type": 3, "payload_url": f"http://127.0.0.1:{port}/"}
        made = world["ada"].post("/bots", full_name="Echo", short_name="echo", **given)
        bots = world["ada"].post("/register", event_types=["realm_bot"])["realm_bots"]
        (bot,) = [one for one in bots if one["user_id"] == made["user_id"]]
    settings = {"CHATCORE_OUTGOING_PRIVATE_ADDRESSES": "on", "CHATCORE_COMPAT_BRAND": brand}
    server = Server(store_url, tmp_path, **settings)
    config = configparser.ConfigParser()
    config[BOT] = {
        "email": bot["email"],
        "key": made["api_key"],
        "site": f"http://127.0.0.1:{server.port}",
        "token": bot["services"][0]["token"],
    }
    with (tmp_path / "botserverrc").open("w") as file:
        config.write(file)
    ada = Client(world, "ada", lambda: server.port)
    log = tmp_path / "bots.log"
    try:
        with bot_server(brand, tmp_path / "botserverrc", port, log):
            ada.call(
                "POST",
                "/messages",
                type="channel",
                to=world.id("lunch"),
                topic="today",
                content="@**Echo** hi",
            )
            ada.call("POST", "/messages", type="direct", to=[made["user_id"]], content="hi")

            def answers() -> list[tuple[str, str]]:
                window = {"anchor": "newest", "num_before": 100, "num_after": 0, "apply_markdown": False}
                messages = ada.call("GET", "/messages", **window)["messages"]
                return [
                    (one["type"], one["content"]) for one in messages if one["sender_id"] == made["user_id"]
                ]

            until(lambda: len(answers()) >= 2, log.read_text)
            answered = answers()
    finally:
        ada.close()
        server.stop()
    assert sorted(answered) == [("private", "beep boop"), ("stream", "beep boop")]
