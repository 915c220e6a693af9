"""`chatcore migrate`"""

from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from json import dumps

import click

from chatcore.cli.options import NOT_READY, database_option, json_option, organizations_option, settings_here
from chatcore.cli.words import number_of
from chatcore.settings import Settings, describe_database


@dataclass(frozen=True)
class Report:
    """The result of bringing a database up to date, or of looking at what is to be done."""

    pending: Sequence[str] = ()
    applied: Mapping[str, float] = field(default_factory=dict)
    """The migrations that were applied, with the seconds that each took."""
    problem: str | None = None
    """The reason why the database cannot be used."""

    @property
    def is_ready(self) -> bool:
        return self.problem is None and not self.pending

    def __str__(self) -> str:
        if self.pending:
            count = number_of(len(self.pending), "migration is", "migrations are")
            return f"{count} pending: {', '.join(self.pending)}"
        if not self.applied:
            return "The database is up to date."
        count = number_of(len(self.applied), "migration was", "migrations were")
        return f"{count} applied in {sum(self.applied.values()):.1f} s. The database is up to date."


@click.command(short_help="Bring the database up to date.")
@database_option
@organizations_option
@click.option("--check", is_flag=True, help="Change nothing, and only say which migrations are pending.")
@json_option("Print an array with an object for each organization.")
@click.pass_context
def migrate(ctx: click.Context, database: str, organizations: str | None, check: bool, json: bool) -> None:
    """Bring the database of an older version up to date, as 'chatcore serve' does when it starts.

    The exit code is 0 if the database is up to date now, 3 if it cannot be used, or if migrations are pending
    with --check.
    """
    settings = settings_here(ctx, database, organizations)
    reports = []
    is_ready = True
    for organization in settings.organizations or (settings,):
        where = describe_database(organization.database_url)
        if settings.organizations and not json:
            click.echo(f"{organization.host}: {where}")
        report = _migrate_or_check(organization, only_check=check, is_quiet=json)
        is_ready = is_ready and report.is_ready
        reports.append(
            {
                "host": organization.host,
                "database": where,
                "pending": report.pending,
                "applied": [
                    {"name": name, "seconds": round(seconds, 3)} for name, seconds in report.applied.items()
                ],
                "problem": report.problem,
            }
        )
        if not json:
            failed = report.problem is not None
            click.echo(f"Error: {report.problem}" if failed else str(report), err=failed)
    if json:
        click.echo(dumps(reports))
    ctx.exit(0 if is_ready else NOT_READY)


def _migrate_or_check(settings: Settings, *, only_check: bool, is_quiet: bool) -> Report:
    """Migrate a database, or only look at it; unless *is_quiet*, print a line for each migration."""
    from chatcore.bootstrap import store_at
    from chatcore.storage import StorageNotReady

    applied: dict[str, float] = {}

    def note(name: str, seconds: float) -> None:
        applied[name] = seconds
        if not is_quiet:
            click.echo(f"{name:<40} {seconds:>8.2f} s")

    with closing(store_at(settings.database_url)) as storage:
        try:
            pending = storage.pending()
            if only_check:
                return Report(pending=pending)
            if pending:
                storage.migrate(note)
        except StorageNotReady as error:
            return Report(problem=str(error))
    return Report(applied=applied)
