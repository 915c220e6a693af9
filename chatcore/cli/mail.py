"""`chatcore mail`"""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from chatcore.cli.options import Failure, Number, Option, database_option, organizations_option, settings_for

if TYPE_CHECKING:
    from chatcore.settings import Settings
    from chatcore.sites import Sites


@click.group()
def mail() -> None:
    """Take mail for the e-mail addresses of channels."""


@mail.command()
@click.argument("address")
@database_option
@organizations_option
@click.pass_context
def receive(ctx: click.Context, address: str, database: str, organizations: str | None) -> None:
    """Post the mail on standard input in the channel with the e-mail address ADDRESS.

    For a mail server that hands over each mail to a command. Exit codes are those that mail servers know: 67
    for an unknown address, 69 for a mail that is refused, 75 if the mail server should try again later.
    """
    from chatcore.application.received_mail.outcomes import LATER, DeliveryOutcome, outcome_of_mail
    from chatcore.domain.limits import Limits
    from chatcore.storage import StorageNotReady

    settings = settings_for(ctx, database, organizations)
    try:
        with _open_sites(settings) as sites:
            data = sys.stdin.buffer.read(Limits().max_mail_size + 1)
            result = outcome_of_mail(sites.at, address, data)
    except StorageNotReady:
        result = LATER
    if result.outcome is not DeliveryOutcome.TAKEN:
        click.echo(f"Error: {result.reason}", err=True)
        ctx.exit(result.outcome.exit_code)


@mail.command()
@database_option
@organizations_option
@click.option("--host", cls=Option, default="127.0.0.1", show_default=True,
              help="The address to listen on; only the mail server should reach it.")  # fmt: skip
@click.option("--port", cls=Option, type=Number(0, 65_535), default=8024, show_default=True,
              help="The port; 0 chooses a free one.")  # fmt: skip
@click.pass_context
def serve(ctx: click.Context, database: str, organizations: str | None, host: str, port: int) -> None:
    """Take mail over LMTP from a mail server, until Ctrl-C or SIGTERM.

    It runs beside 'chatcore serve', or any other server of the organization.
    """
    try:
        from chatcore.cli.lmtp import serve_lmtp
    except ModuleNotFoundError as error:
        raise Failure(
            "LMTP needs a library; run in the folder of this project: pip install '.[mail]'"
        ) from error
    from chatcore.domain.limits import Limits
    from chatcore.http import logs
    from chatcore.serving.streams import written_by_threads

    settings = settings_for(ctx, database, organizations)
    logs.set_up(settings)
    with written_by_threads(), _open_sites(settings) as sites:
        sites.keep_opening()
        serve_lmtp(
            sites.at,
            Limits().max_mail_size,
            host,
            port,
            on_listening=lambda where: click.echo(f"Taking mail at {where}"),
        )


@contextmanager
def _open_sites(settings: "Settings") -> "Iterator[Sites]":
    from chatcore.bootstrap import open_sites

    sites = open_sites(settings)
    try:
        yield sites
    finally:
        sites.stop()
        sites.close()
