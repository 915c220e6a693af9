"""`chatcore retention` and `chatcore hold`"""

from collections.abc import Iterable
from datetime import UTC, datetime
from json import dumps
from typing import TYPE_CHECKING

import click

from chatcore.cli.asking import ask, yes_option
from chatcore.cli.channels import channel_of
from chatcore.cli.opening import acting_owner, opened_organization
from chatcore.cli.options import Failure, Option, database_option, json_option
from chatcore.cli.people.accounts import account_of
from chatcore.cli.words import number_of

if TYPE_CHECKING:
    from chatcore.application.retention.scopes import Amount, RetentionScope
    from chatcore.storage import Snapshot


@click.command(short_help="Delete messages that are older than they are kept.")
@database_option
@json_option("Print what was deleted, or would be, as JSON.")
@click.option("--dry-run", cls=Option, is_flag=True, help="Only say what would be deleted.")
@yes_option
@click.pass_context
def retention(ctx: click.Context, database: str, json: bool, dry_run: bool, yes: bool) -> None:
    """Delete messages that are older than their channel, or else the organization, keeps them, with files
    that no other message links to. A server does it by itself, and may be running.

    Direct messages are kept as the setting 'message_retention_days' of the organization says. What is under a
    legal hold stays. It asks whether the clock is right, unless the organization was served a day ago.
    """
    from chatcore.application import units
    from chatcore.application.retention.deleting import AnotherDeletes, delete_batches, is_proof_missing
    from chatcore.application.retention.estimating import estimate

    with opened_organization(ctx, database) as svc:
        try:
            amounts = _sum_scopes(estimate(svc) if dry_run else delete_batches(svc, at_once=yes))
            if not dry_run and units.read(svc, is_proof_missing):
                now = datetime.fromtimestamp(svc.now, UTC)
                ask(f"The clock says {now:%Y-%m-%d %H:%M} UTC. Delete what is too old by it?", yes=yes)
                amounts = _sum_scopes(delete_batches(svc, at_once=True))
        except AnotherDeletes:
            raise Failure("Another process deletes old messages at present.") from None
    if json:
        click.echo(
            dumps({"dry_run": dry_run, "places": [_as_json(scope, amount) for scope, amount in amounts]})
        )
        return
    would = "would be deleted" if dry_run else "deleted"
    for scope, amount in amounts:
        days = number_of(scope.days, "day", "days")
        click.echo(f"{_name_scope(scope)}, kept for {days}: {_describe_amount(amount)} {would}")
    if not amounts:
        click.echo("Nothing is too old.")


def _sum_scopes(amounts: "Iterable[tuple[RetentionScope, Amount]]") -> "list[tuple[RetentionScope, Amount]]":
    """Return what each scope has in all, for scopes with anything."""
    sums: dict[int | None, tuple[RetentionScope, Amount]] = {}
    for scope, amount in amounts:
        earlier = sums.get(scope.channel_id)
        sums[scope.channel_id] = (scope, amount if earlier is None else earlier[1] + amount)
    return [(scope, amount) for scope, amount in sums.values() if amount.messages]


def _name_scope(scope: "RetentionScope") -> str:
    return "direct messages" if scope.channel is None else f"#{scope.channel.name}"


def _describe_amount(amount: "Amount") -> str:
    files = f"{number_of(amount.files, 'file', 'files')} ({amount.size / 2**20:,.1f} MiB)"
    return f"{number_of(amount.messages, 'message', 'messages')} and {files}"


def _as_json(scope: "RetentionScope", amount: "Amount") -> dict[str, object]:
    return {
        "channel_id": scope.channel_id,
        "channel": None if scope.channel is None else scope.channel.name,
        "days": scope.days,
        "messages": amount.messages,
        "files": amount.files,
        "bytes": amount.size,
    }


@click.group()
def hold() -> None:
    """List, set and lift legal holds, which keep all messages of a person or of a channel."""


USER_OPTION = click.option("--user", cls=Option, metavar="EMAIL", help="The address of the person or bot.")
CHANNEL_OPTION = click.option("--channel", cls=Option, metavar="NAME", help="The channel.")


@hold.command()
@database_option
@USER_OPTION
@CHANNEL_OPTION
@click.option("--reason", cls=Option, required=True, help="Why, in one line, such as the number of a case.")
@click.pass_context
def add(ctx: click.Context, database: str, user: str | None, channel: str | None, reason: str) -> None:
    """Keep all messages of a person, with their direct messages and files, or those of a channel.

    It is set in the name of the owner who has been here longest.
    """
    from chatcore.application.retention.holds import add_hold

    with opened_organization(ctx, database) as svc:
        user_id = None if user is None else account_of(svc, user).id
        channel_id = None if channel is None else channel_of(svc, channel).id
        hold_id = add_hold(svc, acting_owner(svc), reason, user_id=user_id, channel_id=channel_id)
    click.echo(f"Hold {hold_id} is set.")


@hold.command()
@database_option
@click.argument("hold_id", type=int)
@click.pass_context
def remove(ctx: click.Context, database: str, hold_id: int) -> None:
    """Lift the hold with the number HOLD_ID, which 'chatcore hold list' shows."""
    from chatcore.application.retention.holds import lift_hold

    with opened_organization(ctx, database) as svc:
        lift_hold(svc, acting_owner(svc), hold_id)
    click.echo(f"Hold {hold_id} is lifted.")


@hold.command("list")
@database_option
@json_option("Print the holds as JSON.")
@click.pass_context
def list_(ctx: click.Context, database: str, json: bool) -> None:
    """List all holds, in the order in which they were set."""
    from chatcore.application.retention.holds import list_holds

    with opened_organization(ctx, database) as svc:
        holds = list_holds(svc, acting_owner(svc))
        names = svc.storage.read(_read_names)
    if json:
        click.echo(dumps(list(holds)))
        return
    for hold in holds:
        at = datetime.fromtimestamp(hold["timestamp"], UTC).strftime("%Y-%m-%d")
        click.echo(f"{hold['id']:>6}  {at}  {names[hold['user_id'] or hold['channel_id']]}  {hold['reason']}")


def _read_names(snapshot: "Snapshot") -> "dict[int | None, str]":
    """Return addresses of accounts and names of channels, which share one space of ids."""
    channels: dict[int | None, str] = {channel.id: f"#{channel.name}" for channel in snapshot.channels.all()}
    return channels | {user.id: user.email for user in snapshot.users.all()}
