"""The way of a mail out of the server: to an SMTP server, or into a folder.

The modules of the standard library are imported when the first mail is sent: most servers need them rarely.
"""

import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final

from chatcore.disk import open_private, put_in_place
from chatcore.settings import Settings

if TYPE_CHECKING:
    import smtplib
    import ssl
    from email.message import EmailMessage

MAX_STEPS: Final = 4
"""The time limit of a whole attempt, as a multiple of that of one step: after it the connection is cut."""


class MailRefused(Exception):
    """The other side refuses this mail for ever; another attempt makes no sense."""


def deliver(settings: Settings, message: "EmailMessage", to: str, key: str) -> None:
    """Send a mail, or write it into the folder.

    :raises MailRefused:
    :raises OSError, SMTPException: it could not be sent this time
    """
    if settings.smtp_host:
        _send_by_smtp(settings, message, to)
    elif settings.mail_folder is not None:
        _write_to_folder(settings.mail_folder, bytes(message), key)


def longest_attempt(settings: Settings) -> int:
    """Return the seconds after which any attempt is over, also that of a process that was killed."""
    return settings.smtp_timeout * (MAX_STEPS + 1)


def _send_by_smtp(settings: Settings, message: "EmailMessage", to: str) -> None:
    """Send a mail by SMTP; a refusal with a code from 500 on is one for ever."""
    import smtplib

    try:
        with _logged_in(settings) as client:
            client.sendmail(settings.sender, [to], bytes(message))
            with suppress(OSError, smtplib.SMTPException):  # the server has the mail already
                client.quit()
    except smtplib.SMTPRecipientsRefused as error:
        if all(code >= 500 for code, _ in error.recipients.values()):
            raise MailRefused(f"recipient refused ({_refusal_codes(error)})") from error
        raise
    except smtplib.SMTPDataError as error:
        if error.smtp_code >= 500:
            raise MailRefused(f"text refused ({error.smtp_code})") from error
        raise


def log_in_and_out(settings: Settings) -> str:
    """Connect to the SMTP server and log in, as a mail does, but send none; return how the server calls
    itself.

    :raises OSError, SMTPException: that is not possible
    """
    with _logged_in(settings) as client:
        _, said = client.ehlo()
        client.quit()
    return said.decode(errors="replace").partition("\n")[0]


@contextmanager
def _logged_in(settings: Settings) -> "Iterator[smtplib.SMTP]":
    client = _connect_to_server(settings)
    timer = threading.Timer(settings.smtp_timeout * MAX_STEPS, _cut_connection, [client])
    timer.daemon = True
    timer.start()
    try:
        if settings.smtp_tls == "starttls":
            client.starttls(context=_make_tls_context())
        if settings.smtp_user:
            client.login(settings.smtp_user, settings.smtp_password)
        yield client
    finally:
        timer.cancel()
        client.close()


def _connect_to_server(settings: Settings) -> "smtplib.SMTP":
    import smtplib

    host, port, timeout = settings.smtp_host, settings.smtp_port, settings.smtp_timeout
    if settings.smtp_tls == "tls":
        return smtplib.SMTP_SSL(host, port, timeout=timeout, context=_make_tls_context())
    return smtplib.SMTP(host, port, timeout=timeout)


def _make_tls_context() -> "ssl.SSLContext":
    import ssl

    return ssl.create_default_context()


def _cut_connection(client: "smtplib.SMTP") -> None:
    """End the connection: a server that sends byte by byte would never exceed the time limit of a step."""
    import socket

    if client.sock is not None:
        with suppress(OSError):
            client.sock.shutdown(socket.SHUT_RDWR)


def _refusal_codes(error: "smtplib.SMTPRecipientsRefused") -> str:
    return ", ".join(str(code) for code, _ in error.recipients.values())


def _write_to_folder(folder: Path, content: bytes, key: str) -> None:
    """Write a file; a second attempt with the same *key* writes the same file."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    unfinished = folder / f".{key}"
    unfinished.unlink(missing_ok=True)  # left by an interrupted attempt
    with open_private(unfinished) as file:
        file.write(content)
    put_in_place(unfinished, folder / f"{key}.eml")
