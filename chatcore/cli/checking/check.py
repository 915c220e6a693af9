"""`chatcore check`"""

import os
import shutil
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, closing
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from json import dumps
from pathlib import Path
from typing import TYPE_CHECKING

import click

from chatcore.cli.checking.deep import Examine, deep_checks
from chatcore.cli.checking.outside import SECONDS, Problem, checks_of, now, within
from chatcore.cli.options import (
    FAILED,
    NOT_READY,
    WRONG_USAGE,
    Option,
    database_option,
    json_option,
    organizations_option,
    secret_file_of,
    settings_here,
)
from chatcore.cli.words import first_of, number_of
from chatcore.settings import BadSetting, Settings, describe_database, sqlite_file

if TYPE_CHECKING:
    from chatcore.storage import Storage, Store

MIN_FREE_BYTES = 2**30
"""Bytes that should be free on the disk of the data."""


@dataclass(frozen=True, slots=True)
class Finding:
    """The result of a check."""

    name: str
    ok: bool
    text: str
    code: int
    """The exit code of a command with this finding alone."""


@click.command(short_help="Check the database, the secret, the disk, and what they need.")
@database_option
@organizations_option
@click.option("--deep", cls=Option, is_flag=True,
              help="Compare all messages, files and counts with each other, too.")  # fmt: skip
@click.option("--repair", cls=Option, is_flag=True,
              help="With --deep: make anew what is wrong, if it follows from other rows.")  # fmt: skip
@json_option("Print the findings as JSON.")
@click.pass_context
def check(
    ctx: click.Context, database: str, organizations: str | None, deep: bool, repair: bool, json: bool
) -> None:
    """Check the requirements of a server: the database and its tables, the secret, the disk; and as far as
    they are set, the bucket, the mail server, the certificate of the address, the replica, the clock and the
    login services.

    Without --repair, nothing is changed; a bucket gets a small object, which is removed again, and the mail
    server no mail. A server may be running. The exit code is 0 if all checks pass, 2 if an organization has
    wrong settings, 3 if a database cannot be used, else 1.
    """
    if repair and not deep:
        raise click.UsageError("--repair needs --deep")
    deeper = deep_checks(repair=repair) if deep else {}
    settings = settings_here(ctx, database, organizations)
    code, reports = 0, []
    for organization in settings.organizations or (settings,):
        where = describe_database(organization.database_url)
        if settings.organizations and not json:
            click.echo(f"{organization.host}: {where}")
        findings = []
        is_one_of_several = bool(settings.organizations)
        secret_file = secret_file_of(ctx, organization, is_one_of_several=is_one_of_several)
        for finding in _run_checks(organization, secret_file, deeper, is_one_of_several=is_one_of_several):
            findings.append(finding)
            code = max(code, finding.code)
            if not json:
                click.echo(f"{finding.name:<10} {'ok    ' if finding.ok else 'FAILED'}  {finding.text}")
        reports.append({"host": organization.host, "database": where, "checks": [*map(_as_json, findings)]})
    if json:
        click.echo(dumps(reports))
    ctx.exit(code)


def _as_json(finding: Finding) -> dict[str, object]:
    return {"name": finding.name, "ok": finding.ok, "text": finding.text}


def _run_checks(
    settings: Settings,
    secret_file: Path | None,
    deeper: Mapping[str, Examine],
    *,
    is_one_of_several: bool,
) -> Iterator[Finding]:
    """Check an organization, whose settings may name a *secret_file*; *deeper* are checks besides the usual.

    :raises BadSetting, BadDatabaseUrl: wrong settings, unless it *is one of several*
    """
    from chatcore.storage import BadDatabaseUrl, StorageNotReady

    with ExitStack() as stack:
        database = _OpenedOnce(settings, stack)
        checks: list[tuple[str, Callable[[], str], int]] = [
            ("database", lambda: _check_database(settings, database.open()), NOT_READY),
            ("roles", lambda: _check_roles(database.opened()), FAILED),
            ("archive", lambda: _check_archive(database.opened()), FAILED),
            ("retention", lambda: _check_retention(database.opened()), FAILED),
            ("secret", lambda: _check_secret(settings, secret_file, database), FAILED),
            ("disk", lambda: _check_disk(settings), FAILED),
        ]
        if (archive := settings.retention_archive) is not None:
            checks.append(("deleted", lambda: f"written into {_writable_part(archive)}", FAILED))
        for name, look in checks_of(settings).items():
            checks.append((name, partial(within, SECONDS, partial(look, settings)), FAILED))
        for name, examine in deeper.items():
            checks.append((name, partial(_examine_all, examine, settings, database), FAILED))
        for name, run, failed in checks:
            try:
                yield Finding(name, ok=True, text=run(), code=0)
            except (Problem, StorageNotReady) as problem:
                yield Finding(name, ok=False, text=str(problem), code=failed)
            except (BadSetting, BadDatabaseUrl) as error:
                if not is_one_of_several:
                    raise
                yield Finding(name, ok=False, text=str(error), code=WRONG_USAGE)
                return


class _OpenedOnce:
    """The database of an organization, which is opened once for all checks and closed with the *stack*."""

    def __init__(self, settings: Settings, stack: ExitStack) -> None:
        self._settings = settings
        self._stack = stack
        self._store: Store | None = None

    def open(self) -> "Store":
        """Open the database.

        :raises StorageNotReady, BadDatabaseUrl: as `open_store` does
        """
        from chatcore.bootstrap import open_store

        self._store = self._stack.enter_context(closing(open_store(self._settings)))
        return self._store

    def opened(self) -> "Store":
        """Return the database.

        :raises Problem: it could not be opened
        """
        if self._store is None:
            raise Problem("cannot be checked without the database")
        return self._store


def _check_database(settings: Settings, storage: "Storage") -> str:
    from chatcore.bootstrap import require_organization

    name = require_organization(settings, storage).name
    users, newest = storage.read(lambda snapshot: (snapshot.users.all(), snapshot.messages.newest_id()))
    file = sqlite_file(settings.database_url)
    if file is not None and file.stat().st_mode & 0o077:
        raise Problem(f"others on this machine can read {file}; run: chmod 600 {file}*")
    bots = sum(user.is_bot for user in users)
    accounts = f"{number_of(len(users) - bots, 'person', 'people')} and {number_of(bots, 'bot', 'bots')}"
    return (
        f"'{name}', up to date, {accounts}"
        + (", no messages yet" if newest is None else "")
        + _hint_of_backups(settings)
    )


def _hint_of_backups(settings: Settings) -> str:
    """Return what an administrator should know about a database that can be used."""
    is_postgresql = settings.database_url.startswith(("postgresql:", "postgres:"))
    if is_postgresql and shutil.which("pg_dump") is None:
        return "; 'chatcore backup' needs pg_dump, which is not here (Debian: postgresql-client)"
    return ""


def _check_roles(storage: "Storage") -> str:
    from chatcore.domain.people.bot_roles import bots_above_owners

    users = storage.read(lambda snapshot: snapshot.users.all())
    if above := [f"{bot.email} (now {bot.role.name.lower()})" for bot, _ in bots_above_owners(users)]:
        raise Problem(
            f"{number_of(len(above), 'bot has', 'bots have')} a role above the owner's: {first_of(above)};"
            " lower them by 'chatcore user role', and renew their keys by 'chatcore user new-key'"
        )
    return "no bot is above its owner"


def _check_archive(storage: "Storage") -> str:
    """Apply the rules of an import to all rows."""
    from chatcore.application.archives.rows import find_problem

    has_organization, problem = storage.read(
        lambda snapshot: (snapshot.organization.find() is not None, find_problem(snapshot))
    )
    if not has_organization:
        raise Problem("there is no organization to export")
    if problem is not None:
        raise Problem(f"an archive of 'chatcore export' could not be restored: {problem}")
    return "an export can be restored"


def _check_retention(storage: "Storage") -> str:
    from chatcore.application.retention.scopes import scopes_in
    from chatcore.domain.retention.due import is_clock_proven

    organization, marks = storage.read(
        lambda snapshot: (snapshot.organization.find(), snapshot.retention.marks())
    )
    if organization is None or not storage.read(scopes_in):
        return "all messages are kept"
    at = int(now())
    if is_clock_proven(marks, at):
        return "old messages are deleted"
    return f"old messages wait: nothing proves that the clock is right, {datetime.fromtimestamp(at, UTC)}"


def _check_secret(settings: Settings, file: Path | None, database: _OpenedOnce) -> str:
    from chatcore.application.units import find_organization
    from chatcore.data_folder import SECRET_FILE, data_dir, require_private, secret_for

    if settings.secret_key:
        where = "from the settings" if file is None else str(file)
    else:
        where = str(data_dir(settings) / SECRET_FILE)
    try:
        if file is not None:
            require_private(file)
        organization = find_organization(database.opened())
        if organization is None:
            return f"{where}, made by 'chatcore init' if need be"
        secret_for(settings, organization)
    except (BadSetting, OSError) as error:
        raise Problem(str(error)) from error
    return where


def _examine_all(examine: Examine, settings: Settings, database: _OpenedOnce) -> str:
    """Run an examination of the whole content; return what it repaired, raise what it could not repair."""
    from chatcore.storage import StorageNotReady

    try:
        found = examine(settings, database.opened())
    except StorageNotReady as error:
        raise Problem(f"cannot be checked: {error}") from error
    repaired = [f"repaired: {problem}" for problem in found.repaired]
    if found.problems:
        raise Problem("; ".join([*repaired, *found.problems]))
    return "; ".join([*repaired, "all fit together"])


def _writable_part(folder: Path) -> Path:
    """Return that part of a path which is a folder already.

    :raises Problem: nothing can be written there
    """
    folder = folder.absolute()
    while not os.path.exists(folder):  # unlike that of a Path, no error if this user cannot enter the folder
        folder = folder.parent
    if not folder.is_dir() or not os.access(folder, os.W_OK):
        raise Problem(f"{folder} cannot be written to by this user")
    return folder


def _check_disk(settings: Settings) -> str:
    from chatcore.data_folder import data_dir

    folder = _writable_part(data_dir(settings))
    free = shutil.disk_usage(folder).free
    if free < MIN_FREE_BYTES:
        raise Problem(f"only {free / 2**20:,.0f} MiB are free in {folder}; make room")
    return f"{free / 2**30:,.1f} GiB free in {folder}"
