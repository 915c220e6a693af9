"""Conditions that hold for every refusal."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from tests.worlds.organization import Someone, World

TABLES = (
    "organization",
    "account",
    "channel",
    "subscription",
    "subscription_period",
    "recipient",
    "conversation",
    "conversation_member",
    "message",
    "message_edit",
    "message_search",
    "message_flag",
    "read_watermark",
    "reaction",
    "custom_emoji",
    "muting_period",
    "topic_policy",
    "alert_word",
    "user_presence",
    "local_echo",
    "event",
    "event_queue",
)
LEAKS = ("Traceback", "/work", ".py", "SELECT ", "sqlite", "psycopg", "secret_key")


@contextmanager
def nothing_changes(world: World) -> Iterator[None]:
    """Require that the work inside changes no row and causes no event."""

    def state() -> dict[str, Any]:
        return {
            **{table: world.count(table) for table in TABLES},
            "head": world.storage.read(lambda snapshot: snapshot.log.head()),
        }

    before = state()
    yield
    assert state() == before


def refusal(who: Someone, method: str, path: str, **parameters: Any) -> dict[str, Any]:
    """The envelope of a refusal of any kind; nothing in it is for attackers."""
    response = who.request(method, path, **parameters)
    answer: dict[str, Any] = response.get_json()
    assert 400 <= response.status_code < 500, answer
    assert answer["result"] == "error"
    assert answer["msg"]
    assert answer["code"]
    assert not any(leak in response.text for leak in LEAKS)
    return {"status": response.status_code, **answer}
