"""The composition root: from a URL or settings to an organization that is served or embedded."""

import os
import secrets
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

from werkzeug.middleware.proxy_fix import ProxyFix

from chatcore.application.accounts import authenticate
from chatcore.application.hub import EventHub
from chatcore.application.organizations import NewOrganization, initialize, is_initialized
from chatcore.application.services import RunBlocking, Services, run_here
from chatcore.chat import Chat
from chatcore.domain.limits import Limits
from chatcore.http.app import Application
from chatcore.http.routes import ROUTES
from chatcore.settings import BadSetting, Settings
from storage_backends import SqlStorage, open_storage

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIApplication

SECRET_BYTES = 32
SECRET_FILE = "secret_key"
DATA_DIR = "chat-data"


def open_chat(
    url: str = "sqlite:///:memory:",
    *,
    organization: str = "Chat",
    owner_email: str = "owner@example.com",
    owner_name: str = "Owner",
    settings: Settings | None = None,
    clock: Callable[[], float] = time.time,  # noqa: TID251 - this is where the clock comes from
) -> Chat:
    """The organization in the database at *url*; a database without one gets it, with its owner.

    :raises StorageNotReady: the database cannot be reached, or is newer than this program
    :raises BadDatabaseUrl: no database URL
    """
    given = replace(settings or Settings(), database_url=url)
    storage = open_storage(url)
    storage.migrate()
    services = make_services(given, storage, clock=clock)
    if not is_initialized(services):
        new = NewOrganization(name=organization, owner_email=owner_email, owner_name=owner_name)
        initialize(services, new)
    return Chat(services, make_application)


def make_services(
    settings: Settings,
    storage: SqlStorage,
    *,
    clock: Callable[[], float] = time.time,  # noqa: TID251 - this is where the clock comes from
    limits: Limits | None = None,
    run_blocking: RunBlocking = run_here,
) -> Services:
    """The services of one organization; its secret is read, or made on first use."""
    limits = limits or Limits()
    settings = replace(settings, secret_key=settings.secret_key or read_secret(settings))
    return Services(
        storage=storage,
        settings=settings,
        clock=clock,
        hub=EventHub(storage, clock, limits),
        limits=limits,
        run_blocking=run_blocking,
    )


def make_application(services: Services) -> "WSGIApplication":
    """The WSGI application of one organization, whatever host it is asked for under."""
    application = Application(
        lambda host: services, ROUTES, authenticate=authenticate, ready=services.storage.check
    )
    proxies = services.settings.trusted_proxies
    if not proxies:
        return application
    return ProxyFix(application, x_for=proxies, x_proto=proxies, x_host=proxies, x_prefix=proxies)


def application_from_settings(settings: Settings) -> "WSGIApplication":
    """The WSGI application for the settings of a server.

    :raises StorageNotReady: the database is not there, or not at this version
    :raises BadDatabaseUrl: no database URL
    """
    storage = open_storage(settings.database_url)
    storage.check()
    return make_application(make_services(settings, storage))


def data_dir(settings: Settings) -> Path:
    """Where uploads and the secret are: beside the database file, or in the working directory."""
    if settings.data_dir is not None:
        return settings.data_dir
    parts = urlsplit(settings.database_url)
    if parts.scheme == "sqlite":
        return Path(unquote(settings.database_url.partition(":///")[2])).parent / DATA_DIR
    return Path(DATA_DIR)


def read_secret(settings: Settings) -> bytes:
    """The secret that API keys are derived from: a file that only its owner can read, made at first.

    :raises BadSetting: the file is too short to be a secret, or others can read it
    """
    if settings.database_url == "sqlite:///:memory:":
        return secrets.token_bytes(SECRET_BYTES)
    folder = data_dir(settings)
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    path = folder / SECRET_FILE
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        if path.stat().st_mode & 0o077:
            raise BadSetting(f"others can read the secret in {path}; run: chmod 600 {path}") from None
        secret = path.read_bytes().strip()
        if len(secret) < SECRET_BYTES:
            raise BadSetting(f"the secret in {path} is too short") from None
        return secret
    with os.fdopen(descriptor, "wb") as file:
        secret = secrets.token_hex(SECRET_BYTES).encode()
        file.write(secret)
    return secret
