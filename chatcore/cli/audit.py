"""`chatcore audit`"""

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from itertools import islice
from json import dumps
from typing import TYPE_CHECKING, Any

import click

from chatcore.cli.opening import opened_organization
from chatcore.cli.options import Number, Option, database_option, json_option
from chatcore.cli.people.accounts import account_of

if TYPE_CHECKING:
    from chatcore.domain.ids import UserId
    from chatcore.domain.organization.audit import AuditEntry
    from chatcore.domain.people.users import User
    from chatcore.events.payloads.organization import AuditEntryObject

CONSOLE = "console"
"""The actor that all commands are, also those that act as an account."""


class Time(click.DateTime):
    """A day or a time in the form of ISO 8601, in UTC unless it says otherwise."""

    name = "time"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> datetime:
        try:
            time = value if isinstance(value, datetime) else datetime.fromisoformat(value)
        except ValueError:
            form = f"'{value}' is no time; use 2026-11-27 or 2026-11-27T09:30:00."
            raise click.BadParameter(form, ctx, param) from None
        return time if time.tzinfo else time.replace(tzinfo=UTC)


@click.command(short_help="Show who changed what.")
@database_option
@json_option("Print each entry as JSON, in a line.")
@click.option(
    "--since",
    cls=Option,
    type=Time(),
    metavar="TIME",
    help="The earliest time, in UTC.",
)
@click.option(
    "--actor", cls=Option, help=f"The address of the account that has acted, or '{CONSOLE}' for all commands."
)
@click.option("--kind", cls=Option, help="The kind of change, such as 'role_changed'.")
@click.option("--limit", cls=Option, type=Number(min=1), help="The number of entries at most.")
@click.pass_context
def audit(
    ctx: click.Context,
    database: str,
    json: bool,
    since: datetime | None,
    actor: str | None,
    kind: str | None,
    limit: int | None,
) -> None:
    """Print the entries of the audit log, the newest first: who changed what, from where and when.

    A server may be running. An entry has its origin: 'request' with the address and the client, 'console' for
    commands, or 'program'; and the account that acted.
    """
    from chatcore.application.organization.audit import read_audit_log
    from chatcore.domain.organization.audit import AuditFilter, AuditKind, OriginKind
    from chatcore.events.payloads.organization import audit_entry_object

    kinds = {audit_kind.value: audit_kind for audit_kind in AuditKind}
    if kind is not None and kind not in kinds:
        raise click.UsageError(f"There is no kind '{kind}'. The kinds are: {', '.join(kinds)}.")
    wanted = AuditFilter(
        kind=None if kind is None else kinds[kind],
        since=None if since is None else int(since.timestamp()),
    )
    with opened_organization(ctx, database) as svc:
        users = {user.id: user for user in svc.storage.read(lambda snapshot: snapshot.users.all())}
        if actor == CONSOLE:
            wanted = replace(wanted, origin=OriginKind.CONSOLE)
        elif actor is not None:
            wanted = replace(wanted, actor_id=account_of(svc, actor).id)
        for entry in islice(read_audit_log(svc, wanted), limit):
            sent = audit_entry_object(entry)
            click.echo(dumps(sent, ensure_ascii=False) if json else _format_entry(entry, sent, users))


def _format_entry(entry: "AuditEntry", sent: "AuditEntryObject", users: "Mapping[UserId, User]") -> str:
    at = datetime.fromtimestamp(entry.at, UTC).strftime("%Y-%m-%d %H:%M:%SZ")
    origin = " ".join(filter(None, [entry.origin, entry.address, entry.client]))
    who = None
    if entry.actor_id is not None:
        actor = users.get(entry.actor_id)
        who = f"user {entry.actor_id}" if actor is None else actor.email
    what = entry.target_type if entry.target_id is None else f"{entry.target_type} {entry.target_id}"
    before, after = sent["before"], sent["after"]
    changes = [f"{name}: {_shown(before, name)} -> {_shown(after, name)}" for name in {**before, **after}]
    return "  ".join(filter(None, [at, origin, who, entry.kind, what, "; ".join(changes)]))


def _shown(values: Mapping[str, object], name: str) -> str:
    return dumps(values[name], ensure_ascii=False) if name in values else "-"
