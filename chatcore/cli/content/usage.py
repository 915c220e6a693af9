"""`chatcore usage`"""

from json import dumps
from typing import TYPE_CHECKING, Any

import click

from chatcore.cli.opening import opened_organization
from chatcore.cli.options import Number, Option, database_option, json_option
from chatcore.cli.words import number_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from chatcore.application.units import View

MOST_SHOWN = 1000


@click.command(short_help="Show use against limits.")
@database_option
@click.option(
    "--top",
    cls=Option,
    type=Number(0, MOST_SHOWN),
    default=10,
    show_default=True,
    help="The number of accounts that are listed, those with the most bytes of files.",
)
@json_option("Print the use as JSON.")
@click.pass_context
def usage(ctx: click.Context, database: str, top: int, json: bool) -> None:
    """Show how much of its limits the organization uses, and which accounts have the most bytes of files."""
    from chatcore.application import units

    with opened_organization(ctx, database) as svc:
        shown = units.read(svc, _read_usage, top)
    if json:
        click.echo(dumps(shown))
        return
    for name, of_name in shown["organization"].items():
        click.echo(f"{name:<20} {_format_use(of_name)}")
    for account in shown["largest"]:
        files = number_of(account["files"], "file", "files")
        click.echo(f"{'':<20} {_format_use(account['file_bytes'])}  {files}  {account['email']}")


def _format_use(usage: "Mapping[str, int | None]") -> str:
    used, limit = usage["used"], usage["limit"]
    return f"{used:>16,} {'without limit' if limit is None else f'of {limit:,}'}"


def _read_usage(view: "View", top: int) -> dict[str, Any]:
    """Return what is used and its limit (None for none), of the organization, and of the accounts with the
    most bytes of files.
    """
    from chatcore.domain.files.uploads import MIB, quota_in_force

    snapshot, limits = view.snapshot, view.limits
    users, channels = snapshot.users.all(), snapshot.channels.all()
    emails = {user.id: user.email for user in users}
    quota = quota_in_force(snapshot.organization.get().upload_quota_mib, limits)
    space = None if quota is None else quota * MIB
    received = snapshot.attachments.space_used() + snapshot.uploads.space_used()
    own_space = limits.max_upload_space_per_user_mib * MIB
    return {
        "organization": {
            "file_bytes": {"used": received, "limit": space},
            "accounts": {"used": len(users), "limit": limits.max_users},
            "bots": {"used": sum(user.is_bot for user in users), "limit": limits.max_bots},
            "channels": {"used": len(channels), "limit": limits.max_channels},
        },
        "largest": [
            {
                "user_id": user_id,
                "email": emails[user_id],
                "files": taken.files,
                "file_bytes": {"used": taken.size, "limit": own_space},
            }
            for user_id, taken in snapshot.attachments.largest_spaces(top)
        ],
    }
