"""`chatcore backup`"""

import os
import sqlite3
from contextlib import closing, suppress
from dataclasses import replace
from pathlib import Path

import click

from chatcore.cli.options import Failure, database_option, settings_of
from chatcore.disk import put_in_place
from chatcore.settings import Settings, describe_database, sqlite_file


@click.command(short_help="Copy the SQLite database.")
@database_option
@click.argument("file", type=click.Path(path_type=Path))
@click.pass_context
def backup(ctx: click.Context, database: str, file: Path) -> None:
    """Copy the SQLite database to the new FILE, which only its owner can read. A server may be running.

    Uploaded files and the secret are in the data folder; copy them separately.
    """
    from chatcore.bootstrap import open_store

    settings = settings_of(ctx, database)
    source = sqlite_file(settings.database_url)
    if source is None:
        raise Failure(
            "PostgreSQL has a program of its own for this: umask 077;"
            f" pg_dump --format=custom --file={file} --dbname='{describe_database(settings.database_url)}'"
        )
    open_store(settings).close()  # SQLite would create an empty database if there is none
    if os.path.lexists(file):
        raise Failure(f"{file} exists already; name another file.")
    unfinished = file.with_name(f"{file.name}.unfinished")
    try:
        unfinished.unlink(missing_ok=True)  # left by an interrupted backup
        _copy(source, unfinished)
        _mark(settings, unfinished)
        put_in_place(unfinished, file)
    except (OSError, sqlite3.Error) as error:
        with suppress(OSError):
            unfinished.unlink()
        raise Failure(f"{file} cannot be written: {getattr(error, 'strerror', None) or error}") from error
    click.echo(f"{file} contains everything up to now, {file.stat().st_size / 2**20:,.1f} MiB")


def _copy(source: Path, target: Path) -> None:
    """Copy one snapshot of a database in WAL mode, without blocking other connections."""
    os.close(os.open(target, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    with closing(sqlite3.connect(source)) as live, closing(sqlite3.connect(target)) as copy:
        live.backup(copy)


def _mark(settings: Settings, copy: Path) -> None:
    """Mark a copy as one, so that a server that opens it makes all clients register anew."""
    from chatcore.bootstrap import open_store

    with closing(open_store(replace(settings, database_url=f"sqlite:///{copy}"))) as storage:
        storage.write(lambda tx: tx.log.disown())
