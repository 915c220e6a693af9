"""The server of LMTP and strangers: commands and addresses that it does not expect."""

import asyncio
import socket
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from typing import Any

import pytest

from chatcore import open_chat
from chatcore.application.received_mail import outcomes
from chatcore.chat import Chat
from chatcore.cli.lmtp import MOST_RECIPIENTS, Listener
from chatcore.domain.limits import Limits
from chatcore.settings import Settings
from tests.waiting import PATIENCE

MAIL = b"From: zoe@x.example\r\nSubject: Soup\r\n\r\nReady\r\n"


@pytest.fixture
def chat() -> Iterator[Chat]:
    settings = Settings(external_url="https://chat.example.com")
    with open_chat(owner_email="ada@example.com", settings=settings) as chat:
        yield chat


def address_of(chat: Chat) -> bytes:
    owner = chat.users.actor("ada@example.com")
    return chat.channels.email_address(owner, chat.channels.id_of(owner, "general")).encode()


def topics(chat: Chat) -> list[str]:
    owner = chat.users.actor("ada@example.com")
    found = chat.messages.fetch(owner, narrow=[["channel", "general"], ["search", "ready"]])
    return [one.message.topic for one in found.readings]


def says(chat: Chat, *lines: bytes, limits: Limits | None = None) -> list[str]:
    """Send lines and then QUIT; return the answers from that to LHLO on."""

    svc = replace(chat.services, limits=limits or chat.services.limits)

    async def talk() -> bytes:
        listener = Listener(lambda host: svc, svc.limits.max_mail_size)
        server = await asyncio.get_running_loop().create_server(listener, "127.0.0.1", 0)
        async with server:
            reader, writer = await asyncio.open_connection(*server.sockets[0].getsockname())
            writer.write(b"\r\n".join([b"LHLO x", *lines, b"QUIT", b""]))
            said = await asyncio.wait_for(reader.read(-1), PATIENCE)
            writer.close()
            return said

    said = asyncio.run(talk()).decode("ascii").split("\r\n")
    assert said[-2:] == ["221 Bye", ""]
    return said[said.index("250 HELP") + 1 : -2]


def to(address: bytes) -> bytes:
    return b"RCPT TO:<" + address + b">"


@pytest.mark.parametrize("end", [b"\n.\r\n", b"\r.\r\n", b"\n.\n", b"\r\n.\n", b"\r\n.\r"])
def test_sec_no_second_mail_is_in_a_mail(chat: Chat, end: bytes) -> None:
    """Mail servers differ in the ends of a mail that they take for one: only the right one counts."""
    address = address_of(chat)
    hidden = b"MAIL FROM:<evil@x.example>\r\n" + to(address) + b"\r\nDATA\r\nSubject: evil\r\n\r\nready"
    answers = says(chat, b"MAIL FROM:<zoe@x.example>", to(address), b"DATA", MAIL + end + hidden, b".")
    assert [answer[:3] for answer in answers] == ["250", "250", "354", "250"]
    assert topics(chat) == ["Soup"]


def test_sec_odd_addresses_are_refused_and_the_next_one_is_taken(chat: Chat) -> None:
    address = address_of(chat)
    odd = [
        b"\xff@chat.example.com",
        b"\x00" + address,
        b"a\r" + to(address),
        b'"a ' + to(address) + b'"@x',
        b"(" * 200,
        b"<" * 200,
        b"a@[" * 50,
        b'"' * 200,
        b"x" * 2000 + address,
    ]
    answers = says(chat, b"MAIL FROM:<zoe@x.example>", *map(to, odd), to(address), b"DATA", MAIL, b".")
    assert answers[0] == "250 OK"
    assert {answer[0] for answer in answers[1 : len(odd) + 1]} == {"5"}
    assert [answer[:3] for answer in answers[len(odd) + 1 :]] == ["250", "354", "250"]
    assert topics(chat) == ["Soup"]


def test_senders_and_addresses_in_letters_of_all_languages_are_taken() -> None:
    settings = Settings(external_url="https://xn--bcher-kva.example")
    with open_chat(owner_email="ada@example.com", settings=settings) as chat:
        local = address_of(chat).partition(b"@")[0]
        hosts = ("bücher.example", "BÜCHER.example", "xn--bcher-kva.example")
        recipients = [to(local + f"@{host}".encode()) for host in hosts]
        sender = "MAIL FROM:<zoé@bücher.example> SMTPUTF8".encode()
        answers = says(chat, sender, *recipients, to("é@bücher.example".encode()), b"DATA", MAIL, b".")
        assert [answer[:3] for answer in answers] == ["250"] * 4 + ["550", "354"] + ["250"] * 3
        assert topics(chat) == ["Soup"]


def test_sec_a_mail_is_read_once_for_each_address(chat: Chat, monkeypatch: pytest.MonkeyPatch) -> None:
    address, read, receive = address_of(chat), [], outcomes.receive_mail

    def counted(*given: Any) -> Any:
        read.append(given)
        return receive(*given)

    monkeypatch.setattr(outcomes, "receive_mail", counted)
    many = [to(address)] * (MOST_RECIPIENTS + 1)
    answers = says(chat, b"MAIL FROM:<zoe@x.example>", *many, b"DATA", MAIL, b".")
    assert [answer[:3] for answer in answers[-MOST_RECIPIENTS - 2 :]] == [
        "452",
        "354",
        *["250"] * MOST_RECIPIENTS,
    ]
    assert len(read) == 1


def test_mails_with_long_lines_are_taken(chat: Chat) -> None:
    address = address_of(chat)
    mail = b"Subject: Soup\r\nX-Long: " + b"a" * 5000 + b"\r\n\r\nready " + b"soup " * 200_000
    answers = says(chat, b"MAIL FROM:<zoe@x.example>", to(address), b"DATA", mail, b".")
    assert answers[-1].startswith("250")
    assert topics(chat) == ["Soup"]


@pytest.mark.parametrize("length", [70, 999_999, 1_900_000])
def test_sec_mails_that_are_too_large_are_refused_whatever_their_lines(chat: Chat, length: int) -> None:
    address, limits = address_of(chat), Limits(max_mail_size=1_000_000)
    begin = (b"MAIL FROM:<zoe@x.example>", to(address), b"DATA", MAIL)
    lines = [b"a" * length] * (2_000_000 // length + 1)
    assert says(chat, *begin, *lines, b".", limits=limits)[-1].startswith("552")
    assert says(chat, *begin, b".", limits=limits)[-1].startswith("250")
    assert topics(chat) == ["Soup"]


IN_A_MAIL = b"MAIL FROM:<zoe@x.example>\r\n%s\r\nDATA\r\n"


@pytest.mark.parametrize(
    ("begin", "piece"),
    [(b"", b"a" * 10_000), (IN_A_MAIL, b"a" * 10_000), (IN_A_MAIL, b"a\n" * 5_000)],
    ids=["command", "mail", "bare ends"],
)
def test_sec_a_line_without_end_ends_the_connection(chat: Chat, begin: bytes, piece: bytes) -> None:
    limits = Limits(max_mail_size=100_000)
    begin = b"LHLO x\r\n" + begin.replace(b"%s", to(address_of(chat)))

    def send_line(address: tuple[str, int]) -> bytes:
        """Send until the other side takes no more; return its answers."""
        with socket.create_connection(address, PATIENCE) as connection:
            with suppress(OSError):
                connection.sendall(begin)
                while True:
                    connection.sendall(piece)
            with connection.makefile("rb") as answers:
                return answers.read()

    async def talk() -> bytes:
        listener = Listener(lambda host: replace(chat.services, limits=limits), limits.max_mail_size)
        server = await asyncio.get_running_loop().create_server(listener, "127.0.0.1", 0)
        async with server:
            return await asyncio.to_thread(send_line, server.sockets[0].getsockname())

    assert asyncio.run(talk()).endswith(b"\r\n500 5.5.2 Line too long\r\n")
    assert topics(chat) == []


def test_ends_of_lines_may_come_in_halves(chat: Chat) -> None:
    class Transport(asyncio.Transport):
        """A connection whose answers nobody reads."""

        def is_closing(self) -> bool:
            return True

        def write(self, data: object) -> None:
            assert not bytes(data).startswith(b"500"), data  # type: ignore[call-overload]

    async def feed() -> None:
        connection = Listener(lambda host: chat.services, 100)()
        connection.connection_made(Transport())
        for _ in range(100):
            connection.data_received(b"\nNOOP\r")
        connection.connection_lost(None)

    asyncio.run(feed())


def test_sec_bad_commands_are_refused(chat: Chat) -> None:
    assert {answer[0] for answer in says(chat, b"BDAT 5", b"\xff", b"STARTTLS", b"X" * 10_000)} == {"4", "5"}
    assert topics(chat) == []
