"""Requests to addresses of others: what they reach, and what they never do."""

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

import pytest

from chatcore.domain.sign_on.providers import Provider, ProviderUnavailable
from chatcore.runtime import outgoing_requests
from chatcore.runtime.openid import services
from chatcore.runtime.outgoing_requests import (
    AddressRefused,
    Answered,
    AnswerRefused,
    Asker,
    Outgoing,
    RequestFailed,
    RequestTimedOut,
    send_request,
)
from tests.waiting import PATIENCE
from tests.worlds.web_services import Answer, Request, Service, serves


@pytest.fixture
def service() -> Iterator[Service]:
    with serves() as service:
        yield service


def sends(url: str, *, asker: str = "ada", private: bool = True, **more: Any) -> Answered:
    return send_request(
        Outgoing(url=url, **more), asker=Asker(asker), private_addresses=private, monotonic=time.monotonic
    )


def resolved(monkeypatch: pytest.MonkeyPatch, *answers: list[str]) -> list[str]:
    """Let names have these addresses, one list for each question; return the names that are asked for."""
    asked: list[str] = []

    def getaddrinfo(host: str, port: int, **more: Any) -> list[Any]:
        asked.append(host)
        found = answers[min(len(asked), len(answers)) - 1]
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port)) for address in found]

    monkeypatch.setattr(outgoing_requests.socket, "getaddrinfo", getaddrinfo)
    return asked


def hanging_lookups(monkeypatch: pytest.MonkeyPatch) -> tuple[list[str], threading.Event]:
    """Let lookups of "soup.example" hang until the event is set, and all others find this machine; return the
    names that are asked for, and the event.
    """
    asked, is_over, look_up = list[str](), threading.Event(), socket.getaddrinfo

    def getaddrinfo(host: str, *more: Any, **named: Any) -> Any:
        asked.append(host)
        if host == "soup.example":
            is_over.wait(PATIENCE)
        return look_up("127.0.0.1", *more, **named)

    monkeypatch.setattr(outgoing_requests.socket, "getaddrinfo", getaddrinfo)
    return asked, is_over


def test_an_answer_comes_back_whatever_its_status(service: Service) -> None:
    service.answers = lambda request: Answer(404, b"gone", {"X-Kind": "a"})
    found = sends(service.url + "a?b=1", method="POST", body=b"soup", headers={"X-Soup": "1"})
    assert (found.status, found.body, found.headers["x-kind"]) == (404, b"gone", "a")
    (request,) = service.requests
    assert (request.method, request.path, request.body) == ("POST", "/a?b=1", b"soup")
    assert (request.headers["x-soup"], request.headers["accept-encoding"]) == ("1", "identity")


@pytest.mark.parametrize(
    "host",
    [
        "127.0.0.1", "localhost", "0.0.0.0", "2130706433", "0x7f.1", "0177.0.0.1", "127.1", "[::1]", "[::]",
        "[::ffff:127.0.0.1]", "[::ffff:10.0.0.1]", "10.0.0.1", "172.16.0.1", "192.168.1.1", "169.254.169.254",
        "100.64.0.1", "224.0.0.1", "255.255.255.255", "[fc00::1]", "[fe80::1]", "[ff02::1]",
        "[2002:7f00:1::]",
        "[64:ff9b::7f00:1]", "192.0.2.1", "192.0.0.192",
    ],
)  # fmt: skip
def test_private_addresses_are_never_asked(host: str, service: Service) -> None:
    with pytest.raises(AddressRefused):
        sends(f"http://{host}:{service.port}/", private=False, seconds=2)
    assert service.requests == []


@pytest.mark.parametrize(
    "url",
    ["ftp://example.com/", "file:///etc/passwd", "gopher://example.com", "http://", "//example.com", "x",
     "http://[::1", "http://example.com:0/", "http://example.com:99999/", "http://exa mple.com/",
     "http://example.com/\r\nX: 1", "http://bücher.example/"],
)  # fmt: skip
def test_only_the_web_is_asked(url: str) -> None:
    with pytest.raises(AddressRefused):
        sends(url, private=False)


@pytest.mark.parametrize("port", [22, 25, 110, 445])
def test_ports_of_other_services_are_not_asked(port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = resolved(monkeypatch, ["8.8.8.8"])
    with pytest.raises(AddressRefused):
        sends(f"http://example.com:{port}/", private=False)
    assert asked == []


def test_a_name_is_resolved_once_and_checked(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = resolved(monkeypatch, ["127.0.0.1"], ["8.8.8.8"])
    with pytest.raises(AddressRefused):
        sends(f"http://bots.example.com:{service.port}/", private=False)
    assert (asked, service.requests) == (["bots.example.com"], [])


def test_a_name_server_that_does_not_answer_takes_no_longer_than_the_request(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    is_over = threading.Event()

    def getaddrinfo(*_: object, **more: object) -> list[Any]:
        is_over.wait(PATIENCE)
        return []

    monkeypatch.setattr(outgoing_requests.socket, "getaddrinfo", getaddrinfo)
    monkeypatch.setattr(outgoing_requests, "LOOKUPS", 1)
    for asker in ("ada", "bea"):  # the second one has not even a turn to ask
        with pytest.raises(RequestTimedOut):
            sends("http://soup.example/", asker=asker, seconds=0.1)
        assert not is_over.is_set()
    is_over.set()


def test_a_provider_of_logins_whose_name_hangs_keeps_nobody_from_logins_by_others(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, is_over = hanging_lookups(monkeypatch)
    issuers = {"soup": "http://soup.example/", "salad": service.url}
    providers = [
        Provider(name=name, issuer=issuer, client_id="chat", client_secret="s")
        for name, issuer in issuers.items()
    ]
    logins = services.LoginServices(providers, time.monotonic)
    service.answers = lambda request: Answer(body=b"{}")
    try:
        with monkeypatch.context() as at_once:
            at_once.setattr(services, "SECONDS", 0.1)
            for _ in range(Asker("soup").lookups):
                with pytest.raises(ProviderUnavailable):
                    logins.get("soup").ask("GET", issuers["soup"])
        assert logins.get("salad").ask("GET", service.url) == {}
    finally:
        is_over.set()


def test_a_lookup_without_a_thread_keeps_no_share(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    begin = threading.Thread.start

    def start(thread: threading.Thread) -> None:
        if thread.name == "chatcore-lookup":
            raise RuntimeError("can't start new thread")
        begin(thread)

    with monkeypatch.context() as without_threads:
        without_threads.setattr(threading.Thread, "start", start)
        for _ in range(Asker("ada").lookups):
            with pytest.raises(RuntimeError):
                sends(service.url, asker="ada")
    assert sends(service.url, asker="ada").status == 200


def test_a_lookup_waits_until_another_ends(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    asked, is_over = hanging_lookups(monkeypatch)
    monkeypatch.setattr(outgoing_requests, "LOOKUPS", 1)
    for asker in ("ada", "bea"):
        with pytest.raises(RequestTimedOut):
            sends(f"http://{'soup' if asker == 'ada' else 'bread'}.example/", asker=asker, seconds=0.1)
    assert asked == ["soup.example"]
    end = threading.Timer(0.2, is_over.set)
    end.start()
    assert sends(service.url, asker="bea", seconds=PATIENCE).status == 200
    end.join()


def test_a_wait_for_a_share_is_part_of_the_time_of_the_request(monkeypatch: pytest.MonkeyPatch) -> None:
    now, is_over = [0.0], threading.Event()

    def begin(_: object, asker: Asker, seconds: float) -> bool:
        now[0] += seconds
        return True

    monkeypatch.setattr("chatcore.runtime.outgoing_requests._Lookups.begin", begin)
    monkeypatch.setattr(outgoing_requests.socket, "getaddrinfo", lambda *_, **more: is_over.wait(PATIENCE))
    request = Outgoing(url="http://soup.example/", seconds=2 * PATIENCE)
    with pytest.raises(RequestTimedOut):
        send_request(request, asker=Asker("ada"), private_addresses=True, monotonic=lambda: now[0])
    is_over.set()


def test_names_of_one_asker_that_never_resolve_keep_nobody_else_waiting(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, is_over = hanging_lookups(monkeypatch)
    for _ in range(outgoing_requests.LOOKUPS + 1):
        with pytest.raises(RequestTimedOut):
            sends("http://soup.example/", asker="eve", seconds=0.05)
    assert sends(service.url, asker="ada").status == 200
    assert sends(service.url, asker="bea").status == 200
    is_over.set()
    assert sends(service.url, asker="eve").status == 200


def test_a_host_that_the_name_server_does_not_know_is_called_unknown(monkeypatch: pytest.MonkeyPatch) -> None:
    def getaddrinfo(*_: object, **more: object) -> list[Any]:
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    monkeypatch.setattr(outgoing_requests.socket, "getaddrinfo", getaddrinfo)
    with pytest.raises(RequestFailed, match="the name of the host is unknown"):
        sends("http://soup.example/")


def test_what_is_checked_is_what_is_connected_to(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    """A second answer of the name server, with a private address, has no effect."""
    asked = resolved(monkeypatch, ["8.8.8.8"], ["127.0.0.1"])
    connected: list[Any] = []

    class Line(socket.socket):
        def connect(self, address: Any) -> None:
            connected.append(address)
            raise ConnectionRefusedError

    monkeypatch.setattr(outgoing_requests.socket, "socket", Line)
    with pytest.raises(RequestFailed):
        sends("http://bots.example.com:8080/", private=False)
    assert (asked, connected, service.requests) == (["bots.example.com"], [("8.8.8.8", 8080)], [])


def test_private_addresses_beside_public_ones_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    resolved(monkeypatch, ["10.0.0.1", "8.8.8.8", "127.0.0.1"])
    connected: list[Any] = []

    class Line(socket.socket):
        def connect(self, address: Any) -> None:
            connected.append(address)
            raise ConnectionRefusedError

    monkeypatch.setattr(outgoing_requests.socket, "socket", Line)
    with pytest.raises(RequestFailed):
        sends("http://bots.example.com/", private=False)
    assert connected == [("8.8.8.8", 80)]


def test_the_host_keeps_its_name(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    resolved(monkeypatch, ["127.0.0.1"])
    sends(f"http://bots.example.com:{service.port}/")
    assert service.requests[0].headers["host"] == f"bots.example.com:{service.port}"


def test_a_redirect_is_checked_like_an_address(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    service.answers = lambda request: Answer(
        302, b"", {"Location": f"http://inner.example.com:{service.port}/"}
    )
    public = {"outer.example.com"}

    def is_public(address: str) -> bool:
        return asked[-1] in public

    asked = resolved(monkeypatch, ["127.0.0.1"])
    monkeypatch.setattr(outgoing_requests, "is_public", is_public)
    with pytest.raises(AddressRefused):
        sends(f"http://outer.example.com:{service.port}/", private=False, redirects=3)
    assert (asked, len(service.requests)) == (["outer.example.com", "inner.example.com"], 1)
    service.answers = lambda request: Answer(302, b"", {"Location": "file:///etc/passwd"})
    with pytest.raises(AddressRefused):
        sends(service.url, redirects=3)


@pytest.mark.parametrize("target", ["http://[", "//[x]/", "http://a b/", "http://:0/"])
def test_a_redirect_to_no_address_is_refused(target: str, service: Service) -> None:
    service.answers = lambda request: Answer(302, b"", {"Location": target})
    with pytest.raises(AddressRefused):
        sends(service.url, redirects=3)


def test_redirects_share_the_time_of_the_request(service: Service) -> None:
    time_of_day = [0.0]

    def later(request: Request) -> Answer:
        time_of_day[0] += 4
        return Answer(302, b"", {"Location": "/"})

    service.answers = later
    request = Outgoing(url=service.url, seconds=10, redirects=9)
    with pytest.raises(RequestTimedOut):
        send_request(request, asker=Asker("ada"), private_addresses=True, monotonic=lambda: time_of_day[0])
    assert len(service.requests) == 3


def test_redirects_are_followed_so_often(service: Service) -> None:
    service.answers = lambda request: (
        Answer(302, b"", {"Location": "/next"}) if request.path == "/" else Answer(200, b"here")
    )
    assert sends(service.url, redirects=1, headers={"Authorization": "x"}).body == b"here"
    assert "authorization" not in service.requests[-1].headers
    assert sends(service.url, method="POST", redirects=1).status == 302
    service.answers = lambda request: Answer(302, b"", {"Location": "/"})
    with pytest.raises(AnswerRefused):
        sends(service.url, redirects=2)
    with pytest.raises(AnswerRefused):
        sends(service.url)


def test_answers_have_a_bound(service: Service) -> None:
    service.answers = lambda request: Answer(200, b"x" * 1001)
    with pytest.raises(AnswerRefused):
        sends(service.url, max_bytes=1000)
    assert len(sends(service.url, max_bytes=1001).body) == 1001
    service.answers = lambda request: Answer(200, b"x", {"Content-Encoding": "gzip"})
    with pytest.raises(AnswerRefused):
        sends(service.url)


@contextmanager
def sending(first: bytes, again: bytes, *, pause: float = 0) -> Iterator[str]:
    """The address of a service that answers once, and whose answer goes on until nobody reads it."""
    stop = threading.Event()
    lines = []
    with socket.create_server(("127.0.0.1", 0)) as server:

        def answer() -> None:
            line, _ = server.accept()
            lines.append(line)
            with suppress(OSError):
                line.recv(2**16)
                line.sendall(first)
                while not stop.wait(pause):
                    line.sendall(again)

        thread = threading.Thread(target=answer)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.getsockname()[1]}/"
        finally:
            stop.set()
            for line in lines:  # where it waits for a reader that is gone
                with line, suppress(OSError):
                    line.shutdown(socket.SHUT_RDWR)
            thread.join()


@pytest.mark.parametrize("first", [b"", b"HTTP/1.1 200 OK\r\nX: ", b"HTTP/1.1 200 OK\r\n\r\n"])
def test_an_answer_that_drips_is_cut(first: bytes) -> None:
    """Each byte comes in time, but not all of them."""
    with sending(first, b"x", pause=0.05) as url, pytest.raises(RequestTimedOut):
        sends(url, seconds=0.4)


CHUNKED = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"


@pytest.mark.parametrize(
    ("first", "again"),
    [
        (CHUNKED, b"1\r\nx\r\n"),
        (CHUNKED + b"0\r\n", b"X: y\r\n"),
        (b"", b"HTTP/1.1 100 Continue\r\n\r\n"),
        (b"", b"HTTP/1.1 100 Continue\r\nX: y\r\n\r\n"),
    ],
)
def test_an_answer_has_so_many_lines(first: bytes, again: bytes) -> None:
    with sending(first, again * 10_000) as url, pytest.raises(AnswerRefused):
        sends(url, max_bytes=2**30, seconds=PATIENCE)


def test_a_service_that_is_gone_is_a_failure() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    with pytest.raises(RequestFailed):
        sends(f"http://127.0.0.1:{port}/")
