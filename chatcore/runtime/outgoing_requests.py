"""Requests to addresses that people or other servers have given, such as those of webhooks.

A request goes to the public internet only, unless a setting permits all addresses. The host of each address,
also of a redirect, is resolved once; what is checked is the address that is connected to, so that a second
answer of the name server has no effect. The request keeps the name in `Host` and in TLS. Time and size are
bounded, and nothing is decompressed.

This module loads an HTTP library; import it when it is first needed.
"""

import http.client
import io
import socket
import threading
from base64 import b64encode
from collections import Counter
from collections.abc import Callable, Hashable, Mapping
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any, Final, NamedTuple
from urllib.parse import SplitResult, unquote, urljoin

import urllib3
from urllib3.connection import HTTPConnection, HTTPSConnection

from chatcore.domain.network_addresses import is_open_port, is_public
from chatcore.domain.web_addresses import parse_web_address

PORTS: Final = {"http": 80, "https": 443}
REDIRECT_STATUSES: Final = frozenset({301, 302, 303, 307, 308})
PIECE_SIZE: Final = 2**16
MAX_LINES: Final = 10_000
"""Lines of one answer besides its content: those of its head, of heads before it (`100 Continue`), of the
sizes of its chunks, and after them. Reading a line takes as long whether it has a byte or hundreds.
"""
LOOKUPS: Final = 32
"""Hosts that are looked up at a time. The system gives up an unanswered lookup by itself, but long after the
request that wanted it.
"""


class Asker(NamedTuple):
    """For whom requests are sent; each asker has a share of the lookups, so that names without an answer keep
    nobody else waiting.
    """

    who: Hashable
    """An account, or what asks for all accounts."""
    lookups: int = 4
    """Lookups at a time."""


class RequestFailed(Exception):
    """There is no answer that can be used; the message says why."""


class RequestTimedOut(RequestFailed):
    """The answer did not come in time."""


class NoLookupInTime(RequestTimedOut):
    """Other lookups took all the time, so that the host was not asked."""


class AddressRefused(RequestFailed):
    """The request would leave the public internet, or is none of HTTP."""


class AnswerRefused(RequestFailed):
    """The answer is too large, compressed, or redirects too often."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outgoing:
    """A request. Redirects are followed with GET, and only by requests that are GET themselves."""

    url: str
    method: str = "GET"
    body: bytes | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    seconds: float = 10
    """The time for all of it, with its redirects."""
    max_bytes: int = 2**20
    redirects: int = 0
    """The greatest number of redirects that are followed."""


@dataclass(frozen=True, slots=True)
class Answered:
    """An answer. The names of headers are in lower case."""

    url: str
    status: int
    headers: Mapping[str, str]
    body: bytes


def send_request(
    request: Outgoing, *, asker: Asker, private_addresses: bool, monotonic: Callable[[], float]
) -> Answered:
    """Send a request and return the answer, whatever its status.

    :raises RequestFailed: one of its kinds says why there is no answer
    """
    ends_at = monotonic() + request.seconds
    for _ in range(request.redirects + 1):
        attempt = _Attempt(request, asker, ends_at, monotonic, private_addresses=private_addresses)
        answered = attempt.run()
        target = answered.headers.get("location")
        if request.method != "GET" or answered.status not in REDIRECT_STATUSES or target is None:
            return answered
        headers = _without_secrets(request.headers)
        try:
            url = urljoin(request.url, target)
        except ValueError as error:
            raise AddressRefused("the redirect leads to no address") from error
        request = replace(request, url=url, headers=headers)
    raise AnswerRefused("too many redirects")


def _without_secrets(headers: Mapping[str, str]) -> Mapping[str, str]:
    return {name: value for name, value in headers.items() if name.lower() not in ("authorization", "cookie")}


class _FewLines(io.BufferedReader):
    """A reader of an answer that has a bound for the number of lines."""

    lines_left = MAX_LINES

    def readline(self, size: int | None = -1) -> bytes:
        """Return the next line.

        :raises AnswerRefused: it is one too many
        """
        self.lines_left -= 1
        if self.lines_left < 0:
            raise AnswerRefused("the answer has too many lines or pieces")
        return super().readline(size)


class _AnswerOfFewLines(http.client.HTTPResponse):
    """An answer whose head and chunks have a bound; those of the library have none."""

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self.fp = _FewLines(self.fp.detach())


class _Attempt:
    """One request to one host."""

    def __init__(
        self,
        request: Outgoing,
        asker: Asker,
        ends_at: float,
        monotonic: Callable[[], float],
        *,
        private_addresses: bool,
    ) -> None:
        self._request = request
        self._asker = asker
        self._ends_at = ends_at
        self._monotonic = monotonic
        self._private_addresses = private_addresses
        self._is_over = False
        self._socket: socket.socket | None = None
        """A duplicate of the socket, by which the timer ends the connection."""

    def run(self) -> Answered:
        """Send the request, and return the answer.

        :raises RequestFailed: one of its kinds says why there is no answer
        """
        target = _read_target(self._request.url)
        timer = threading.Timer(max(0, self._seconds_left()), self._cut_off)
        timer.daemon = True
        timer.start()
        try:
            return self._exchange(target)
        except RequestFailed:
            raise
        except (urllib3.exceptions.HTTPError, http.client.HTTPException, OSError, ValueError) as error:
            if self._is_over or isinstance(error, TimeoutError | urllib3.exceptions.TimeoutError):
                raise RequestTimedOut("no answer in time") from error
            if isinstance(error, socket.gaierror):
                raise RequestFailed("the name of the host is unknown") from error
            raise RequestFailed(f"the connection failed ({type(error).__name__})") from error
        finally:
            timer.cancel()
            if self._socket is not None:
                self._socket.close()

    def _exchange(self, target: SplitResult) -> Answered:
        """Send the request on a connection, and return the answer."""
        connection = self._make_connection(target)
        try:
            path = (target.path or "/") + (f"?{target.query}" if target.query else "")
            headers = {"Accept-Encoding": "identity", **_credential_headers(target), **self._request.headers}
            connection.request(self._request.method, path, self._request.body, headers, preload_content=False)
            response = connection.getresponse()
            answer_headers = {name.lower(): value for name, value in response.headers.items()}
            if answer_headers.get("content-encoding", "identity").strip().lower() not in ("", "identity"):
                raise AnswerRefused("the answer is compressed")
            body = bytearray()
            for piece in response.stream(PIECE_SIZE, decode_content=False):
                body += piece
                if len(body) > self._request.max_bytes:
                    raise AnswerRefused("the answer is too large")
            if self._is_over:
                raise RequestTimedOut("no answer in time")
            return Answered(self._request.url, response.status, answer_headers, bytes(body))
        finally:
            connection.close()

    def _make_connection(self, target: SplitResult) -> HTTPConnection:
        """Return a connection that connects by `self.connect`, which checks the address."""
        attempt = self

        class Checked(HTTPConnection):
            response_class = _AnswerOfFewLines

            def _new_conn(self) -> socket.socket:
                return attempt.connect(target)

        class CheckedWithTls(HTTPSConnection):
            response_class = _AnswerOfFewLines

            def _new_conn(self) -> socket.socket:
                return attempt.connect(target)

        kind = CheckedWithTls if target.scheme == "https" else Checked
        return kind(target.hostname or "", _port(target), timeout=max(0.001, self._seconds_left()))

    def connect(self, target: SplitResult) -> socket.socket:
        """Connect to the first address of the host that is permitted and answers."""
        failure: Exception = AddressRefused("requests to this address are not permitted")
        if not self._private_addresses and not is_open_port(_port(target)):
            raise failure
        for family, kind, protocol, _, address in _look_up_host(target, self._asker, self._seconds_left):
            if not (self._private_addresses or is_public(str(address[0]))):
                continue
            if (left := self._seconds_left()) <= 0:
                raise RequestTimedOut("no answer in time")
            sock = socket.socket(family, kind, protocol)
            try:
                sock.settimeout(left)
                sock.connect(address)
            except OSError as error:
                sock.close()
                failure = error
                continue
            self._socket = sock.dup()
            if self._is_over:  # the timer may have found no connection to end
                sock.close()
                raise RequestTimedOut("no answer in time")
            return sock
        raise failure

    def _seconds_left(self) -> float:
        return self._ends_at - self._monotonic()

    def _cut_off(self) -> None:
        """End the connection because the time is over; called by the timer."""
        self._is_over = True
        if (sock := self._socket) is not None:
            with suppress(OSError):
                sock.shutdown(socket.SHUT_RDWR)


def _read_target(url: str) -> SplitResult:
    target = parse_web_address(url)
    if target is None or not url.isascii() or not url.isprintable():
        raise AddressRefused("this is not the address of a web server")
    return target


def _port(target: SplitResult) -> int:
    return PORTS[target.scheme] if target.port is None else target.port


class _Lookups:
    """The lookups that run, with the share of each asker."""

    def __init__(self) -> None:
        self._of_asker: Counter[Asker] = Counter()
        self._ended = threading.Condition()

    def begin(self, asker: Asker, seconds: float) -> bool:
        """Begin a lookup when there is room for one; return whether there was in time."""

        def has_room() -> bool:
            return self._of_asker[asker] < asker.lookups and self._of_asker.total() < LOOKUPS

        with self._ended:
            if not self._ended.wait_for(has_room, seconds):
                return False
            self._of_asker[asker] += 1
            return True

    def end(self, asker: Asker) -> None:
        with self._ended:
            self._of_asker[asker] -= 1
            self._of_asker += Counter()  # forgets askers without any
            self._ended.notify_all()


_lookups: Final = _Lookups()


def _look_up_host(target: SplitResult, asker: Asker, left: Callable[[], float]) -> list[Any]:
    """Return the host's addresses, as `socket.getaddrinfo` does, if they are known in the seconds *left*."""
    if not _lookups.begin(asker, max(0, left())):
        raise NoLookupInTime("no answer in time")
    addresses: Future[list[Any]] = Future()

    def look_up() -> None:
        try:
            addresses.set_result(socket.getaddrinfo(target.hostname, _port(target), type=socket.SOCK_STREAM))
        except Exception as error:
            addresses.set_exception(error)
        finally:
            _lookups.end(asker)

    try:
        threading.Thread(target=look_up, name="chatcore-lookup", daemon=True).start()
    except RuntimeError:  # the system has no thread left
        _lookups.end(asker)
        raise
    return addresses.result(max(0, left()))


def _credential_headers(target: SplitResult) -> Mapping[str, str]:
    if target.username is None:
        return {}
    credentials = f"{unquote(target.username)}:{unquote(target.password or '')}"
    return {"Authorization": f"Basic {b64encode(credentials.encode()).decode()}"}
