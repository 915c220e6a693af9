"""The HTTP API for servers with an asyncio loop: what waits does so as coroutines, the rest runs in threads.

A request is a call of the WSGI application in a thread. A poll without events, and a request that waits for
the turn of its account, leave their threads, and are called again when they can continue. Small bodies
arrive without a thread, and answers are sent without one.
"""

import asyncio
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator, MutableMapping
from concurrent.futures import CancelledError, ThreadPoolExecutor
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from io import BytesIO
from time import monotonic
from typing import TYPE_CHECKING, Any, Final, TypeAlias, TypeVar
from weakref import WeakValueDictionary

from chatcore.application.events.coroutines import without_waiting_threads
from chatcore.domain.network_addresses import neighbourhood
from chatcore.http.app import SUSPENSION
from chatcore.http.pipeline.answers import DEFAULT_HEADERS, NOT_READY
from chatcore.http.response import Headers
from chatcore.runtime.suspensions import Suspension
from chatcore.storage import StorageNotReady

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIApplication, WSGIEnvironment

Scope: TypeAlias = MutableMapping[str, Any]
Message: TypeAlias = MutableMapping[str, Any]
Receive: TypeAlias = Callable[[], Awaitable[Message]]
Send: TypeAlias = Callable[[Message], Awaitable[None]]
WsgiAnswer: TypeAlias = tuple[str, Headers, Iterable[bytes]]
"""The status, headers and pieces of an answer."""

THREADS: Final = 40
LARGE_BODIES: Final = 16
"""Large bodies that are read at a time, each in a thread; the others wait without one for their room."""
LARGE_BODIES_OF_ADDRESS: Final = 4
"""Large bodies of one address at a time."""
ROOM_SECONDS: Final = 60
"""Seconds that a large body waits for its thread."""
START_BYTES: Final = 2**16
"""Bytes of a body that are received before a thread begins with the request."""
START_SECONDS: Final = 30
BODY_SECONDS: Final = 20
"""Seconds that a large body may take, beside those by `MIN_BYTES_PER_SECOND`."""
MIN_PIECE_SECONDS: Final = 1.0
"""Seconds that each piece of a large body may take, even if the others took all of its time."""
ANSWER_SECONDS: Final = 20
"""Seconds that a piece of an answer may take, beside those by `MIN_BYTES_PER_SECOND`."""
MIN_BYTES_PER_SECOND: Final = 10_000
VARIABLES_WITHOUT_PREFIX: Final = {"content-type": "CONTENT_TYPE", "content-length": "CONTENT_LENGTH"}
"""Headers whose variables in a WSGI environment have no prefix `HTTP_`."""

T = TypeVar("T")


class AsgiApplication:
    """An ASGI application, mounted under a prefix or on its own, that serves a WSGI application."""

    def __init__(self, application: "WSGIApplication") -> None:
        self._application = application
        self._threads = ThreadPoolExecutor(THREADS, thread_name_prefix="chatcore-asgi")
        self._large_bodies = _LargeBodies()

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:  # each framework has its own types
        match scope["type"]:
            case "http":
                with suppress(_Disconnected):
                    await self._answer_request(scope, receive, send)
            case "websocket":
                await send({"type": "websocket.close", "code": 1000})
            case "lifespan":
                await _answer_lifespan(receive, send)

    async def _answer_request(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request. One whose first bytes come late gets an `_UnreadBody`: the application refuses
        the request when it reads that.

        A stopping server cancels the task. Nothing has been done yet for a request without its first bytes.
        """
        try:
            async with asyncio.timeout(START_SECONDS):
                start, is_whole = await _first_bytes(receive)
        except asyncio.CancelledError:
            answer = _not_ready()
        except TimeoutError:
            answer = await self._answer_with_body(scope, _UnreadBody())
        else:
            answer_request = self._answer_to_whole if is_whole else self._answer_to_large
            answer = await answer_request(scope, receive, start)
        await self._send_answer(*answer, send)

    async def _answer_to_large(self, scope: Scope, receive: Receive, start: bytes) -> WsgiAnswer:
        """Return the answer to a request with a large body. The thread that reads the body receives the rest
        of it. A request that gets no room in time gets an `_UnreadBody`.
        """
        client = scope.get("client") or ("", 0)
        try:
            async with self._large_bodies.room(client[0]) as has_room:
                body = _Body(start, receive, asyncio.get_running_loop()) if has_room else _UnreadBody()
                return await self._answer_with_body(scope, body)
        except asyncio.CancelledError:  # a stopping server cancels the task while it waits for room
            return _not_ready()

    async def _answer_with_body(self, scope: Scope, body: "_Body | _UnreadBody") -> WsgiAnswer:
        return await self._answer_of_thread(environ_of(scope, body), body.stop)

    async def _answer_to_whole(self, scope: Scope, receive: Receive, body: bytes) -> WsgiAnswer:
        """Return the answer to a request whose body has arrived completely; it takes no thread while it
        waits.

        :raises _Disconnected: the client has left, and nobody waits for the answer
        """
        gone = asyncio.ensure_future(_wait_until_gone(receive))

        async def call(suspension: Suspension) -> WsgiAnswer:
            environ = environ_of(scope, BytesIO(body))
            environ.setdefault("CONTENT_LENGTH", str(len(body)))
            environ[SUSPENSION] = suspension
            return await self._answer_of_thread(environ, suspension.stop)

        try:
            return await without_waiting_threads(call, gone, _last_answer)
        except asyncio.CancelledError:
            if gone.done():
                raise _Disconnected from None
            raise
        finally:
            gone.cancel()

    async def _answer_of_thread(
        self, environ: "WSGIEnvironment", stop: Callable[[], WsgiAnswer | None]
    ) -> WsgiAnswer:
        """Call the application in a thread, and return its answer even if a stopping server cancels the task
        meanwhile: the thread goes on, and its client has to learn what it has done. *stop* keeps the call
        from waiting; if the answer is certain then, it returns that, as the server may end before the thread
        does.
        """
        answer = asyncio.wrap_future(self._threads.submit(_call_application, self._application, environ))
        while True:
            try:
                return await asyncio.shield(answer)
            except asyncio.CancelledError:
                if (certain := stop()) is not None:
                    return certain

    async def _send_answer(self, status: str, headers: Headers, pieces: Iterable[bytes], send: Send) -> None:
        raw = [(name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in headers]
        try:
            await _send_in_time(
                send, {"type": "http.response.start", "status": int(status[:3]), "headers": raw}
            )
            if isinstance(pieces, list):
                await _send_in_time(send, {"type": "http.response.body", "body": b"".join(pieces)})
                return
            iterator = iter(pieces)
            while (piece := await self._in_thread(lambda: next(iterator, None))) is not None:
                await _send_in_time(send, {"type": "http.response.body", "body": piece, "more_body": True})
            await _send_in_time(send, {"type": "http.response.body"})
        finally:
            if (close := getattr(pieces, "close", None)) is not None:
                self._threads.submit(close)

    async def _in_thread(self, work: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._threads, work)


class _LargeBodies:
    """Room for `LARGE_BODIES`, of which the clients of one address take at most `LARGE_BODIES_OF_ADDRESS`."""

    def __init__(self) -> None:
        self._all = asyncio.Semaphore(LARGE_BODIES)
        self._of_addresses: WeakValueDictionary[str, asyncio.Semaphore] = WeakValueDictionary()

    @asynccontextmanager
    async def room(self, address: str) -> AsyncIterator[bool]:
        """Wait for room, and hold it within the block; its value is whether there was any in time."""
        whose = neighbourhood(address)
        of_address = self._of_addresses.get(whose)
        if of_address is None:
            of_address = self._of_addresses[whose] = asyncio.Semaphore(LARGE_BODIES_OF_ADDRESS)
        async with AsyncExitStack() as held:
            try:
                async with asyncio.timeout(ROOM_SECONDS):
                    await held.enter_async_context(of_address)
                    await held.enter_async_context(self._all)
                has_room = True
            except TimeoutError:
                has_room = False
            yield has_room


class _Disconnected(Exception):
    """The client has left before its request was complete, or does not read its answer."""


async def _send_in_time(send: Send, message: Message) -> None:
    """Send a message. A client that reads too slowly is given up: it would keep a large answer in memory.

    :raises _Disconnected: the client is too slow
    """
    try:
        async with asyncio.timeout(ANSWER_SECONDS + len(message.get("body", b"")) / MIN_BYTES_PER_SECOND):
            await send(message)
    except TimeoutError:
        raise _Disconnected from None


async def _answer_lifespan(receive: Receive, send: Send) -> None:
    """Confirm that the server starts and stops; the program closes its `Chat` itself."""
    while True:
        message = await receive()
        await send({"type": f"{message['type']}.complete"})
        if message["type"] == "lifespan.shutdown":
            return


async def _first_bytes(receive: Receive) -> tuple[bytes, bool]:
    """Return the body, or its first part if it is large, and whether it is whole.

    :raises _Disconnected: the client has left before
    """
    body = bytearray()
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise _Disconnected
        body += message.get("body", b"")
        if not message.get("more_body", False):
            return bytes(body), True
        if len(body) > START_BYTES:
            return bytes(body), False


async def _wait_until_gone(receive: Receive) -> None:
    """Wait until the client has left."""
    while (await receive())["type"] != "http.disconnect":
        pass


class _UnreadBody:
    """A body that has not arrived in time, or for which there is no thread."""

    def read(self, size: int = -1) -> bytes:
        raise TimeoutError

    def stop(self) -> WsgiAnswer | None:
        """Return None: a call never waits for this body, and its answer is not known before its end."""
        return None


class _Body:
    """A large body, read in a thread while the rest of it arrives."""

    def __init__(self, start: bytes, receive: Receive, loop: asyncio.AbstractEventLoop) -> None:
        self._bytes = bytearray(start)
        """The bytes that have arrived and are not read yet."""
        self._receive: Receive | None = receive
        """None once the whole body has arrived."""
        self._loop = loop
        self._deadline = monotonic() + BODY_SECONDS
        """The monotonic time at which the client is too slow; each byte that arrives moves it."""
        self._arriving: asyncio.Task[Message] | None = None
        """The task of the loop that waits for the client."""
        self._is_stopped = False

    def read(self, size: int = -1) -> bytes:
        """Return this number of bytes, or fewer at the end; the whole rest of the body for a negative one."""
        while self._receive is not None and (size < 0 or len(self._bytes) < size):
            message = self._next(self._receive)
            if message["type"] == "http.disconnect":
                raise OSError("the client has left")
            self._bytes += message.get("body", b"")
            self._deadline += len(message.get("body", b"")) / MIN_BYTES_PER_SECOND
            if not message.get("more_body", False):
                self._receive = None
        size = len(self._bytes) if size < 0 else size
        piece = bytes(self._bytes[:size])
        del self._bytes[:size]
        return piece

    def stop(self) -> WsgiAnswer | None:
        """Let the call wait for no more of the body. If it waits just now, its answer is sure: return it."""
        self._is_stopped = True
        if self._arriving is not None and self._arriving.cancel():
            return _not_ready()
        return None

    def _next(self, receive: Receive) -> Message:
        """Return what arrives next.

        :raises TimeoutError: the client is too slow, and would keep a thread from others
        :raises StorageNotReady: the server stops
        """
        arriving = asyncio.run_coroutine_threadsafe(self._receive_next(receive), self._loop)
        try:
            return arriving.result(max(MIN_PIECE_SECONDS, self._deadline - monotonic()))
        except CancelledError:
            raise StorageNotReady("the server stops") from None
        finally:
            arriving.cancel()

    async def _receive_next(self, receive: Receive) -> Message:
        """Return what arrives next; in the loop, as `stop` is, so that each knows of the other."""
        if self._is_stopped:
            raise asyncio.CancelledError
        self._arriving = asyncio.current_task()
        try:
            return await receive()
        finally:
            self._arriving = None


def _not_ready() -> WsgiAnswer:
    """Return the answer to a request of which a stopping server has received a part."""
    assert isinstance(NOT_READY.body, bytes)
    headers = [
        *DEFAULT_HEADERS.items(),
        ("Content-Type", NOT_READY.content_type),
        ("Content-Length", str(NOT_READY.length)),
    ]
    return "503 Service Unavailable", headers, [NOT_READY.body]


def _last_answer(suspension: Suspension) -> WsgiAnswer:
    """Return the answer to a suspended request that a stopping server no longer lets wait."""
    assert suspension.last_answer is not None
    return _call_application(suspension.last_answer, {})


def _call_application(application: "WSGIApplication", environ: "WSGIEnvironment") -> WsgiAnswer:
    started: list[tuple[str, Headers]] = []

    def start_response(status: str, headers: Headers, exc_info: Any = None, /) -> Callable[[bytes], object]:
        started.append((status, headers))
        return lambda data: None

    pieces = application(environ, start_response)
    return *started[-1], pieces


def environ_of(scope: Scope, body: Any) -> "WSGIEnvironment":
    """Return the environment of a request; its path is relative to the prefix of the mount."""
    root = scope.get("root_path", "").rstrip("/")
    path = scope["path"]
    if path == root or path.startswith(f"{root}/"):  # some servers leave the prefix out
        path = path[len(root) :]
    server = scope.get("server") or ("localhost", None)
    client = scope.get("client") or ("", 0)
    return {
        "REQUEST_METHOD": scope["method"],
        "SCRIPT_NAME": _wsgi_text(root),
        "PATH_INFO": _wsgi_text(path),
        "QUERY_STRING": scope["query_string"].decode("latin-1"),
        "SERVER_NAME": server[0],
        "SERVER_PORT": str(server[1] or 80),
        "SERVER_PROTOCOL": f"HTTP/{scope['http_version']}",
        "REMOTE_ADDR": client[0],
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": scope.get("scheme", "http"),
        "wsgi.input": body,
        "wsgi.input_terminated": True,
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": True,
        "wsgi.multiprocess": True,
        "wsgi.run_once": False,
        **dict(_header_variables(scope["headers"])),
    }


def _header_variables(headers: Iterable[tuple[bytes, bytes]]) -> Iterator[tuple[str, str]]:
    """Yield headers as variables of WSGI, those of one name joined. Names with an underscore, and those that
    are not ASCII, are dropped: they could pretend to be others.
    """
    values: dict[str, list[str]] = {}
    for raw_name, raw_value in headers:
        values.setdefault(raw_name.decode("latin-1").lower(), []).append(raw_value.decode("latin-1"))
    for name, several in values.items():
        if "_" not in name and name.isascii():
            variable = VARIABLES_WITHOUT_PREFIX.get(name) or f"HTTP_{name.replace('-', '_').upper()}"
            yield variable, ("; " if name == "cookie" else ",").join(several)


def _wsgi_text(path: str) -> str:
    """Return a text as WSGI has it: its UTF-8 read as Latin-1."""
    return path.encode().decode("latin-1")
