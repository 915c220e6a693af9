"""`chatcore export`"""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from chatcore.cli.data.imports import ProgressBar
from chatcore.cli.opening import opened_organization
from chatcore.cli.options import Failure, database_option
from chatcore.cli.words import number_of

if TYPE_CHECKING:
    from chatcore.application.archives.to_file import Exported
    from chatcore.application.services import Services


@click.command(short_help="Write the organization to an archive.")
@database_option
@click.argument("file", type=click.Path(path_type=Path))
@click.pass_context
def export(ctx: click.Context, database: str, file: Path) -> None:
    """Write the whole organization to the new FILE, which only its owner can read. A server may be running.

    The archive has messages, files and settings of all people, and no passwords or API keys. 'chatcore import
    archive' restores it, on either database.
    """
    with opened_organization(ctx, database) as svc:
        done = export_with_progress(svc, file)
    messages = number_of(done.messages, "message", "messages")
    click.echo(f"{file} contains {messages} and everything else, {done.size / 2**20:,.1f} MiB")
    if done.problem is not None:
        raise Failure(
            f"{file} cannot be restored as it is: {done.problem}. Keep a backup of the database, too."
        )


def export_with_progress(svc: "Services", file: Path, *, person: int | None = None) -> "Exported":
    """Write the organization, or the data of one person, to a new file, and show the progress.

    :raises Failure: the file exists already, or cannot be written
    """
    from chatcore.application.archives.to_file import export_to_file

    try:
        with ProgressBar(None, "Exporting") as progress:
            return export_to_file(svc, file, person=person, progress=progress.reach)
    except FileExistsError as error:
        raise Failure(f"{file} exists already; name another file.") from error
    except OSError as error:
        raise Failure(f"{file} cannot be written: {error.strerror or error}") from error
