"""Requests over the ASGI application that wait for the turn of their account: they wait without a thread."""

import asyncio
from base64 import b64encode
from collections.abc import Awaitable, Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

import pytest

from chatcore import Actor, Chat, open_chat
from chatcore.application.events import coroutines
from chatcore.domain.rate_limits import Rule
from chatcore.http import asgi
from chatcore.http.asgi import AsgiApplication
from chatcore.runtime.admission import BOUNDS, Lane, Patience
from chatcore.runtime.rate_limits import RateLimits
from chatcore.runtime.signals import Signal
from chatcore.runtime.suspensions import Suspended, Suspension
from tests.chat.asgi_client import GONE, Answer, Exchange, piece, request
from tests.chat.test_asgi_polls import Polling, events_of
from tests.waiting import PATIENCE, until_async

WAITING = asgi.THREADS + 8


@pytest.fixture
def chat() -> Iterator[Chat]:
    with open_chat(first_messages=False) as chat:
        yield chat


@pytest.fixture
def ada(chat: Chat) -> Actor:
    return chat.users.actor("owner@example.com")


@pytest.fixture
def ask(chat: Chat, ada: Actor) -> Callable[[], Exchange]:
    def exchange() -> Exchange:
        login = chat.users.credentials(ada)
        key = b64encode(f"{login.email}:{login.api_key}".encode())
        headers = [(b"authorization", b"Basic " + key)]
        return Exchange(arriving=[piece(is_last=True)], path="/api/v1/users/me", headers=headers)

    return exchange


@contextmanager
def busy(chat: Chat, actor: Actor, lane: Lane = Lane.CALLS) -> Iterator[None]:
    """All turns of an account are taken."""
    with ExitStack() as closing:
        for _ in range(BOUNDS[lane].running):
            closing.enter_context(chat.services.admission.ask(f"account {actor.user_id}", lane))
        yield


async def opened(chat: Chat, app: AsgiApplication, exchanges: list[Exchange]) -> list["asyncio.Task[None]"]:
    """Start requests; return when all of them wait."""
    tasks = [asyncio.create_task(one.run(app)) for one in exchanges]
    await until_async(lambda: chat.services.admission.waiting == len(tasks))
    return tasks


def test_a_request_that_was_stopped_waits_for_nothing_more(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is stopped while it runs in its thread, and finds only then that it has to wait."""

    async def wait(*_: object) -> None:
        raise AssertionError("it waits")

    async def call(suspension: Suspension) -> str:
        suspension.stop()
        raise Suspended(Signal(), PATIENCE)

    monkeypatch.setattr(coroutines, "_wait_for", wait)
    answer = coroutines.without_waiting_threads(call, last_result=lambda suspension: "stopped")
    assert asyncio.run(answer) == "stopped"


def test_requests_that_wait_for_a_turn_keep_no_thread_from_others(
    chat: Chat, ada: Actor, ask: Callable[[], Exchange], monkeypatch: pytest.MonkeyPatch
) -> None:
    app = chat.asgi()
    counted = []
    count = RateLimits.count

    def note(limits: RateLimits, rule: Rule, who: str) -> Any:
        counted.append(rule.name)
        return count(limits, rule, who)

    monkeypatch.setattr(RateLimits, "count", note)
    exchanges = [ask() for _ in range(WAITING)]

    async def story() -> None:
        with busy(chat, ada):
            tasks = await opened(chat, app, exchanges)
            answer: Awaitable[Answer] = request(app, path="/api/v1/server_settings")
            assert (await asyncio.wait_for(answer, PATIENCE)).status == 200
        await asyncio.gather(*tasks)

    asyncio.run(story())
    assert [one.answer.status for one in exchanges] == [200] * WAITING
    assert counted.count("api_by_user") == WAITING, "each is counted once"
    assert chat.services.admission.present == 0


def test_a_request_that_waits_for_its_turn_too_long_is_refused(
    chat: Chat, ada: Actor, ask: Callable[[], Exchange]
) -> None:
    chat.services.admission.patience = Patience(seconds=0.05)
    exchange = ask()

    async def story() -> None:
        with busy(chat, ada):
            await exchange.run(chat.asgi())

    asyncio.run(story())
    assert exchange.answer.status == 429
    assert chat.services.admission.present == 0


@pytest.mark.parametrize("by_the_server", [False, True])
def test_a_request_that_is_abandoned_leaves_no_place(
    chat: Chat, ada: Actor, ask: Callable[[], Exchange], by_the_server: bool
) -> None:
    exchange = ask()

    async def story() -> None:
        with busy(chat, ada):
            (task,) = await opened(chat, chat.asgi(), [exchange])
            if by_the_server:
                task.cancel()
            else:
                exchange.arriving.put_nowait(GONE)
            await asyncio.wait([task])
            assert chat.services.admission.waiting == 0
            assert chat.services.admission.present == BOUNDS[Lane.CALLS].running

    asyncio.run(story())
    if by_the_server:
        assert exchange.answer.status == 503, "nothing was done"
    else:
        assert exchange.sent == []


@pytest.mark.parametrize("is_closed", [False, True])
def test_a_poll_that_waits_for_its_turn_while_the_server_stops_is_answered_without_events(
    chat: Chat, ada: Actor, is_closed: bool
) -> None:
    poll = Polling(chat, ada).open()

    async def story() -> None:
        with busy(chat, ada, Lane.POLLS):
            (task,) = await opened(chat, chat.asgi(), [poll])
            if is_closed:
                chat.close()  # and its turn comes
            else:
                task.cancel()
                await task
        await task

    asyncio.run(story())
    assert events_of(poll.answer) == []
    assert chat.services.admission.present == 0
