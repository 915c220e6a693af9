"""`chatcore serve`"""

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from functools import partial
from ipaddress import ip_address
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import click
from click.core import ParameterSource

from chatcore.cli.alone import Alone
from chatcore.cli.options import (
    Number,
    Option,
    database_option,
    is_chosen,
    organizations_option,
    settings_for,
)
from chatcore.settings import Settings, describe_database

if TYPE_CHECKING:
    from chatcore.demo import Demo
    from chatcore.serving import Program
    from chatcore.sites import Sites

DEMO_DATABASE = "sqlite:///var/demo.db"
DEMO_MAIL_FOLDER = Path("var/mail")
ANYWHERE = ("0.0.0.0", "::")


@click.command(short_help="Serve the organization over HTTP.")
@database_option
@click.option("--host", cls=Option, envvar="CHATCORE_HOST", default="127.0.0.1", show_default=True,
              help="The address to listen on; 0.0.0.0 is all addresses of this machine.")  # fmt: skip
@click.option("--port", cls=Option, envvar="CHATCORE_PORT", type=Number(0, 65_535), default=9991,
              show_default=True, help="The port; 0 chooses a free one.")  # fmt: skip
@click.option("--workers", cls=Option, envvar="CHATCORE_WORKERS", type=Number(1, 256), default=1,
              show_default=True, help="Worker processes; more than one needs PostgreSQL.")  # fmt: skip
@organizations_option
@click.option("--strict", cls=Option, envvar="CHATCORE_STRICT", is_flag=True,
              help="Do not start if one of several organizations cannot be used.")  # fmt: skip
@click.option("--demo", cls=Option, envvar="CHATCORE_DEMO", is_flag=True,
              help=f"Serve a demo organization in {DEMO_DATABASE}, in which anybody can log in.")  # fmt: skip
@click.option("--anybody", is_flag=True,
              help="Let clients on other machines log in to the demo.")  # fmt: skip
@click.pass_context
def serve(
    ctx: click.Context,
    database: str,
    host: str,
    port: int,
    workers: int,
    organizations: str | None,
    strict: bool,
    demo: bool,
    anybody: bool,
) -> None:
    """Serve the organization in the database over HTTP until Ctrl-C or SIGTERM.

    A database of an older version is brought up to date first; one of a newer version is refused. A socket
    that a service manager passes (LISTEN_FDS) takes the place of host and port. Of several organizations, one
    that cannot be used stops no other, and is tried again.
    """
    database_given = ctx.get_parameter_source("database") is not ParameterSource.DEFAULT
    if demo and (organizations is not None or is_chosen(ctx)):
        raise click.UsageError("--organizations and --organization cannot be combined with --demo")
    from chatcore import serving

    passed = serving.passed_listener()
    if passed is not None:
        host, port = passed.address
    if demo and not anybody and not _is_this_machine(host):
        raise click.UsageError(
            f"Anybody who can reach {host} could log in to the demo without a password."
            " Use --anybody to allow that, or leave out --host."
        )
    if demo and not database_given:
        database = DEMO_DATABASE
        Path("var").mkdir(mode=0o700, exist_ok=True)
    settings = settings_for(ctx, database, organizations)
    if not settings.organizations:
        if settings.url_is_a_guess:
            settings = replace(settings, external_url=address(host, port))
        settings = replace(settings, development=settings.development or demo)
        if demo and not settings.sends_mail:
            settings = replace(settings, mail_folder=DEMO_MAIL_FOLDER)
    served = settings.organizations or (settings,)
    on_sqlite = [one.database_url.startswith("sqlite:") for one in served]
    if workers > 1 and any(on_sqlite):
        raise click.UsageError(
            "SQLite supports only one worker; for several use PostgreSQL:"
            " --database postgresql://user@host/name"
        )

    serving.patch()  # before any other import
    if all(on_sqlite):
        # peewee imports the driver of PostgreSQL (9 MB) wherever it is installed.
        sys.modules["psycopg"] = None  # type: ignore[assignment]
    from chatcore.http import logs

    logs.set_up(settings)
    with ExitStack() as locks:
        sites, shown_demo = _open_sites(settings, Alone(locks), demo=demo, strict=strict)
        problems = {one.host: sites.problem_at(one.host) for one in settings.organizations}

        def listening(host: str, port: int) -> None:
            where = address(host, port)
            if shown_demo is not None:
                from chatcore.demo import introduce

                click.echo(introduce(shown_demo, where))
            else:
                for organization in settings.organizations:
                    state = describe_database(organization.database_url)
                    if (problem := problems[organization.host]) is not None:
                        state = f"CANNOT BE USED, is tried again: {problem}"
                    click.echo(f"{organization.host}: {state}")
                what = (
                    f"{len(served)} organizations"
                    if settings.organizations
                    else describe_database(settings.database_url)
                )
                click.echo(f"Serving {what} at {where} (Ctrl-C stops it)")
            if settings.url_is_a_guess and host in ANYWHERE:
                click.echo("If clients use a host name, set CHATCORE_EXTERNAL_URL to the address they use.")

        if workers == 1:
            serving.serve(lambda: _start_program(sites), host, port, passed=passed, on_listening=listening)
        else:
            sites.close()
            with _share_metrics(settings) as forget_process:
                serving.serve(
                    lambda: _start_program(_open_again(settings, strict=strict)),
                    host,
                    port,
                    passed=passed,
                    workers=workers,
                    on_listening=listening,
                    on_worker_ended=forget_process,
                )


def _is_this_machine(host: str) -> bool:
    """Whether only programs of this machine reach a server that listens on the host."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def address(host: str, port: int) -> str:
    """Return the address of a server that listens on host and port."""
    if host in ANYWHERE:
        host = "127.0.0.1"
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def _open_sites(settings: Settings, alone: Alone, *, demo: bool, strict: bool) -> "tuple[Sites, Demo | None]":
    """Open the organizations, or set up the demo."""
    from chatcore import serving
    from chatcore.bootstrap import keep_remarks_out_of_the_log, make_application, open_services, open_sites

    if not demo:
        may_wait = bool(settings.organizations) and not strict
        sites = open_sites(
            settings,
            migrate=True,
            strict=strict,
            prepare=alone.take_one_of_several if may_wait else lambda one: alone.take(one.database_url),
            run_blocking=serving.run_in_threadpool,
            wait_for_socket=serving.wait_for_socket,
        )
        return sites, None

    alone.take(settings.database_url, may_be_missing=True)
    from chatcore.chat import Chat
    from chatcore.demo import set_up
    from chatcore.sites import Sites

    keep_remarks_out_of_the_log()
    svc = open_services(
        settings,
        migrate=True,
        may_be_empty=True,
        run_blocking=serving.run_in_threadpool,
        wait_for_socket=serving.wait_for_socket,
    )
    try:
        return Sites(settings, elsewhere=svc), set_up(Chat(svc, make_application))
    except BaseException:
        svc.storage.close()
        raise


def _open_again(settings: Settings, *, strict: bool) -> "Sites":
    """Open everything again in a worker, which cannot use what was opened before the fork. Only the database
    of one of several organizations is migrated, which could not be opened before and may be older.
    """
    from chatcore import serving
    from chatcore.bootstrap import open_sites

    return open_sites(
        settings,
        migrate=bool(settings.organizations),
        strict=strict,
        run_blocking=serving.run_in_threadpool,
        wait_for_socket=serving.wait_for_socket,
    )


def _start_program(sites: "Sites") -> "Program":
    from chatcore.serving import Program
    from chatcore.storage.slices import give_way

    sites.start()
    return Program(sites.application(), sites.stop, sites.close, sites.connections_per_address, give_way)


@contextmanager
def _share_metrics(settings: Settings) -> "Iterator[Callable[[int], object]]":
    """Provide a folder in which several workers keep their metrics until the server stops.

    Yield a function to be called when a worker has ended.
    """
    if not settings.metrics_token:
        yield lambda pid: None
        return
    with TemporaryDirectory(prefix="chatcore-metrics-") as folder:
        # This precedes any import of the library, which reads the variable then.
        os.environ["PROMETHEUS_MULTIPROC_DIR"] = folder  # noqa: TID251 - this is an entry point
        from chatcore.http.metrics import forget_process

        yield partial(forget_process, Path(folder))
