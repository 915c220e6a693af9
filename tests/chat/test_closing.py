"""A chat that is closed while others use it: each call ends in its own way, and later calls do nothing."""

import subprocess
import sys
import threading
from pathlib import Path

import pytest
from werkzeug.test import Client

from chatcore import StorageClosed, open_chat
from chatcore.settings import Settings
from tests.waiting import PATIENCE, until

PROJECT = Path(__file__).parents[2]
ENDINGS = """\
bot ended
fetch StorageClosed
poll StorageClosed
send StorageClosed
visit 503
14 of 14
"""


@pytest.fixture(params=["sqlite_url", "memory", "postgres_url"])
def url(request: pytest.FixtureRequest) -> str:
    in_memory = request.param == "memory"
    found: str = "sqlite:///:memory:" if in_memory else request.getfixturevalue(request.param)
    return found


def test_a_chat_is_closed_under_load(url: str, tmp_path: Path) -> None:
    command = [sys.executable, "-X", "faulthandler", "-m", "tests.chat.closing_program", url, str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False, cwd=PROJECT)
    assert (done.returncode, done.stdout) == (0, ENDINGS), done.stderr
    remarks = {line.partition(": ")[2] for line in done.stderr.splitlines()}
    assert "Traceback" not in done.stderr, remarks


def test_a_closed_chat_does_nothing_any_more(store_url: str, tmp_path: Path) -> None:
    settings = Settings(data_dir=tmp_path, secret_key=b"s" * 32)
    chat = open_chat(store_url, owner_email="ada@example.com", settings=settings)
    ada = chat.users.actor("ada@example.com")
    chat.channels.subscribe(ada, "garden")
    application = chat.application()
    received: list[str] = []

    def bot() -> None:
        with chat.events.follow(ada, event_types=["message"]) as events:
            received.extend(event["message"]["content"] for event in events)

    follower = threading.Thread(target=bot, daemon=True)
    follower.start()
    until(lambda: chat.services.hub.waiting)
    chat.messages.send(ada, "last", channel="garden", topic="plots")
    until(lambda: received)
    chat.close()
    follower.join(PATIENCE)
    assert not follower.is_alive()
    with pytest.raises(StorageClosed, match="the chat is closed; open it again"):
        chat.messages.send(ada, "too late", channel="garden", topic="plots")
    with pytest.raises(StorageClosed), chat.events.follow(ada):
        pass
    refused = Client(application).get("/api/v1/server_settings")
    assert (refused.status_code, refused.json["code"]) == (503, "SERVER_NOT_READY")
    with open_chat(store_url, settings=settings) as chat:
        [reading] = chat.messages.fetch(ada, narrow=[["topic", "plots"]]).readings
    assert reading.message.content == "last"
    assert received == ["<p>last</p>"]
