"""The ASGI application as an adapter: environments, bodies, answers and the server's other scopes."""

import asyncio
import json
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from typing import Any

import pytest

from chatcore.http import asgi
from chatcore.http.asgi import AsgiApplication
from chatcore.storage import StorageNotReady
from tests.chat.asgi_client import GONE, Answer, Exchange, Message, piece, request
from tests.waiting import PATIENCE, until_async

LARGE = 2 * asgi.START_BYTES


def echo(environ: dict[str, Any], start_response: Callable[..., Any]) -> list[bytes]:
    """Answer with the environment and the size of the body; read it in pieces, as the API does."""
    body = b""
    try:
        while part := environ["wsgi.input"].read(1000):
            body += part
    except OSError:
        start_response("400 Bad Request", [])
        return [b"the body ended early"]
    seen = {name: value for name, value in environ.items() if isinstance(value, str | bool | tuple)}
    start_response("200 OK", [("X-Size", str(len(body)))])
    return [json.dumps({**seen, "body": body.decode("latin-1")[:20]}).encode()]


@pytest.fixture
def app() -> AsgiApplication:
    return AsgiApplication(echo)


def answer_to(app: AsgiApplication, path: str = "/", *body: bytes, **scope: Any) -> Answer:
    return asyncio.run(request(app, path, *body, **scope))


def environ_of(app: AsgiApplication, path: str = "/", *body: bytes, **scope: Any) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(answer_to(app, path, *body, **scope).body)
    return found


# -- environments -------------------------------------------------------------------------------------


def test_an_environment_has_everything_of_the_request(app: AsgiApplication) -> None:
    found = environ_of(
        app,
        "/café",
        method="POST",
        root_path="/chät/",
        query_string=b"a=%20\xe9",
        http_version="2",
        scheme="https",
        server=("club.example.com", 8443),
        client=("192.0.2.7", 5000),
        headers=[
            (b"Host", b"club.example.com"),
            (b"x-Thing", b"one"),
            (b"X-THING", b"two"),
            (b"content-TYPE", b"text/plain"),
            (b"cookie", b"a=1"),
            (b"Cookie", b"b=2"),
        ],
    )
    assert found == {
        "REQUEST_METHOD": "POST",
        "SCRIPT_NAME": "/chät".encode().decode("latin-1"),
        "PATH_INFO": "/café".encode().decode("latin-1"),
        "QUERY_STRING": "a=%20\xe9",
        "SERVER_NAME": "club.example.com",
        "SERVER_PORT": "8443",
        "SERVER_PROTOCOL": "HTTP/2",
        "REMOTE_ADDR": "192.0.2.7",
        "CONTENT_LENGTH": "0",
        "CONTENT_TYPE": "text/plain",
        "HTTP_HOST": "club.example.com",
        "HTTP_X_THING": "one,two",
        "HTTP_COOKIE": "a=1; b=2",
        "wsgi.version": [1, 0],
        "wsgi.url_scheme": "https",
        "wsgi.input_terminated": True,
        "wsgi.multithread": True,
        "wsgi.multiprocess": True,
        "wsgi.run_once": False,
        "body": "",
    }


@pytest.mark.parametrize("missing", [{}, {"server": None, "client": None}, {"server": ("unix.sock", None)}])
def test_a_server_may_leave_out_addresses(app: AsgiApplication, missing: dict[str, Any]) -> None:
    found = environ_of(app, **missing)
    name = "unix.sock" if missing.get("server") else "localhost"
    assert (found["SERVER_NAME"], found["SERVER_PORT"], found["REMOTE_ADDR"]) == (name, "80", "")
    assert (found["SCRIPT_NAME"], found["wsgi.url_scheme"]) == ("", "http")


@pytest.mark.parametrize(
    ("path", "inside"), [("/chat/x", "/x"), ("/chat", ""), ("/x", "/x"), ("/chatter", "/chatter")]
)
def test_paths_are_relative_to_the_mount(app: AsgiApplication, path: str, inside: str) -> None:
    found = environ_of(app, path, root_path="/chat")
    assert (found["SCRIPT_NAME"], found["PATH_INFO"]) == ("/chat", inside)


@pytest.mark.parametrize("name", ["x_thing", "x-thing_", "_x-thing", "http_x-thing", "x-thi\xdf", "\xe9"])
def test_headers_cannot_pretend_to_be_others(app: AsgiApplication, name: str) -> None:
    plain = environ_of(app)
    assert environ_of(app, headers=[(name.encode("latin-1"), b"evil")]) == plain
    assert environ_of(app, headers=[(b"x-thing", b"good"), (name.encode("latin-1"), b"evil")]) == {
        **plain,
        "HTTP_X_THING": "good",
    }


def test_two_lengths_are_no_length(app: AsgiApplication) -> None:
    headers = [(b"Content-Length", b"3"), (b"content-length", b"4")]
    assert environ_of(app, "/", b"abcd", headers=headers)["CONTENT_LENGTH"] == "3,4"


# -- bodies -------------------------------------------------------------------------------------------


def test_a_small_body_arrives_whole(app: AsgiApplication) -> None:
    found = environ_of(app, "/", b"ab", b"", b"cd")
    assert (found["body"], found["CONTENT_LENGTH"]) == ("abcd", "4")
    headers = [(b"content-length", b"7")]
    assert (
        environ_of(app, "/", b"abcd", headers=headers)["CONTENT_LENGTH"] == "7"
    )  # the application refuses it


def test_a_large_body_is_read_while_it_arrives(app: AsgiApplication) -> None:
    pieces = [b"start" + bytes(asgi.START_BYTES), *[bytes(50_000)] * 3, b"", b"x"]
    found = answer_to(app, "/", *pieces)
    assert found.headers["x-size"] == str(sum(map(len, pieces)))
    assert json.loads(found.body)["body"].startswith("start")
    assert "CONTENT_LENGTH" not in json.loads(found.body)


def test_bodies_need_a_thread_only_once_they_are_large() -> None:
    """A body of exactly `START_BYTES` bytes is waited for on the loop; the next byte begins the call."""
    called: list[int] = []

    def note(environ: dict[str, Any], start_response: Callable[..., Any]) -> list[bytes]:
        called.append(1)
        return echo(environ, start_response)

    async def arrive() -> None:
        exchange = Exchange("/", [piece(bytes(asgi.START_BYTES))])
        running = asyncio.create_task(exchange.run(AsgiApplication(note)))
        while not exchange.arriving.empty():
            await asyncio.sleep(0)
        assert called == []
        exchange.arriving.put_nowait(piece(b"x"))
        await until_async(lambda: called)
        exchange.arriving.put_nowait(piece(is_last=True))
        await running
        assert exchange.answer.headers["x-size"] == str(asgi.START_BYTES + 1)

    asyncio.run(arrive())


@pytest.mark.parametrize("start", [b"", b"a", bytes(asgi.START_BYTES)])
def test_a_client_that_leaves_before_its_body_is_whole_gets_no_call(start: bytes) -> None:
    def refuse(environ: dict[str, Any], start_response: Callable[..., Any]) -> list[bytes]:
        raise AssertionError("called")

    async def leave() -> list[Message]:
        exchange = Exchange("/", [piece(start), GONE])
        await exchange.run(AsgiApplication(refuse))
        return exchange.sent

    assert asyncio.run(leave()) == []


def test_a_client_that_leaves_within_a_large_body_ends_its_reading(app: AsgiApplication) -> None:
    async def leave() -> Answer:
        exchange = Exchange("/", [piece(bytes(LARGE)), GONE])
        await exchange.run(app)
        return exchange.answer

    assert asyncio.run(leave()).status == 400


def test_a_slow_start_is_an_early_end(app: AsgiApplication, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(asgi, "START_SECONDS", 0.01)

    async def trickle() -> list[Answer]:
        slow = [Exchange("/", [piece(b"a")] * 3) for _ in range(100)]
        await asyncio.gather(*[one.run(app) for one in slow])
        return [one.answer for one in slow]

    assert {one.status for one in asyncio.run(trickle())} == {400}


class Counted:
    """An application that notes how many of its calls run at a time; they end once they may."""

    def __init__(self) -> None:
        self.running = self.most = 0
        self.may_end = threading.Event()
        self._lock = threading.Lock()

    def __call__(self, environ: dict[str, Any], start_response: Callable[..., Any]) -> list[bytes]:
        with self._lock:
            self.running += 1
            self.most = max(self.most, self.running)
        try:
            self.may_end.wait(PATIENCE)
            return echo(environ, start_response)
        finally:
            with self._lock:
                self.running -= 1


@pytest.mark.parametrize(
    ("size", "addresses", "most"),
    [(1, 1, asgi.THREADS), (LARGE, 1, asgi.LARGE_BODIES_OF_ADDRESS), (LARGE, 80, asgi.LARGE_BODIES)],
)
def test_few_calls_run_at_a_time_and_fewer_with_large_bodies(size: int, addresses: int, most: int) -> None:
    application = Counted()

    async def story() -> None:
        app = AsgiApplication(application)
        clients = [(f"192.0.2.{number % addresses}", 4000) for number in range(2 * asgi.THREADS)]
        exchanges = [
            Exchange("/", [piece(bytes(size)), piece(is_last=True)], client=client) for client in clients
        ]
        running = [asyncio.create_task(one.run(app)) for one in exchanges]
        await until_async(lambda: all(one.arriving.qsize() < 2 for one in exchanges))
        await until_async(lambda: application.running >= most)
        application.may_end.set()
        await asyncio.gather(*running)
        assert {one.answer.status for one in exchanges} == {200}
        assert application.most == most

    asyncio.run(story())


def test_a_large_body_waits_for_its_thread_only_for_some_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(asgi, "ROOM_SECONDS", 0.05)
    monkeypatch.setattr(asgi, "BODY_SECONDS", PATIENCE)

    async def story() -> None:
        app = AsgiApplication(echo)
        slow = [
            Exchange("/", [piece(bytes(LARGE))], client=("192.0.2.1", 4000))
            for _ in range(asgi.LARGE_BODIES_OF_ADDRESS)
        ]
        tasks = [asyncio.create_task(one.run(app)) for one in slow]
        await until_async(lambda: all(one.arriving.empty() for one in slow))
        assert (await request(app, "/", bytes(LARGE), client=("192.0.2.1", 4001))).status == 400
        assert (await request(app, "/", bytes(LARGE), client=("192.0.2.2", 4000))).status == 200
        for one in slow:
            one.arriving.put_nowait(GONE)
        await asyncio.gather(*tasks)

    asyncio.run(story())


def test_slow_large_bodies_leave_threads_to_others(
    app: AsgiApplication, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(asgi, "BODY_SECONDS", 0)
    monkeypatch.setattr(asgi, "MIN_PIECE_SECONDS", 0.01)

    async def trickle() -> None:
        slow = [Exchange("/", [piece(bytes(LARGE))]) for _ in range(100)]
        tasks = [asyncio.create_task(one.run(app)) for one in slow]
        async with asyncio.timeout(PATIENCE):
            assert (await request(app, "/", b"a")).status == 200
            await asyncio.gather(*tasks)
        assert {one.answer.status for one in slow} == {400}
        await until_async(lambda: len(asyncio.all_tasks()) == 1)

    asyncio.run(trickle())


def test_a_large_body_has_more_time_the_more_has_arrived(
    app: AsgiApplication, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(asgi, "BODY_SECONDS", PATIENCE)
    monkeypatch.setattr(asgi, "MIN_PIECE_SECONDS", 0.001)
    monkeypatch.setattr(asgi, "MIN_BYTES_PER_SECOND", 1)
    times = [0.0, 0.0, LARGE]  # at the start, and when the second and the last piece are waited for
    monkeypatch.setattr(asgi, "monotonic", lambda: times.pop(0))

    async def rest() -> None:
        exchange = Exchange("/", [piece(bytes(LARGE)), piece(bytes(LARGE))])
        running = asyncio.create_task(exchange.run(app))
        await until_async(lambda: not times)
        exchange.arriving.put_nowait(piece(is_last=True))
        await running
        assert exchange.answer.headers["x-size"] == str(2 * LARGE)

    asyncio.run(rest())


def test_each_piece_of_a_large_body_has_some_time(
    app: AsgiApplication, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(asgi, "BODY_SECONDS", -1000)
    monkeypatch.setattr(asgi, "MIN_PIECE_SECONDS", PATIENCE)
    assert answer_to(app, "/", bytes(LARGE), b"a", b"b").headers["x-size"] == str(LARGE + 2)


@pytest.mark.parametrize(("sizes", "read"), [((10, 100_000), [10, 100_000, 31_082]), ((-1,), [131_092, 0])])
def test_a_large_body_is_read_in_the_sizes_that_are_asked_for(
    sizes: tuple[int, ...], read: list[int]
) -> None:
    found: list[int] = []

    def application(environ: dict[str, Any], start_response: Callable[..., Any]) -> list[bytes]:
        found.extend(len(environ["wsgi.input"].read(size)) for size in (*sizes, 10**6))
        return echo(environ, start_response)

    assert answer_to(AsgiApplication(application), "/", *[bytes(65_546)] * 2).status == 200
    assert found == read


# -- answers ------------------------------------------------------------------------------------------


def test_nothing_is_left_after_an_answer(app: AsgiApplication) -> None:
    async def fetch() -> None:
        await request(app, "/", b"a")
        await until_async(lambda: len(asyncio.all_tasks()) == 1)

    asyncio.run(fetch())


class Pieces:
    """An answer in pieces, such as a file, that notes that it was closed."""

    def __init__(self, pieces: Iterable[bytes]) -> None:
        self._pieces = pieces
        self.is_closed = False

    def __iter__(self) -> Iterator[bytes]:
        return iter(self._pieces)

    def close(self) -> None:
        self.is_closed = True


def serving(pieces: Iterable[bytes], status: str = "200 OK") -> AsgiApplication:
    def application(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        start_response(status, [("Content-Type", "text/plain"), ("X-Thing", "\xe9")])
        return pieces

    return AsgiApplication(application)


def test_an_answer_has_status_headers_and_all_pieces() -> None:
    exchange = Exchange("/", [piece(is_last=True)])
    asyncio.run(exchange.run(serving([b"ab", b"cd"], "207 Multi-Status")))
    headers = [(b"content-type", b"text/plain"), (b"x-thing", b"\xe9")]
    assert exchange.sent == [
        {"type": "http.response.start", "status": 207, "headers": headers},
        {"type": "http.response.body", "body": b"abcd"},
    ]


def test_a_large_answer_is_sent_piece_by_piece_and_closed() -> None:
    pieces = Pieces([b"ab", b"", b"cd"])

    async def fetch() -> Exchange:
        exchange = Exchange("/", [piece(is_last=True)])
        await exchange.run(serving(pieces))
        await until_async(lambda: pieces.is_closed)
        return exchange

    exchange = asyncio.run(fetch())
    assert exchange.answer.body == b"abcd"
    assert [one["body"] for one in exchange.sent[1:-1]] == [b"ab", b"", b"cd"]


def test_an_answer_that_is_not_read_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(asgi, "ANSWER_SECONDS", 0.01)
    pieces = Pieces([b"ab", b"cd"])

    class Deaf(Exchange):
        async def send(self, message: Message) -> None:
            await super().send(message)
            if len(self.sent) == 2:
                await asyncio.Event().wait()

    async def fetch() -> list[Message]:
        exchange = Deaf("/", [piece(is_last=True)])
        async with asyncio.timeout(PATIENCE):
            await exchange.run(serving(pieces))
            await until_async(lambda: pieces.is_closed)
        return exchange.sent

    assert [one.get("body") for one in asyncio.run(fetch())] == [None, b"ab"]


# -- other scopes -------------------------------------------------------------------------------------


def messages_of(app: AsgiApplication, scope: str, *arriving: str) -> list[Message]:
    sent: list[Message] = []
    left = iter(arriving)

    async def receive() -> Message:
        return {"type": next(left)}

    async def send(message: Message) -> None:
        sent.append(message)

    asyncio.run(app({"type": scope}, receive, send))
    return sent


def test_a_server_begins_and_ends_with_it(app: AsgiApplication) -> None:
    sent = messages_of(app, "lifespan", "lifespan.startup", "lifespan.shutdown")
    assert sent == [{"type": "lifespan.startup.complete"}, {"type": "lifespan.shutdown.complete"}]


def test_web_sockets_are_refused(app: AsgiApplication) -> None:
    assert messages_of(app, "websocket", "websocket.connect") == [{"type": "websocket.close", "code": 1000}]


def test_a_request_that_is_cancelled_in_its_thread_has_its_answer() -> None:
    """The thread goes on, and the client has to know of what it has done."""
    called, closed, may_end = threading.Event(), threading.Event(), threading.Event()

    class Pieces(list[bytes]):
        def close(self) -> None:
            closed.set()

    def application(environ: dict[str, Any], start_response: Callable[..., Any]) -> Pieces:
        called.set()
        may_end.wait(PATIENCE)
        start_response("200 OK", [])
        return Pieces([b"done"])

    async def story() -> None:
        task = asyncio.create_task(request(AsgiApplication(application), "/"))
        await until_async(called.is_set)
        task.cancel()
        await asyncio.sleep(0)
        may_end.set()
        assert (await task).body == b"done"

    asyncio.run(story())
    assert closed.wait(PATIENCE)


@pytest.mark.parametrize("size", [0, 1, LARGE])
@pytest.mark.parametrize("clients", [1, asgi.LARGE_BODIES_OF_ADDRESS + 1])
def test_a_stopping_server_answers_bodies_of_which_a_part_has_arrived(size: int, clients: int) -> None:
    """At once: a server may end as soon as the cancelled tasks have run."""
    read = threading.Event()

    def application(environ: dict[str, Any], start_response: Callable[..., Any]) -> list[bytes]:
        with suppress(StorageNotReady):
            environ["wsgi.input"].read()
        read.wait(PATIENCE)
        start_response("200 OK", [])
        return []

    async def story() -> None:
        app = AsgiApplication(application)
        exchanges = [Exchange("/", [piece(bytes(size))]) for _ in range(clients)]
        tasks = [asyncio.create_task(one.run(app)) for one in exchanges]
        await until_async(lambda: all(one.arriving.empty() for one in exchanges))
        if size == LARGE:
            running = min(clients, asgi.LARGE_BODIES_OF_ADDRESS)
            await until_async(lambda: names_of_tasks().count("_receive_next") == running)
            await asyncio.sleep(0)  # all have begun
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks)
        for one in exchanges:
            assert (one.answer.status, json.loads(one.answer.body)["code"]) == (503, "SERVER_NOT_READY")
            assert one.answer.headers["content-length"] == str(len(one.answer.body))
        read.set()

    asyncio.run(story())


def names_of_tasks() -> list[str]:
    return [getattr(task.get_coro(), "__name__", "") for task in asyncio.all_tasks()]
