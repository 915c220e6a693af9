"""A server of LMTP, by which a mail server hands over mails (RFC 2033).

It needs `aiosmtpd`, and is a process of its own: the mail of strangers is read elsewhere than requests are
answered, and one is enough for any number of workers.
"""

import asyncio
import signal
from collections.abc import Callable
from typing import AnyStr

from aiosmtpd.lmtp import LMTP
from aiosmtpd.smtp import SMTP, Envelope, Session

from chatcore.application.received_mail.outcomes import (
    DeliveryOutcome,
    OrganizationAt,
    outcome_of_address,
    outcome_of_mail,
)
from chatcore.cli.options import Failure

TOO_LONG = "500 Line too long (see RFC5321 4.5.3.1.6)"
TOO_LARGE = "552 Error: Too much mail data"
"""Answers of `aiosmtpd` to a mail with a line that is too long, and to one that is too large."""
LINE_END = b"\r\n"
MAX_AT_ONCE = 4
"""Mails that are read at a time; others wait."""
MOST_RECIPIENTS = 100
MOST_CONNECTIONS = 20
IDLE_SECONDS = 120.0
"""Seconds after which a silent connection is closed."""


class Handler:
    """Answers for each recipient; the methods have the names that `aiosmtpd` calls."""

    def __init__(self, organization_at: OrganizationAt) -> None:
        self._organization_at = organization_at
        self._turns = asyncio.Semaphore(MAX_AT_ONCE)

    async def handle_RCPT(  # noqa: N802 - the name is that of the library
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        if len(envelope.rcpt_tos) >= MOST_RECIPIENTS:
            return "452 4.5.3 Too many recipients"
        result = await asyncio.to_thread(outcome_of_address, self._organization_at, address)
        if result.outcome is DeliveryOutcome.TAKEN:
            envelope.rcpt_tos.append(address)
        return result.reply

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802
        """Return a line for each recipient, in their order, as the protocol wants it."""
        data = envelope.content if isinstance(envelope.content, bytes) else b""
        async with self._turns:
            replies = {
                address: (
                    await asyncio.to_thread(outcome_of_mail, self._organization_at, address, data)
                ).reply
                for address in dict.fromkeys(envelope.rcpt_tos)  # each is named once, as reading takes long
            }
        return "\r\n".join(replies[address] for address in envelope.rcpt_tos)


class Listener:
    """Makes the protocol of each connection, up to a number of them."""

    def __init__(self, organization_at: OrganizationAt, max_size: int) -> None:
        self._handler = Handler(organization_at)
        self._size = max_size
        self._open: set[Connection] = set()

    def __call__(self) -> "Connection":
        return Connection(self._open, self._handler, self._size)


class Connection(LMTP):
    def __init__(self, open_connections: "set[Connection]", handler: Handler, size: int) -> None:
        self.line_length_limit = size  # many programs write lines that are longer than the standard permits
        super().__init__(
            handler, data_size_limit=size, timeout=IDLE_SECONDS, ident="LMTP", enable_SMTPUTF8=True
        )
        self._open = open_connections
        self._unended = 0
        """Bytes of the last line, as long as it has no end."""
        self._last = b""
        """The last byte of all, which may be half of an end."""

    async def push(self, status: AnyStr) -> None:
        """Send an answer; a line that is too long can only be in a mail that is too large."""
        if status == TOO_LONG:
            await super().push(TOO_LARGE)
        else:
            await super().push(status)

    def data_received(self, data: bytes) -> None:
        """Take what has arrived. `aiosmtpd` keeps a line in memory until its end, however long it is."""
        joined = self._last + data
        end = joined.rfind(LINE_END)
        self._unended = self._unended + len(data) if end < 0 else len(joined) - end - len(LINE_END)
        self._last = data[-1:]
        if self._unended <= 2 * self.line_length_limit:
            super().data_received(data)
        elif isinstance(self.transport, asyncio.Transport):
            self.transport.write(b"500 5.5.2 Line too long\r\n")
            self.transport.close()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        if len(self._open) >= MOST_CONNECTIONS and isinstance(transport, asyncio.Transport):
            transport.write(b"421 4.3.2 Too many connections\r\n")
            transport.close()
            return
        self._open.add(self)
        super().connection_made(transport)

    def connection_lost(self, error: Exception | None) -> None:
        if self in self._open:
            self._open.remove(self)
            super().connection_lost(error)


def serve_lmtp(
    organization_at: OrganizationAt,
    max_size: int,
    host: str,
    port: int,
    on_listening: Callable[[str], object],
) -> None:
    """Take mail until SIGTERM or SIGINT; mails that are being read are finished."""
    asyncio.run(_serve_until_stopped(Listener(organization_at, max_size), host, port, on_listening))


async def _serve_until_stopped(
    listener: Listener, host: str, port: int, on_listening: Callable[[str], object]
) -> None:
    loop, stopped = asyncio.get_running_loop(), asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stopped.set)
    try:
        server = await loop.create_server(listener, host, port)
    except OSError as error:
        raise Failure(f"cannot listen on {host}, port {port}: {error.strerror}") from error
    address = server.sockets[0].getsockname()
    on_listening(f"{address[0]}:{address[1]}")
    await stopped.wait()
    server.close()
