"""The bot of docs/a-bot.md answers each mention once, whenever it is stopped."""

import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from chatcore import Actor, Chat, StorageClosed, open_chat
from tests.page_programs import ROOT, programs
from tests.waiting import until

(PROGRAM,) = programs(ROOT / "docs" / "a-bot.md")
GREETER = "greeter@example.com"


class Killed(BaseException):
    pass


@pytest.fixture
def place(tmp_path: Path) -> str:
    url = f"sqlite:///{tmp_path}/club.db"
    with open_chat(url, owner_email="ada@example.com", owner_name="Ada Fox", first_messages=False) as chat:
        ada = chat.users.actor("ada@example.com")
        gus = chat.users.create("gus@example.com", "Gus Berg")
        greeter = chat.users.create(GREETER, "Greeter", is_bot=True, owner=gus)
        chat.channels.subscribe(ada, "garden", principals=[ada, greeter])
    return url


def answer_mentions() -> Callable[[Chat, Actor], None]:
    module: dict[str, Any] = {"__name__": "bot"}
    exec(PROGRAM, module)
    found: Callable[[Chat, Actor], None] = module["answer_mentions"]
    return found


def ask(chat: Chat, text: str = "@**Greeter** hello") -> None:
    chat.messages.send(chat.users.actor("ada@example.com"), text, channel="garden", topic="seeds")


def answers(chat: Chat) -> list[str]:
    ada = chat.users.actor("ada@example.com")
    return [one.message.content for one in chat.messages.iterate(ada, narrow=[["sender", GREETER]])]


def run(chat: Chat, ends: type[BaseException]) -> threading.Thread:
    """Run the bot in a thread until it ends in this way."""

    def work() -> None:
        with pytest.raises(ends):
            answer_mentions()(chat, chat.users.actor(GREETER))

    thread = threading.Thread(target=work)
    thread.start()
    return thread


def run_until_it_waits(chat: Chat) -> threading.Thread:
    thread = run(chat, StorageClosed)
    until(lambda: chat.services.hub.waiting == 1)
    return thread


def test_it_has_twenty_lines() -> None:
    function = PROGRAM.partition("def answer_mentions")[2].partition("\n\n\n")[0]
    assert len(function.splitlines()) <= 20


def test_mentions_are_answered_and_other_messages_are_not(place: str) -> None:
    with open_chat(place) as chat:
        thread = run_until_it_waits(chat)
        ask(chat)
        ask(chat, "nobody in particular")
        until(lambda: answers(chat) == ["Hello Ada Fox!"])
    thread.join()


def test_refusals_end_nothing_and_other_bots_have_no_answer(place: str) -> None:
    with open_chat(place) as chat:
        ada = chat.users.actor("ada@example.com")
        other = chat.users.create("other@example.com", "Other", is_bot=True, owner=ada)
        chat.channels.subscribe(ada, "news", permissions={"can_send_message_group": "owners"})
        thread = run_until_it_waits(chat)
        chat.messages.send(ada, "@**Greeter** hello", channel="news", topic="seeds")
        chat.messages.send(other, "@**Greeter** hello", channel="garden", topic="seeds")
        ask(chat)
        until(lambda: bool(answers(chat)))
        [answer] = chat.messages.iterate(ada, narrow=[["sender", GREETER]])
        assert answer.channel_name == "garden"
    thread.join()


def test_mentions_of_the_time_when_it_is_down_are_answered_later(place: str) -> None:
    with open_chat(place) as chat:
        thread = run_until_it_waits(chat)
    thread.join()
    with open_chat(place) as chat:
        ask(chat)
        thread = run(chat, StorageClosed)
        until(lambda: answers(chat) == ["Hello Ada Fox!"])
    thread.join()


def test_a_bot_that_is_killed_after_its_answer_does_not_answer_again(place: str) -> None:
    with open_chat(place) as chat:
        thread = run_until_it_waits(chat)
    thread.join()

    def kill(bot: Actor, values: Mapping[str, str]) -> None:
        raise Killed

    with open_chat(place) as chat:
        ask(chat)
        chat.bot_storage.put = kill  # type: ignore[method-assign]
        run(chat, Killed).join()
        assert answers(chat) == ["Hello Ada Fox!"]
    with open_chat(place) as chat:
        thread = run_until_it_waits(chat)
        assert answers(chat) == ["Hello Ada Fox!"]
    thread.join()
