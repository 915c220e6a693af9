"""`chatcore serve`"""

import fcntl
import logging
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click
from click.core import ParameterSource

from chatcore.cli.opening import NO_ORGANIZATION
from chatcore.cli.options import Failure, NotReady, Option, database_option, settings_of
from chatcore.settings import Settings, sqlite_file

if TYPE_CHECKING:
    from chatcore.application.services import Services
    from chatcore.demo import Account
    from chatcore.serving import Program

DEMO_DATABASE = "sqlite:///var/demo.db"
ANYWHERE = ("0.0.0.0", "::")


@click.command()
@database_option
@click.option("--host", cls=Option, envvar="CHATCORE_HOST", default="127.0.0.1", show_default=True,
              help="The address to listen on; 0.0.0.0 is all of this machine's.")  # fmt: skip
@click.option("--port", cls=Option, envvar="CHATCORE_PORT", type=click.IntRange(0, 65_535), default=9991,
              show_default=True, help="The port; 0 takes a free one.")  # fmt: skip
@click.option("--workers", cls=Option, envvar="CHATCORE_WORKERS", type=click.IntRange(1, 256), default=1,
              show_default=True, help="Processes that serve; more than one needs PostgreSQL.")  # fmt: skip
@click.option("--demo", cls=Option, envvar="CHATCORE_DEMO", is_flag=True,
              help=f"Serve a made-up organization in {DEMO_DATABASE}, where anybody can log in.")  # fmt: skip
@click.pass_context
def serve(ctx: click.Context, database: str, host: str, port: int, workers: int, demo: bool) -> None:
    """Serve the organization in the database over HTTP until Ctrl-C or SIGTERM.

    A database of an older version is brought up to date first; one of a newer version is refused.
    """
    if demo and ctx.get_parameter_source("database") is ParameterSource.DEFAULT:
        database = DEMO_DATABASE
        Path("var").mkdir(mode=0o700, exist_ok=True)
    on_sqlite = database.startswith("sqlite:")
    if workers > 1 and on_sqlite:
        raise click.UsageError(
            "SQLite is served by one process; for several workers use PostgreSQL:"
            " --database postgresql://user@host/name"
        )
    settings = settings_of(ctx, database, CHATCORE_EXTERNAL_URL=address(host, port))
    settings = replace(settings, development=settings.development or demo)

    from chatcore import serving

    serving.patch()  # before anything else is loaded
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(name)s: %(message)s")
    logging.getLogger("peewee.migrations").setLevel(logging.WARNING)
    if not demo and _is_missing(settings.database_url):
        raise NotReady(NO_ORGANIZATION)
    with alone_on(settings.database_url):
        svc, accounts = _opened(settings, demo=demo)

        def listening(host: str, port: int) -> None:
            where = address(host, port)
            if accounts:
                from chatcore.demo import introduce

                click.echo(introduce(accounts, where))
            click.echo(f"Serving {shown(svc.settings.database_url)} at {where} (Ctrl-C stops it)")

        if workers == 1:
            serving.serve(lambda: _program(svc), host, port, on_listening=listening)
        else:
            svc.storage.close()
            serving.serve(
                lambda: _program(_open_again(svc.settings)),
                host,
                port,
                workers=workers,
                on_listening=listening,
            )


def address(host: str, port: int) -> str:
    """Where a server is that listens there."""
    if host in ANYWHERE:
        host = "127.0.0.1"
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def shown(database: str) -> str:
    """Kind, host and name of a database, or its whole path; never user, password or query."""
    file = sqlite_file(database)
    if file is not None:
        return f"sqlite:///{file.absolute()}"
    scheme, _, rest = database.partition("://")
    place, _, name = rest.partition("/")
    host, query, _ = place.rpartition("@")[2].partition("?")
    return f"{scheme}://{host}/{'' if query else name.partition('?')[0]}"


def _is_missing(database: str) -> bool:
    """Whether a database would first be made where there is a place for it."""
    file = sqlite_file(database)
    return file is not None and file.parent.is_dir() and not os.path.lexists(file)


def _opened(settings: Settings, *, demo: bool) -> "tuple[Services, Sequence[Account]]":
    """The services of an organization that is there, and the accounts of a demo."""
    from chatcore import serving
    from chatcore.bootstrap import make_application, make_services, open_store

    storage = open_store(settings, migrate=True)
    try:
        if not demo and storage.read(lambda snapshot: snapshot.organization.find()) is None:
            raise NotReady(NO_ORGANIZATION)
        svc = make_services(settings, storage, run_blocking=serving.run_in_threadpool)
        if demo:
            from chatcore.chat import Chat
            from chatcore.demo import set_up

            return svc, set_up(Chat(svc, make_application))
    except BaseException:
        storage.close()
        raise
    return svc, ()


def _open_again(settings: Settings) -> "Services":
    """In a worker: nothing that was opened before the fork can be used in it."""
    from chatcore import serving
    from chatcore.bootstrap import open_services

    return open_services(settings, run_blocking=serving.run_in_threadpool)


def _program(svc: "Services") -> "Program":
    from chatcore.bootstrap import make_application
    from chatcore.serving import Program

    return Program(make_application(svc), stop=svc.hub.stop, close=svc.storage.close)


@contextmanager
def alone_on(database: str) -> Iterator[None]:
    """Keep other servers away from a SQLite file: two would not hear of each other's messages at once.

    The lock is on a file beside it and ends with the process, however that ends. Commands do not ask for it.
    """
    path = sqlite_file(database)
    if path is None or not path.parent.is_dir():
        yield
        return
    lock = path.with_name(f"{path.name}-serving")
    try:
        descriptor = os.open(lock, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise NotReady(f"{lock} cannot be written: {error.strerror}") from error
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            other = os.read(descriptor, 20).decode(errors="replace").strip() or "unknown"
            raise Failure(
                f"Another server (process {other}) serves {path} already: stop it, or use another database."
            ) from None
        os.truncate(descriptor, 0)
        os.write(descriptor, f"{os.getpid()}\n".encode())
        yield
    finally:
        os.close(descriptor)
