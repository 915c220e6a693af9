"""Checks of what a server needs of others: a bucket, a mail server, a certificate, a replica, a clock, login
services.

Each has an answer within `SECONDS`, whatever the other side does.
"""

import logging
import secrets
import threading
import time
from collections.abc import Callable
from contextlib import closing
from functools import partial
from typing import Final
from urllib.parse import urlsplit

from chatcore.cli.words import number_of
from chatcore.domain.sign_on.providers import Provider, ProviderUnavailable
from chatcore.domain.times import SECONDS_PER_DAY
from chatcore.settings import Settings

SECONDS: Final = 20.0
MAX_CLOCK_DIFFERENCE: Final = 2.0
"""Seconds by which two clocks may differ."""
MIN_CERTIFICATE_DAYS: Final = 7
"""Days for which a certificate should still be valid."""


class Problem(Exception):
    """A problem, with its remedy."""


def within(seconds: float, work: Callable[[], str]) -> str:
    """Do *work* in a thread that is left alone if it takes longer.

    :raises Problem: it does
    """
    result: list[str] = []
    failure: list[BaseException] = []

    def run() -> None:
        try:
            result.append(work())
        except BaseException as error:  # raised again by who waits
            failure.append(error)

    thread = threading.Thread(target=run, name="chatcore-check", daemon=True)
    thread.start()
    thread.join(seconds)
    if failure:
        raise failure[0]
    if not result:
        raise Problem(f"no answer within {seconds:.0f} seconds")
    return result[0]


def bucket(settings: Settings) -> str:
    """Put a small object into the bucket, get it, and delete it."""
    from chatcore.bootstrap import open_files
    from chatcore.settings import BadSetting
    from chatcore.storage import StorageNotReady
    from chatcore.storage.files import FileMissing

    content = secrets.token_bytes(16)
    key = f"{content[:1].hex()}/check-{content.hex()}"
    try:
        files = open_files(settings)
        try:
            with closing(files.writer(key)) as writer:
                writer.write(content)
                writer.sync()
            files.finish(key)
            with files.open(key) as file:
                found = file.read()
        finally:
            files.remove(key)
    except (StorageNotReady, BadSetting) as error:
        raise Problem(f"{settings.uploads_url}: {error}") from error
    except FileMissing as error:
        raise Problem(f"{settings.uploads_url}: a new object is not found") from error
    if found != content:
        raise Problem(f"{settings.uploads_url}: a new object has another content")
    return f"{settings.uploads_url} takes, gives and deletes an object"


def mail(settings: Settings) -> str:
    """Log in to the mail server without sending a mail."""
    from smtplib import SMTPException

    from chatcore.application.mail.transport import log_in_and_out

    where = f"{settings.smtp_host}:{settings.smtp_port}"
    try:
        name = log_in_and_out(settings)
    except (OSError, SMTPException) as error:
        reason = f"{type(error).__name__} {getattr(error, 'smtp_code', '') or error}".strip()
        raise Problem(f"{where}: {reason}") from error
    return f"{where} ({name}) accepts the login" if settings.smtp_user else f"{where} ({name}) answers"


def address(settings: Settings) -> str:
    """Compare the certificate at the address of the organization with its name. A server need not reach its
    own address from the inside.
    """
    import socket
    import ssl

    parts = urlsplit(settings.external_url)
    host, port = parts.hostname or "", parts.port or 443
    try:
        with (
            socket.create_connection((host, port), SECONDS) as connection,
            ssl.create_default_context().wrap_socket(connection, server_hostname=host) as encrypted,
        ):
            certificate = encrypted.getpeercert() or {}
    except ssl.SSLCertVerificationError as error:
        raise Problem(f"{host}:{port}: {error.verify_message}") from error
    except ssl.SSLError as error:
        raise Problem(f"{host}:{port} does not speak TLS: {error.reason}") from error
    except (OSError, ValueError) as error:
        return f"the certificate of {host}:{port} cannot be seen from this machine: {error}"
    days = int((ssl.cert_time_to_seconds(str(certificate["notAfter"])) - now()) // SECONDS_PER_DAY)
    if days < MIN_CERTIFICATE_DAYS:
        raise Problem(f"the certificate of {host}:{port} ends in {days} days; renew it")
    return f"the certificate of {host}:{port} is valid for {days} days"


def replica(settings: Settings) -> str:
    """Measure how far the replica is behind."""
    from chatcore.bootstrap import open_store
    from chatcore.storage import StorageNotReady
    from chatcore.storage.inspection import InspectedStore

    try:
        with closing(open_store(settings)) as storage:
            delay = storage.replica_delay(SECONDS / 2) if isinstance(storage, InspectedStore) else None
    except StorageNotReady as error:
        raise Problem(str(error)) from error
    return "none" if delay is None else f"{1000 * delay:,.0f} ms behind the primary"


def clock(settings: Settings) -> str:
    """Compare the clock of this machine with that of the database's server."""
    from chatcore.bootstrap import open_store
    from chatcore.storage import StorageNotReady
    from chatcore.storage.inspection import InspectedStore

    try:
        with closing(open_store(settings)) as storage:
            began = now()
            theirs = storage.server_time() if isinstance(storage, InspectedStore) else None
            ours = (began + now()) / 2
    except StorageNotReady as error:
        raise Problem("cannot be compared without the database") from error
    # A store without a server reads the clock of this machine.
    difference = 0.0 if theirs is None else theirs - ours
    if abs(difference) > MAX_CLOCK_DIFFERENCE:
        direction = "ahead of" if difference > 0 else "behind"
        raise Problem(
            f"that of the database is {abs(difference):,.1f} s {direction} that of this machine;"
            " set both by NTP"
        )
    return f"{abs(difference):,.1f} s between this machine and the database"


def extras(settings: Settings) -> str:
    """Look for the libraries of login services, without which a server does not start.

    :raises BadSetting: one is not installed
    """
    from chatcore.bootstrap import require_extras

    require_extras(settings)
    return "the libraries of the login services are installed"


def login_service(provider: Provider, settings: Settings) -> str:
    """Read the description of a provider of OpenID Connect, and its keys."""
    from chatcore.runtime.openid.services import LoginServices

    logging.getLogger("chatcore.logins").addHandler(logging.NullHandler())  # the finding says the same
    service = LoginServices([provider], time.monotonic).get(provider.name)
    try:
        keys = service.read_keys(service.read_description().jwks_uri)
    except ProviderUnavailable as error:
        raise Problem(f"{provider.issuer}: {error.reason}") from error
    return f"{provider.issuer} answers, and has {number_of(len(keys.keys), 'key', 'keys')}"


def checks_of(settings: Settings) -> dict[str, Callable[[Settings], str]]:
    """Return the checks of what the settings name, by their names."""
    checks: dict[str, Callable[[Settings], str]] = {}
    if settings.uploads_url:
        checks["bucket"] = bucket
    if settings.smtp_host:
        checks["mail"] = mail
    if settings.external_url.startswith("https://") and not settings.url_is_a_guess:
        checks["address"] = address
    if settings.read_database_url:
        checks["replica"] = replica
    if not settings.database_url.startswith("sqlite:"):
        checks["clock"] = clock
    if settings.oidc or settings.scim_token:
        checks["extras"] = extras
    for provider in settings.oidc:
        checks[f"oidc {provider.name}"] = partial(login_service, provider)
    return checks


def now() -> float:
    """Return the time of this machine's clock."""
    return time.time()  # noqa: TID251 - this is an entry point
