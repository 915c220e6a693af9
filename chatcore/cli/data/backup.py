"""`chatcore backup` and `chatcore restore`"""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from json import dumps
from pathlib import Path
from typing import TYPE_CHECKING

import click
import msgspec

from chatcore.cli.options import (
    FAILED,
    Failure,
    Number,
    Option,
    database_option,
    json_option,
    organizations_option,
    settings_file_of,
    settings_here,
    settings_of,
)
from chatcore.cli.words import first_of, number_of
from chatcore.domain.characters import cleaned_characters
from chatcore.domain.errors import ChatcoreError
from chatcore.settings import Settings

if TYPE_CHECKING:
    from chatcore.backups.making import Made

OLD_ENDING = ".db"
"""The end of the names of earlier backups, which were copies of a SQLite database."""


@click.command(short_help="Back up the database and all files.")
@database_option
@organizations_option
@click.option("--keep", cls=Option, type=Number(min=1), metavar="N",
              help="Remove all but the newest N backups afterwards.")  # fmt: skip
@click.option("--passphrase-file", cls=Option, type=click.Path(path_type=Path), metavar="FILE",
              help="Include the secret and the settings file, encrypted with its first line.")  # fmt: skip
@click.option("--check", cls=Option, is_flag=True,
              help="Make no backup, but read all those in the folder again.")  # fmt: skip
@json_option("Print a line of JSON for each organization.")
@click.argument("folder", type=click.Path(path_type=Path))
@click.pass_context
def backup(
    ctx: click.Context,
    database: str,
    organizations: str | None,
    keep: int | None,
    passphrase_file: Path | None,
    check: bool,
    json: bool,
    folder: Path,
) -> None:
    """Back up the database and the uploaded files to FOLDER, while a server may be running.

    Each backup is a folder in FOLDER, named by its time. Files are copied once, for all backups. The secret
    is left out, unless there is a passphrase. Of several organizations, each has a folder in FOLDER, named by
    its host. 'chatcore restore' restores a backup.
    """
    from chatcore.backups.sealing import read_passphrase

    if folder.suffix == OLD_ENDING or folder.is_file():
        raise Failure(
            f"a backup is a folder of its own now, not a file: name one for all backups, not {folder}."
        )
    if check:
        ctx.exit(_check_backups(folder, as_json=json))
    passphrase = None if passphrase_file is None else read_passphrase(passphrase_file)
    settings = settings_here(ctx, database, organizations)
    file_of = partial(settings_file_of, ctx, is_one_of_several=bool(settings.organizations))
    if not settings.organizations:
        _back_up(settings, folder, file_of(settings), keep, passphrase, as_json=json)
        return
    failed: list[str] = []
    for organization in settings.organizations:
        try:
            _back_up(
                organization,
                folder / organization.host,
                file_of(organization),
                keep,
                passphrase,
                as_json=json,
            )
        except (Failure, ChatcoreError) as error:  # the others are backed up nevertheless
            failed.append(f"{organization.host}: {error}")
    if failed:
        raise Failure("; ".join(failed))


def _back_up(
    settings: Settings,
    folder: Path,
    settings_file: Path,
    keep: int | None,
    passphrase: bytes | None,
    *,
    as_json: bool,
) -> None:
    from chatcore.backups.making import Passphrase, make_backup

    sealing = None
    with _report_failures(folder):
        if passphrase is not None:
            text = settings_file.read_text("utf-8-sig") if settings_file.exists() else ""
            sealing = Passphrase(passphrase, text)
        made = make_backup(settings, folder, keep=keep, passphrase=sealing)
    _print_made(made, has_secret=passphrase is not None, as_json=as_json)
    if made.damage:
        raise Failure(
            f"{made.path} is made, but no file that only old ones had was removed: some cannot be read,"
            f" and may name it. Remove each of these: {'; '.join(made.damage)}."
        )


def _print_made(made: "Made", *, has_secret: bool, as_json: bool) -> None:
    counts = made.manifest.counts
    if as_json:
        click.echo(
            dumps(
                {
                    "backup": str(made.path),
                    "organization": made.manifest.organization,
                    **msgspec.to_builtins(counts),
                    "new_files": made.new_files,
                    "new_bytes": made.new_bytes,
                    "removed_backups": made.removed,
                    "has_secret": has_secret,
                }
            )
        )
        return
    messages = number_of(counts.messages, "message", "messages")
    files = number_of(counts.files, "file", "files")
    click.echo(
        f"{made.path} has {messages} and {files}, {made.new_files:,} of them new;"
        f" {made.new_bytes / 2**20:,.1f} MiB were written"
    )
    if counts.missing_files:
        missing = number_of(counts.missing_files, "file is", "files are")
        click.echo(
            f"{missing} not there: removed meanwhile, or lost; 'chatcore check --deep' names lost ones"
        )
    if made.removed:
        click.echo(f"{number_of(made.removed, 'older backup was', 'older backups were')} removed")
    if not has_secret:
        click.echo("The secret is not in it: keep a copy of it elsewhere, or name a --passphrase-file")


def _check_backups(folder: Path, *, as_json: bool) -> int:
    """Print what is wrong with the backups in a folder; return the exit code."""
    from chatcore.backups.checking import find_problems
    from chatcore.backups.folder import folders_in

    with _report_failures(folder):
        found = folders_in(folder)
        problems = [problem for backups in found for problem in find_problems(backups)]
        number = sum(len(backups.backups()) for backups in found)
    if as_json:
        click.echo(dumps({"backups": number, "problems": problems}))
        return FAILED if problems else 0
    for problem in problems:
        click.echo(f"FAILED  {cleaned_characters(problem)}")
    if not problems:
        click.echo(f"{number_of(number, 'backup is', 'backups are')} whole")
    return FAILED if problems else 0


@click.command(short_help="Restore a backup into an empty database.")
@database_option
@click.option("--passphrase-file", cls=Option, type=click.Path(path_type=Path), metavar="FILE",
              help="Restore the secret as well, with the passphrase of the backup.")  # fmt: skip
@click.option("--without-secret", is_flag=True,
              help="Restore the rest of a backup whose passphrase is not known.")  # fmt: skip
@click.argument("backup", type=click.Path(path_type=Path))
@click.pass_context
def restore(
    ctx: click.Context, database: str, passphrase_file: Path | None, without_secret: bool, backup: Path
) -> None:
    """Restore the newest backup in a folder, or the one at BACKUP, into an empty database and an empty place
    of files: those that 'chatcore serve' would use here. No server may be running. A backup with the secret
    needs --passphrase-file, unless the secret is here already.

    Afterwards all clients register anew, and new ids of messages are far above those in use before.
    """
    from chatcore.backups.restoring import restore_backup
    from chatcore.backups.sealing import read_passphrase

    if passphrase_file is not None and without_secret:
        raise click.UsageError("--without-secret cannot be combined with --passphrase-file")
    settings = settings_of(ctx, database)
    passphrase = None if passphrase_file is None else read_passphrase(passphrase_file)
    with _report_failures(backup):
        done = restore_backup(settings, backup, passphrase=passphrase, without_secret=without_secret)
    counts = done.manifest.counts
    name = cleaned_characters(done.manifest.organization)
    messages = number_of(counts.messages, "message", "messages")
    people = number_of(counts.people, "person", "people")
    files = number_of(counts.files, "file", "files")
    click.echo(f"'{name}' is restored from {done.path}: {messages}, {people}, {files}")
    if done.settings_file is not None:
        click.echo(f"The settings file of the backup is {done.settings_file}; read it before you use it")
    if done.secret_problem is not None:
        click.echo(f"Before 'chatcore serve': {done.secret_problem}")
    if done.lost:
        lost = number_of(len(done.lost), "file", "files")
        raise Failure(f"restored, but for {lost} that the backup lacks: {first_of(done.lost)}.")


@contextmanager
def _report_failures(folder: Path) -> Iterator[None]:
    """Report what stands in the way of a backup as a failure of the command."""
    from chatcore.backups.manifest import BadBackup
    from chatcore.storage.copies import CannotCopy

    try:
        yield
    except (BadBackup, CannotCopy) as error:
        raise Failure(f"{error}.") from error
    except OSError as error:
        raise Failure(f"{error.filename or folder} cannot be used: {error.strerror or error}.") from error
