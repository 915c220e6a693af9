"""Coroutines: following events, calling methods, and the ASGI application."""

import asyncio
import threading
from base64 import b64encode
from collections.abc import Iterator
from typing import Any

import pytest

from chatcore import Actor, BadEventQueue, Chat, InvalidParameter, MessageEvent, ReactionEvent, open_chat
from chatcore.http.asgi import AsgiApplication
from tests.worlds.organization import until


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
        tasks = [asyncio.create_task(first()) for _ in range(waiting)]
        while chat.services.hub.waiting < waiting:
            await asyncio.sleep(0.01)
        threads = threading.active_count()
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
        while not chat.services.hub.waiting:
            await asyncio.sleep(0.01)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(cancel())
    assert chat.services.hub.waiting == 0


def test_a_queue_that_ends_is_refused(chat: Chat, ada: Actor) -> None:
    async def follow() -> None:
        async with chat.events.follow_async(ada) as events:
            task = asyncio.ensure_future(anext(events))
            while not chat.services.hub.waiting:
                await asyncio.sleep(0.01)
            await chat.in_thread(chat.users.renew_own_key, ada)
            with pytest.raises(BadEventQueue):
                await task

    asyncio.run(follow())


# -- the ASGI application -----------------------------------------------------------------------------


async def headers_of(app: AsgiApplication, path: str, **scope: Any) -> dict[bytes, bytes]:
    sent = await messages_of(app, path, **scope)
    return dict(sent[0]["headers"])


async def called(app: AsgiApplication, path: str, *body: bytes, **scope: Any) -> tuple[int, bytes]:
    """The status and the body of an answer."""
    sent = await messages_of(app, path, *body, **scope)
    return sent[0]["status"], b"".join(message.get("body", b"") for message in sent[1:])


async def messages_of(app: AsgiApplication, path: str, *body: bytes, **scope: Any) -> list[dict[str, Any]]:
    """The messages of an answer; the pieces of *body* arrive one by one."""
    pieces = [{"type": "http.request", "body": one, "more_body": True} for one in body]
    arriving = [*pieces, {"type": "http.request", "body": b"", "more_body": False}]
    sent: list[dict[str, Any]] = []

    async def receive() -> dict[str, Any]:
        if not arriving:
            await asyncio.Event().wait()
        return arriving.pop(0)

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)

    given = {"type": "http", "method": "GET", "query_string": b"", "http_version": "1.1", "headers": []}
    await app({**given, "path": path, **scope}, receive, send)
    return sent


def test_a_mounted_application_has_paths_without_the_prefix(chat: Chat) -> None:
    app = chat.asgi()
    assert asyncio.run(called(app, "/chat/health", root_path="/chat"))[0] == 200
    assert asyncio.run(called(app, "/health", root_path="/chat"))[0] == 200
    assert asyncio.run(called(app, "/chatter", root_path="/chat"))[0] == 404


def test_limits_count_a_poll_that_waits_once(ada: Actor, chat: Chat) -> None:
    login = chat.users.credentials(ada)
    key = b64encode(f"{login.email}:{login.api_key}".encode())
    queue = chat.events.register(ada, event_types="message", fetch_event_types=())
    app, headers = chat.asgi(), [(b"authorization", b"Basic " + key)]

    async def remaining() -> int:
        query = f"queue_id={queue.queue_id}&last_event_id={queue.last_event_id}&dont_block=true".encode()
        answer = await headers_of(app, "/api/v1/events", query_string=query, headers=headers)
        return int(answer[b"x-ratelimit-remaining"])

    async def poll_and_wait() -> tuple[int, int]:
        before = await remaining()
        query = f"queue_id={queue.queue_id}&last_event_id={queue.last_event_id}".encode()
        waiting = asyncio.create_task(called(app, "/api/v1/events", query_string=query, headers=headers))
        while not chat.services.hub.waiting:
            await asyncio.sleep(0.01)
        await chat.in_thread(write, chat, ada, "now")
        assert (await waiting)[0] == 200
        return before, await remaining()

    before, after = asyncio.run(poll_and_wait())
    assert before - after == 2  # itself, and this one


def test_a_large_body_is_read_while_it_arrives(chat: Chat, ada: Actor) -> None:
    login = chat.users.credentials(ada)
    key = b64encode(f"{login.email}:{login.api_key}".encode())
    head = b'--x\r\nContent-Disposition: form-data; name="file"; filename="plan.bin"\r\n\r\n'
    pieces = [head, *[bytes(2**19)] * 5, b"\r\n--x--\r\n"]
    headers = [
        (b"authorization", b"Basic " + key),
        (b"content-type", b"multipart/form-data; boundary=x"),
        (b"content-length", str(sum(map(len, pieces))).encode()),
    ]
    path = "/api/v1/user_uploads"
    status, _ = asyncio.run(called(chat.asgi(), path, *pieces, method="POST", headers=headers))
    assert status == 200
    assert [file["size"] for file in chat.files.list(ada).attachments] == [5 * 2**19]


def test_headers_cannot_pretend_to_be_others(chat: Chat, ada: Actor) -> None:
    headers = [(b"authorization_", b"x"), (b"http_authorization", b"x"), (b"authorization", b"Basic x")]
    status, _ = asyncio.run(called(chat.asgi(), "/api/v1/users/me", headers=headers))
    assert status == 401


def test_a_server_begins_and_ends_with_it(chat: Chat) -> None:
    arriving = [{"type": "lifespan.startup"}, {"type": "lifespan.shutdown"}]
    sent: list[str] = []

    async def receive() -> dict[str, str]:
        return arriving.pop(0)

    async def send(message: dict[str, str]) -> None:
        sent.append(message["type"])

    asyncio.run(chat.asgi()({"type": "lifespan"}, receive, send))
    assert sent == ["lifespan.startup.complete", "lifespan.shutdown.complete"]
