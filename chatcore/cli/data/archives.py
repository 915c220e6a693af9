"""`chatcore export`"""

from pathlib import Path

import click

from chatcore.cli.data.imports import ProgressBar
from chatcore.cli.opening import opened_organization
from chatcore.cli.options import Failure, database_option
from chatcore.cli.words import number_of


@click.command(short_help="Write the organization to an archive.")
@database_option
@click.argument("file", type=click.Path(path_type=Path))
@click.pass_context
def export(ctx: click.Context, database: str, file: Path) -> None:
    """Write the whole organization to the new FILE, which only its owner can read. A server may be running.

    The archive has messages, files and settings of all people, and no passwords or API keys. 'chatcore import
    archive' restores it, on either database.
    """
    from chatcore.application.archives.to_file import export_to_file

    with opened_organization(ctx, database) as svc:
        try:
            with ProgressBar(None, "Exporting") as progress:
                done = export_to_file(svc, file, progress=progress.reach)
        except FileExistsError as error:
            raise Failure(f"{file} exists already; name another file.") from error
        except OSError as error:
            raise Failure(f"{file} cannot be written: {error.strerror or error}") from error
    messages = number_of(done.messages, "message", "messages")
    click.echo(f"{file} contains {messages} and everything else, {done.size / 2**20:,.1f} MiB")
    if done.problem is not None:
        raise Failure(
            f"{file} cannot be restored as it is: {done.problem}. Keep a backup of the database, too."
        )
