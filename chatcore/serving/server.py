"""The server: it accepts connections within limits, and stops without cutting an answer."""

import errno
import json
import logging
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from math import ceil
from time import monotonic
from typing import Any, Final

import gevent
from gevent.pool import Pool
from gevent.pywsgi import WSGIServer

from chatcore.domain.errors import RETRY_SECONDS, RateLimited
from chatcore.runtime.afterwards import AFTERWARDS
from chatcore.runtime.quiet_log import QuietLog
from chatcore.serving import connections, slots
from chatcore.serving.afterwards import Afterwards
from chatcore.serving.listeners import BACKLOG, Listener
from chatcore.serving.program import Program
from chatcore.serving.refusals import Refusals
from chatcore.serving.slots import NoSlot, Slots

log = logging.getLogger("chatcore.serving")

GRACE_SECONDS: Final = 5
"""Seconds for all requests after the signal to stop."""
LAST_REQUEST_SECONDS: Final = 1
"""Seconds of these in which a connection without a request may still send one."""
HANDSHAKE_SECONDS: Final = 0.05
"""Seconds for those who were about to connect when the signal came."""
SPARE: Final = 50
"""Connections above their number that are accepted before others have made room for them."""
SHORTAGE_SECONDS: Final = 0.1
"""Seconds until the next attempt to accept a connection if there was no descriptor or memory for it."""
SHORTAGES: Final = frozenset({errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM})


def _too_many_connections(limit: str) -> bytes:
    body = {
        "result": "error",
        "msg": "Too many connections from your address",
        "code": RateLimited.code,
        "retry-after": RETRY_SECONDS,
        "limit": limit,
    }
    more = f"Retry-After: {ceil(RETRY_SECONDS)}\r\n"
    return connections.refusal("429 Too Many Requests", json.dumps(body), more)


class Server(WSGIServer):  # type: ignore[misc]
    """A server that tracks idle connections: it ends them to stop, and to make room for new ones."""

    def __init__(self, program: Program, listener: Listener, *, workers: int) -> None:
        host, port = listener.address
        self._leaves_backlog = listener.is_passed
        """Whether connections that are not yet accepted wait for the next server."""
        self.stopping = False
        self.rests_are_over = False
        """Whether connections take only what has come already, instead of waiting for a next request."""
        self.give_way = program.give_way
        self._resting: dict[gevent.Greenlet, bool] = {}
        """The connections that may be dropped, the longest resting first; True for those that a stopping
        server does not wake, as they linger or read the rest of a head.
        """
        self.lingering = 0
        """The number of connections that linger: they have their last answer, and read what still comes."""
        self._dropped: set[gevent.Greenlet] = set()
        """Connections that were dropped and are about to end."""
        self._slots = Slots(program.connections_per_address)
        self._max_connections = slots.most_connections()
        self._refusals = Refusals()
        self._quiet_log = QuietLog(log)
        self.afterwards = Afterwards()
        super().__init__(
            listener.socket,
            program.application,
            spawn=Pool(self._max_connections + SPARE),
            log=None,
            error_log=log,
            handler_class=connections.Handler,
            environ={
                "SERVER_NAME": host,
                "SERVER_PORT": str(port),
                "SERVER_SOFTWARE": "chatcore",
                "wsgi.multithread": True,
                "wsgi.multiprocess": workers > 1,
                AFTERWARDS: self.afterwards.put,
            },
        )

    def do_read(self) -> Any:
        """Accept a connection. If the machine cannot, go on in a moment."""
        try:
            return super().do_read()
        except OSError as error:
            if error.errno not in SHORTAGES:
                raise
            self._quiet_log.warning("no connection can be accepted: %s", error.strerror)
        self._drop_longest_resting()
        self.stop_accepting()
        self._timer = self.loop.timer(SHORTAGE_SECONDS)
        self._timer.start(self._start_accepting_if_started)
        return None

    def do_handle(self, sock: Any, address: Any) -> None:
        """Give a connection its slot, and a greenlet of its own, in which `handle` gives the slot back; or
        refuse it.
        """
        try:
            self._slots.take(address[0])
        except NoSlot as error:
            self._refusals.refuse(sock, error.network, _too_many_connections(error.limit))
            return
        try:
            super().do_handle(sock, address)
        except BaseException:
            self._slots.leave(address[0])
            raise
        self._make_room()

    def handle(self, sock: Any, address: Any) -> None:
        """Serve a connection."""
        try:
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            sock.settimeout(connections.IDLE_SECONDS)
            super().handle(sock, address)
        finally:
            self._slots.leave(address[0])
            self._dropped.discard(gevent.getcurrent())

    @contextmanager
    def resting(self, *, reads_head: bool = False, lingers: bool = False) -> Iterator[None]:
        """Note that the current connection may be dropped meanwhile: it waits for its next request or, with
        *reads_head*, for the rest of a head; or it *lingers* after its last answer.
        """
        connection = gevent.getcurrent()
        if connection not in self._dropped:
            self._resting[connection] = reads_head or lingers
        self.lingering += lingers
        self._make_room()
        try:
            yield
        finally:
            self.lingering -= lingers
            self._resting.pop(connection, None)

    def is_dropped(self) -> bool:
        """Return whether the current connection was dropped and is about to end."""
        return gevent.getcurrent() in self._dropped

    def _make_room(self) -> None:
        if len(self.pool) - len(self._dropped) > self._max_connections:
            self._drop_longest_resting()

    def _drop_longest_resting(self) -> None:
        connection = next(iter(self._resting), None)
        if connection is not None:
            del self._resting[connection]
            self._dropped.add(connection)
            connection.kill(block=False)

    def cut_off(self) -> None:
        """End what still runs while the server stops."""
        self.pool.kill(block=False)

    def finish(self, program: Program) -> None:
        """Answer the requests that run, and one more of each connection; then close the program."""
        self.stopping = True
        if not self._leaves_backlog:
            self._accept_last()
        self.close()
        self._refusals.close()
        program.stop()
        end = monotonic() + GRACE_SECONDS
        self.pool.join(timeout=min(LAST_REQUEST_SECONDS, GRACE_SECONDS))
        self.rests_are_over = True
        self.loop.run_callback(self._end_rests)
        self.pool.join(timeout=max(0, end - monotonic()))
        if len(self.pool):
            log.warning("%d requests were cut off", len(self.pool))
            self.pool.kill(timeout=1)
        self.afterwards.end()
        program.close()

    def _accept_last(self) -> None:
        """Accept those who have connected before anybody else is kept away."""
        gevent.sleep(HANDSHAKE_SECONDS)
        for _ in range(BACKLOG):
            if self.full() or (accepted := self.do_read()) is None:
                break
            self.do_handle(*accepted)

    def _end_rests(self) -> None:
        """Wake the connections that wait for a next request. The hub calls this: each of them still waits."""
        for connection, is_left_asleep in tuple(self._resting.items()):
            if not is_left_asleep:
                connection.throw(connections.RestIsOver)
