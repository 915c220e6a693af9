"""Polls over the ASGI application: they wait without a thread, are counted once and always have an answer."""

import asyncio
import json
import threading
from base64 import b64encode
from collections.abc import Callable, Coroutine, Iterator
from typing import Any

import pytest

from chatcore import Actor, Chat, open_chat
from chatcore.application.events import long_polls
from chatcore.http import asgi
from chatcore.http.asgi import AsgiApplication
from chatcore.runtime.polls import Waiter
from chatcore.runtime.signals import Signal
from tests.chat.asgi_client import GONE, Answer, Exchange, piece, request
from tests.waiting import PATIENCE, until_async

LIMITS = {"x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset"}
HEARTBEAT = 60.0


class Clock:
    """A monotonic clock that a test advances."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


awaited: list[Signal] = []
"""The signals for which coroutines wait: their polls have left their threads."""


@pytest.fixture(autouse=True)
def note_awaited(monkeypatch: pytest.MonkeyPatch) -> None:
    awaited.clear()
    when_set = Signal.when_set

    def note(signal: Signal, notify: Callable[[], object]) -> None:
        when_set(signal, notify)
        awaited.append(signal)

    monkeypatch.setattr(Signal, "when_set", note)


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def chat(clock: Clock) -> Iterator[Chat]:
    with open_chat(first_messages=False, monotonic=clock) as chat:
        yield chat


@pytest.fixture
def ada(chat: Chat) -> Actor:
    return chat.users.actor("owner@example.com")


@pytest.fixture
def app(chat: Chat) -> AsgiApplication:
    return chat.asgi()


class Polling:
    """An event queue of an actor, polled over HTTP."""

    def __init__(self, chat: Chat, actor: Actor) -> None:
        login = chat.users.credentials(actor)
        key = b64encode(f"{login.email}:{login.api_key}".encode())
        self.queue = chat.events.register(actor, event_types="message", fetch_event_types=())
        self.headers = [(b"authorization", b"Basic " + key)]

    def scope(self, **more: Any) -> dict[str, Any]:
        last = self.queue.last_event_id
        query = f"queue_id={self.queue.queue_id}&last_event_id={last}{more.pop('query', '')}"
        return {"path": "/api/v1/events", "query_string": query.encode(), "headers": self.headers, **more}

    def open(self, **more: Any) -> Exchange:
        return Exchange(arriving=[piece(is_last=True)], **self.scope(**more))


async def until_all_wait(chat: Chat, number: int) -> None:
    """Wait until so many polls are with the hub, and have left their threads."""
    await until_async(lambda: chat.services.hub.waiting == number)
    await until_async(lambda: sum(not signal.wait(0) for signal in awaited) >= number)


async def waiting(chat: Chat, poll: Exchange, app: AsgiApplication, number: int = 1) -> "asyncio.Task[None]":
    """Start a poll; return when it waits."""
    task = asyncio.create_task(poll.run(app))
    await until_async(lambda: chat.services.hub.waiting == number or task.done())
    assert not task.done()
    await until_all_wait(chat, number)
    return task


def events_of(answer: Answer) -> list[dict[str, Any]]:
    assert answer.status == 200
    found: list[dict[str, Any]] = json.loads(answer.body)["events"]
    return found


def run(story: Coroutine[Any, Any, None]) -> None:
    asyncio.run(story)


def write(chat: Chat, ada: Actor) -> int:
    return chat.messages.send(ada, "tea", to=ada).message_id


def test_a_poll_is_counted_once_and_has_its_limits(chat: Chat, ada: Actor, app: AsgiApplication) -> None:
    polling = Polling(chat, ada)

    async def remaining() -> int:
        answer = await request(app, **polling.scope(query="&dont_block=true"))
        return int(answer.headers["x-ratelimit-remaining"])

    async def story() -> None:
        before = await remaining()
        poll = polling.open()
        task = await waiting(chat, poll, app)
        sent = await chat.in_thread(write, chat, ada)
        await task
        assert [event["message"]["id"] for event in events_of(poll.answer)] == [sent]
        assert int(poll.answer.headers["x-ratelimit-remaining"]) == before - 1
        assert set(poll.answer.headers) >= LIMITS
        assert await remaining() == before - 2

    run(story())


def test_a_heartbeat_answers_a_poll(chat: Chat, ada: Actor, app: AsgiApplication, clock: Clock) -> None:
    async def story() -> None:
        poll = Polling(chat, ada).open()
        task = await waiting(chat, poll, app)
        clock.now += 2 * HEARTBEAT
        chat.services.hub.hint()  # type: ignore[attr-defined]
        await task
        assert [event["type"] for event in events_of(poll.answer)] == ["heartbeat"]
        assert set(poll.answer.headers) >= LIMITS

    run(story())


@pytest.mark.parametrize("method", ["GET", "HEAD"])
def test_a_stopping_server_answers_polls_without_events(
    chat: Chat, ada: Actor, app: AsgiApplication, method: str, caplog: pytest.LogCaptureFixture
) -> None:
    async def story() -> None:
        poll = Polling(chat, ada).open(method=method)
        task = await waiting(chat, poll, app)
        with caplog.at_level("INFO", "chatcore.access"):
            task.cancel()
            await task
        assert poll.answer.status == 200
        if method == "GET":
            assert json.loads(poll.answer.body) == {
                "result": "success",
                "msg": "",
                "events": [],
                "queue_id": poll.scope["query_string"].split(b"&")[0].removeprefix(b"queue_id=").decode(),
            }
        assert set(poll.answer.headers) >= LIMITS
        assert [record.getMessage() for record in caplog.records] == [f"{method} /api/v1/events 200"]
        assert chat.services.hub.waiting == 0

    run(story())


def test_a_stopping_server_answers_all_polls_of_an_account_at_once(
    chat: Chat, ada: Actor, app: AsgiApplication
) -> None:
    """The answers do not wait for one another: few requests of an account run at a time."""

    async def story() -> None:
        polls = [Polling(chat, ada).open() for _ in range(10)]
        tasks = [asyncio.create_task(poll.run(app)) for poll in polls]
        await until_all_wait(chat, len(polls))
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks)
        assert [events_of(poll.answer) for poll in polls] == [[]] * len(polls)

    run(story())


def test_a_stopping_server_needs_no_store_for_its_last_answers(
    chat: Chat, ada: Actor, app: AsgiApplication, caplog: pytest.LogCaptureFixture
) -> None:
    async def story() -> None:
        polling = Polling(chat, ada)
        poll = polling.open()
        task = await waiting(chat, poll, app)
        waiter = chat.services.hub.waiter_of(polling.queue.queue_id)  # type: ignore[attr-defined]
        chat.services.hub.leave(waiter)
        waiter.wake()  # in the store, if the server did not stop
        task.cancel()
        chat.close()
        await task
        assert events_of(poll.answer) == []

    run(story())
    assert caplog.records == []


def test_polls_that_wait_are_answered_when_the_chat_is_closed(
    chat: Chat, ada: Actor, app: AsgiApplication
) -> None:
    async def story() -> None:
        poll = Polling(chat, ada).open()
        task = await waiting(chat, poll, app)
        chat.close()
        await task
        assert events_of(poll.answer) == []

    run(story())


def test_a_client_that_leaves_leaves_no_poll(chat: Chat, ada: Actor, app: AsgiApplication) -> None:
    polls = 50

    async def story() -> None:
        open_polls = [Polling(chat, ada).open() for _ in range(polls)]
        before = {*threading.enumerate()}  # those of other tests may end late
        tasks = [asyncio.create_task(poll.run(app)) for poll in open_polls]
        await until_async(lambda: chat.services.hub.waiting == polls)
        assert len({*threading.enumerate()} - before) < asgi.THREADS + 5
        for poll in open_polls:
            poll.arriving.put_nowait(GONE)
        await asyncio.gather(*tasks)
        assert chat.services.hub.waiting == 0
        assert [poll.sent for poll in open_polls] == [[]] * polls

    run(story())


def test_a_poll_that_comes_after_the_end_of_all_polls_is_answered(
    chat: Chat, ada: Actor, app: AsgiApplication
) -> None:
    async def story() -> None:
        poll = Polling(chat, ada).open()
        chat.services.hub.stop()
        await until_async(asyncio.create_task(poll.run(app)).done)
        assert events_of(poll.answer) == []

    run(story())


def test_a_poll_ends_although_no_heartbeat_comes(
    chat: Chat, ada: Actor, app: AsgiApplication, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(long_polls, "OVERDUE", -2 * HEARTBEAT)

    async def story() -> None:
        poll = Polling(chat, ada).open()
        await until_async(asyncio.create_task(poll.run(app)).done)
        assert events_of(poll.answer) == []

    run(story())


def test_the_hub_outlives_a_loop(chat: Chat, ada: Actor, app: AsgiApplication) -> None:
    polling = Polling(chat, ada)

    async def story() -> Waiter:
        await waiting(chat, polling.open(), app)
        waiter: Waiter = chat.services.hub.waiter_of(polling.queue.queue_id)  # type: ignore[attr-defined]
        return waiter

    asyncio.run(story()).wake()


def test_only_a_client_that_leaves_ends_its_poll(chat: Chat, ada: Actor, app: AsgiApplication) -> None:
    async def story() -> None:
        poll = Polling(chat, ada).open()
        task = await waiting(chat, poll, app)
        for _ in range(2):  # the second is read only by a poll that the first has not ended
            poll.arriving.put_nowait(piece())
            await until_async(poll.arriving.empty)
        assert not task.done()
        assert chat.services.hub.waiting == 1
        poll.arriving.put_nowait(GONE)
        await task
        assert chat.services.hub.waiting == 0

    run(story())


class Slow:
    """The chat's application; from its *n*th call on, it begins only once it may go on."""

    def __init__(self, chat: Chat, nth: int) -> None:
        self._application = chat.application()
        self._nth = nth
        self.calls = 0
        self.may_go_on = threading.Event()

    def __call__(self, environ: Any, start_response: Any) -> Any:
        self.calls += 1
        if self.calls >= self._nth:
            self.may_go_on.wait(PATIENCE)
        return self._application(environ, start_response)


def test_polls_that_a_stopping_server_cancels_in_or_before_their_threads_are_answered(
    chat: Chat, ada: Actor
) -> None:
    slow = Slow(chat, nth=1)
    app = AsgiApplication(slow)
    polls = [Polling(chat, ada).open() for _ in range(asgi.THREADS + 10)]

    async def story() -> None:
        tasks = [asyncio.create_task(poll.run(app)) for poll in polls]
        await until_async(lambda: slow.calls == asgi.THREADS)
        for _ in range(2):  # as the server stops, and at the end of its loop
            for task in tasks:
                task.cancel()
            await asyncio.sleep(0)
        slow.may_go_on.set()
        await asyncio.gather(*tasks)
        assert [events_of(poll.answer) for poll in polls] == [[]] * len(polls)
        assert chat.services.hub.waiting == 0

    run(story())


@pytest.mark.parametrize("ends", ["the task", "the chat", "both"])
def test_a_poll_that_looks_again_while_the_server_stops_is_answered(
    chat: Chat, ada: Actor, ends: str, caplog: pytest.LogCaptureFixture
) -> None:
    slow = Slow(chat, nth=2)
    polling = Polling(chat, ada)

    async def story() -> None:
        poll = polling.open()
        task = await waiting(chat, poll, AsgiApplication(slow))
        waiter = chat.services.hub.waiter_of(polling.queue.queue_id)  # type: ignore[attr-defined]
        chat.services.hub.leave(waiter)
        waiter.wake()
        await until_async(lambda: slow.calls == 2)
        if ends != "the chat":
            task.cancel()
            await asyncio.sleep(0)
        if ends != "the task":
            chat.close()
        slow.may_go_on.set()
        await task
        assert events_of(poll.answer) == []
        assert chat.services.hub.waiting == 0

    run(story())
    assert caplog.records == []


def test_a_request_of_a_closed_chat_is_refused(chat: Chat, ada: Actor, app: AsgiApplication) -> None:
    scope = Polling(chat, ada).scope()
    chat.close()
    assert asyncio.run(request(app, **scope)).status == 503


def test_a_large_body_that_has_not_arrived_ends_with_the_server(
    chat: Chat, ada: Actor, app: AsgiApplication, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(asgi, "BODY_SECONDS", 2 * PATIENCE)
    head = b'--x\r\nContent-Disposition: form-data; name="file"; filename="plan.bin"\r\n\r\n'
    headers = [*Polling(chat, ada).headers, (b"content-type", b"multipart/form-data; boundary=x")]

    async def story() -> None:
        upload = Exchange(
            "/api/v1/user_uploads",
            [piece(head + bytes(2 * asgi.START_BYTES))],
            method="POST",
            headers=[*headers, (b"content-length", b"1000000")],
        )
        task = asyncio.create_task(upload.run(app))
        await until_async(upload.arriving.empty)
        task.cancel()
        async with asyncio.timeout(PATIENCE):
            await task
        assert upload.answer.status == 503

    run(story())


def test_a_poll_ends_with_its_queue(chat: Chat, ada: Actor, app: AsgiApplication) -> None:
    async def story() -> None:
        polling = Polling(chat, ada)
        poll = polling.open()
        task = await waiting(chat, poll, app)
        await chat.in_thread(chat.users.renew_own_key, ada)
        await task
        assert events_of(poll.answer) == []
        assert (await request(app, **polling.scope())).status == 401

    run(story())


def test_a_poll_with_a_body_may_wait(chat: Chat, ada: Actor, app: AsgiApplication) -> None:
    polling = Polling(chat, ada)
    scope = polling.scope()
    form = scope.pop("query_string")
    scope["headers"] = [*scope["headers"], (b"content-type", b"application/x-www-form-urlencoded")]

    async def story() -> None:
        poll = Exchange(arriving=[piece(form[:7]), piece(form[7:], is_last=True)], **scope)
        task = await waiting(chat, poll, app)
        sent = await chat.in_thread(write, chat, ada)
        await task
        assert [event["message"]["id"] for event in events_of(poll.answer)] == [sent]

    run(story())


def test_a_large_body_becomes_a_file(chat: Chat, ada: Actor, app: AsgiApplication) -> None:
    head = b'--x\r\nContent-Disposition: form-data; name="file"; filename="plan.bin"\r\n\r\n'
    pieces = [head, *[bytes(2**19)] * 5, b"\r\n--x--\r\n"]
    headers = [
        *Polling(chat, ada).headers,
        (b"content-type", b"multipart/form-data; boundary=x"),
        (b"content-length", str(sum(map(len, pieces))).encode()),
    ]
    answer = asyncio.run(request(app, "/api/v1/user_uploads", *pieces, method="POST", headers=headers))
    assert answer.status == 200
    assert [file["size"] for file in chat.files.list(ada).attachments] == [5 * 2**19]


@pytest.mark.parametrize(
    ("lengths", "status"), [([b"4", b"5"], 400), ([b"4", b"4"], 400), ([b"-4"], 400), ([b"9" * 30], 413)]
)
def test_impossible_lengths_are_refused(
    chat: Chat, ada: Actor, app: AsgiApplication, lengths: list[bytes], status: int
) -> None:
    headers = [*Polling(chat, ada).headers, *[(b"content-length", one) for one in lengths]]
    answer = asyncio.run(request(app, "/api/v1/messages", b"a=b&", method="POST", headers=headers))
    assert answer.status == status


def test_a_body_without_end_is_refused(chat: Chat, ada: Actor, app: AsgiApplication) -> None:
    headers = [*Polling(chat, ada).headers, (b"transfer-encoding", b"chunked")]

    class Endless(asyncio.Queue[dict[str, Any]]):
        read = 0

        async def get(self) -> dict[str, Any]:
            self.read += 1
            return piece(bytes(2**16))

    async def story() -> None:
        exchange = Exchange("/api/v1/messages", method="POST", headers=headers)
        exchange.arriving = endless = Endless()
        async with asyncio.timeout(PATIENCE):
            await exchange.run(app)
        assert exchange.answer.status == 413
        assert endless.read * 2**16 < 64 * 2**20

    run(story())
