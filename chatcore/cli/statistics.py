"""`chatcore statistics`"""

from json import dumps
from typing import TYPE_CHECKING

import click

from chatcore.cli.opening import opened_organization
from chatcore.cli.options import database_option, json_option

if TYPE_CHECKING:
    from chatcore.storage import Snapshot

MOST_MESSAGES = 10**12
"""More than there are: all are counted."""


@click.command(short_help="Count what there is.")
@database_option
@json_option("Print the counts as JSON.")
@click.pass_context
def statistics(ctx: click.Context, database: str, json: bool) -> None:
    """Count the people, channels, messages, files and event queues of the organization."""
    with opened_organization(ctx, database) as svc:
        counts = svc.storage.read(_count_all)
    if json:
        click.echo(dumps(counts))
        return
    for name, count in counts.items():
        click.echo(f"{name:<20}  {count:>15,}")


def _count_all(snapshot: "Snapshot") -> dict[str, int]:
    users, channels = snapshot.users.all(), snapshot.channels.all()
    active = [user for user in users if user.is_active]
    return {
        "people": sum(not user.is_bot for user in active),
        "bots": sum(user.is_bot for user in active),
        "deactivated_accounts": len(users) - len(active),
        "channels": sum(not channel.is_archived for channel in channels),
        "archived_channels": sum(channel.is_archived for channel in channels),
        "messages": snapshot.tables.count_messages(MOST_MESSAGES),
        "bytes_of_files": snapshot.attachments.space_used(),
        "event_queues": len(snapshot.queues.all()),
    }
