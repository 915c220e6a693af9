"""The address of the notification bot follows the address of the organization."""

from pathlib import Path
from typing import Any

import pytest

from chatcore import open_chat
from chatcore.chat import Chat
from chatcore.settings import Settings
from chatcore.sites import Sites

SECRET = b"s" * 32


def opened(folder: Path, **settings: Any) -> Chat:
    given = Settings(secret_key=SECRET, data_dir=folder / "data", **settings)
    return open_chat(f"sqlite:///{folder}/chat.db", owner_email="ada@example.com", settings=given)


def starts(chat: Chat) -> list[str]:
    """Serve the organization for a moment; return the addresses of its bots."""
    sites = Sites(chat.services.settings, elsewhere=chat.services)
    sites.start()
    sites.stop()
    users = chat.services.storage.read(lambda snapshot: snapshot.users.all())
    return [user.email for user in users if user.is_bot]


def test_it_is_at_the_host_where_the_organization_is_served(tmp_path: Path) -> None:
    with opened(tmp_path, url_is_a_guess=True) as chat:
        assert starts(chat) == ["notification-bot@127.0.0.1"]
    for host in ("chat.example.com", "team.example.org"):
        with opened(tmp_path, external_url=f"https://{host}") as chat:
            ada = chat.users.actor("ada@example.com")
            line = chat.events.register(ada, event_types=["realm_user"])
            assert starts(chat) == [f"notification-bot@{host}"]
            events = chat.events.poll(ada, line.queue_id, line.last_event_id, dont_block=True)
            assert f"notification-bot@{host}" in str(events)
    with opened(tmp_path, url_is_a_guess=True) as chat:
        assert starts(chat) == ["notification-bot@team.example.org"]


def test_an_address_that_somebody_has_is_not_taken(tmp_path: Path) -> None:
    with opened(tmp_path, url_is_a_guess=True) as chat:
        chat.users.create("notification-bot@chat.example.com", "Nora Bott")
    with opened(tmp_path, external_url="https://chat.example.com") as chat:
        assert starts(chat) == ["notification-bot@127.0.0.1"]


@pytest.mark.parametrize("url", ["http://localhost:9991", "http://10.0.0.7"])
def test_a_host_without_a_name_stops_nothing(tmp_path: Path, url: str) -> None:
    with opened(tmp_path, url_is_a_guess=True) as chat:
        assert len(starts(chat)) == 1
    with opened(tmp_path, external_url=url) as chat:
        assert starts(chat)[0].startswith("notification-bot@")
