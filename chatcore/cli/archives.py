"""`chatcore export`"""

import os
from contextlib import suppress
from pathlib import Path

import click

from chatcore.cli.imports import Progress
from chatcore.cli.opening import counted, organization
from chatcore.cli.options import Failure, database_option, settings_of


@click.command()
@database_option
@click.argument("file", type=click.Path(path_type=Path))
@click.pass_context
def export(ctx: click.Context, database: str, file: Path) -> None:
    """Write the whole organization to the new FILE, which only its owner can read. A server may be running.

    The archive has messages, files and settings of all people, and no passwords or API keys. 'chatcore import
    archive' restores it, on either database.
    """
    from chatcore.application.archives.writing import write_archive

    if os.path.lexists(file):
        raise Failure(f"{file} exists already; name another file.")
    unfinished = file.with_name(f"{file.name}.unfinished")
    with organization(settings_of(ctx, database)) as svc:
        try:
            unfinished.unlink(missing_ok=True)  # left by an interrupted export
            descriptor = os.open(unfinished, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
            with os.fdopen(descriptor, "wb") as out, Progress(None, "Exporting") as progress:
                manifest = write_archive(svc, out, progress=progress.reach)
                out.flush()
                os.fsync(out.fileno())
            unfinished.rename(file)
            _sync(file.absolute().parent)
        except OSError as error:
            _discard(unfinished)
            raise Failure(f"{file} cannot be written: {error.strerror or error}") from error
        except BaseException:
            _discard(unfinished)
            raise
    messages = counted(manifest.tables["message"].rows, "message", "messages")
    click.echo(f"{file} contains {messages} and everything else, {file.stat().st_size / 2**20:,.1f} MiB")


def _discard(unfinished: Path) -> None:
    with suppress(OSError):
        unfinished.unlink()


def _sync(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
