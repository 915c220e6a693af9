"""Coroutines: following events, calling methods, and the ASGI application."""

import asyncio
import threading
from collections.abc import Iterator
from typing import Any

import pytest

from chatcore import Actor, BadEventQueue, Chat, InvalidParameter, MessageEvent, ReactionEvent, open_chat
from tests.waiting import until, until_async


@pytest.fixture
def chat() -> Iterator[Chat]:
    with open_chat(first_messages=False) as chat:
        yield chat


@pytest.fixture
def ada(chat: Chat) -> Actor:
    return chat.users.actor("owner@example.com")


def write(chat: Chat, ada: Actor, text: str) -> int:
    return chat.messages.send(ada, text, to=ada).message_id


def test_events_are_followed_by_a_coroutine(chat: Chat, ada: Actor) -> None:
    async def follow() -> list[str]:
        async with chat.events.follow_async(ada, event_types=MessageEvent) as events:
            for text in ("one", "two"):
                await chat.in_thread(write, chat, ada, text)
            return [(await anext(events))["message"]["content"] for _ in range(2)]

    assert asyncio.run(follow()) == ["<p>one</p>", "<p>two</p>"]


def test_a_queue_that_a_program_keeps_is_polled_by_coroutines(chat: Chat, ada: Actor) -> None:
    async def follow() -> list[str]:
        begun = await chat.in_thread(chat.events.register, ada, event_types="message")
        found, last = [], begun.last_event_id
        for text in ("one", "two"):
            poll = asyncio.create_task(chat.events.poll_async(ada, begun.queue_id or "", last))
            await chat.in_thread(write, chat, ada, text)
            [event] = await poll
            last = event["id"]
            if event["type"] == "message":
                found.append(event["message"]["content"])
        with pytest.raises(BadEventQueue):
            await chat.events.poll_async(ada, "another", last)
        return found

    assert asyncio.run(follow()) == ["<p>one</p>", "<p>two</p>"]


def test_a_class_of_events_selects_them(chat: Chat, ada: Actor) -> None:
    with chat.events.follow(ada, event_types=ReactionEvent) as events:
        chat.reactions.add(ada, write(chat, ada, "tea"), "tada")
        assert next(events)["emoji_name"] == "tada"
    with pytest.raises(InvalidParameter), chat.events.follow(ada, event_types=int):
        pass


def test_many_coroutines_wait_without_threads(chat: Chat, ada: Actor) -> None:
    waiting = 50

    async def first() -> int:
        async with chat.events.follow_async(ada, event_types=MessageEvent) as events:
            return (await anext(events))["message"]["id"]

    async def all_of_them() -> int:
        before = {*threading.enumerate()}  # those of other tests may end late
        tasks = [asyncio.create_task(first()) for _ in range(waiting)]
        await until_async(lambda: chat.services.hub.waiting >= waiting)
        threads = len({*threading.enumerate()} - before)
        sent = await chat.in_thread(write, chat, ada, "now")
        assert await asyncio.gather(*tasks) == [sent] * waiting
        return threads

    assert asyncio.run(all_of_them()) < waiting


def test_following_ends_when_the_chat_is_closed(chat: Chat, ada: Actor) -> None:
    async def follow() -> list[Any]:
        async with chat.events.follow_async(ada) as events:
            closing = asyncio.create_task(asyncio.to_thread(close_once_waited_for, chat))
            found = [event async for event in events]
            await closing
            return found

    assert asyncio.run(follow()) == []


def close_once_waited_for(chat: Chat) -> None:
    until(lambda: chat.services.hub.waiting == 1)
    chat.close()


def test_a_cancelled_coroutine_leaves_no_poll(chat: Chat, ada: Actor) -> None:
    async def follow() -> None:
        async with chat.events.follow_async(ada) as events:
            await anext(events)

    async def cancel() -> None:
        task = asyncio.create_task(follow())
        await until_async(lambda: chat.services.hub.waiting)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(cancel())
    assert chat.services.hub.waiting == 0


def test_following_goes_on_after_a_cancelled_wait(chat: Chat, ada: Actor) -> None:
    async def follow() -> list[int]:
        async with chat.events.follow_async(ada, event_types=MessageEvent) as events:
            for seconds in (0, 0.001, 0.05):
                with pytest.raises(TimeoutError):
                    await asyncio.wait_for(anext(events), seconds)
            sent = [await chat.in_thread(write, chat, ada, text) for text in ("one", "two")]
            found = [(await anext(events))["message"]["id"] for _ in sent]
            assert found == sent
            with pytest.raises(TimeoutError):
                await asyncio.wait_for(anext(events), 0.05)
            third = await chat.in_thread(write, chat, ada, "three")
            return [(await anext(events))["message"]["id"] - third]

    assert asyncio.run(follow()) == [0]


def test_a_queue_that_ends_is_refused(chat: Chat, ada: Actor) -> None:
    async def follow() -> None:
        async with chat.events.follow_async(ada) as events:
            task = asyncio.ensure_future(anext(events))
            await until_async(lambda: chat.services.hub.waiting)
            await chat.in_thread(chat.users.renew_own_key, ada)
            with pytest.raises(BadEventQueue):
                await task

    asyncio.run(follow())
