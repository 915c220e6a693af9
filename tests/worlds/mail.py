"""A mail server for tests, and mails in a folder."""

import asyncio
import email
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from email.message import EmailMessage
from email.policy import default
from pathlib import Path
from typing import Any, cast

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import Envelope

from chatcore.application.sent_mail.sending import send_due
from tests.ports import free_port
from tests.worlds.organization import World


def parsed(content: bytes) -> EmailMessage:
    return cast(EmailMessage, email.message_from_bytes(content, policy=default))


class Receiver:
    """A mail server that keeps what it accepts, and gives the answers that a test has set."""

    def __init__(self) -> None:
        self.received: list[EmailMessage] = []
        self.recipient_answer = "250 OK"
        self.data_answer = "250 OK"
        self.seconds = 0.0
        """How long it takes to accept a mail."""
        self.on_mail: Callable[[], object] = lambda: None

    async def handle_RCPT(  # noqa: N802
        self, server: Any, session: Any, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        if self.recipient_answer.startswith("250"):
            envelope.rcpt_tos.append(address)
        return self.recipient_answer

    async def handle_DATA(self, server: Any, session: Any, envelope: Envelope) -> str:  # noqa: N802
        self.on_mail()
        await asyncio.sleep(self.seconds)
        if self.data_answer.startswith("250"):
            assert isinstance(envelope.content, bytes)
            self.received.append(parsed(envelope.content))
        return self.data_answer


@contextmanager
def mail_server() -> Iterator[tuple[Receiver, int]]:
    """Run a mail server; yield it and its port."""
    receiver, port = Receiver(), free_port()
    controller = Controller(receiver, hostname="127.0.0.1", port=port)
    controller.start()
    try:
        yield receiver, port
    finally:
        controller.stop()


def sent(world: World) -> list[EmailMessage]:
    """Send what waits; return all mails in the world's folder, the oldest first."""
    send_due(world.svc)
    folder = world.svc.settings.mail_folder
    assert folder is not None
    return [parsed(path.read_bytes()) for path in sorted(folder.glob("*.eml"), key=written)]


def written(path: Path) -> int:
    return path.stat().st_mtime_ns


def link_in(mail: EmailMessage) -> str:
    """Return the path of the link in a mail."""
    (path,) = re.findall(r"https://[^/\s]+(/[a-z]+/\S+)", mail.get_content())
    return str(path)
