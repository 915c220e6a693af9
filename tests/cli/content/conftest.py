"""An organization with messages and files, made by a program beside the commands."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from chatcore import Chat, open_chat
from chatcore.domain.groups.actors import Actor
from tests.test_cli import INIT, run


@pytest.fixture
def chat(home: Path) -> Iterator[Chat]:
    run(*INIT)
    run("user", "create", "--email", "gus@example.com", "--name", "Gus Berg")
    with open_chat("sqlite:///chat.db") as opened:
        yield opened


@pytest.fixture
def ada(chat: Chat) -> Actor:
    return chat.users.actor("ada@example.com")


@pytest.fixture
def gus(chat: Chat) -> Actor:
    return chat.users.actor("gus@example.com")
