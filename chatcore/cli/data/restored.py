"""`chatcore restored`"""

import click

from chatcore.cli.opening import opened_organization
from chatcore.cli.options import database_option


@click.command()
@database_option
@click.pass_context
def restored(ctx: click.Context, database: str) -> None:
    """Declare that the database was restored from a backup.

    All clients register anew, and new ids of messages are far above those in use before, which clients know.
    'chatcore serve' notices most restores by itself, but not one that wrote the bytes of a backup into the
    same file. A server may be running.
    """
    from chatcore.application.events.restores import declare_restored

    with opened_organization(ctx, database) as svc:
        head = declare_restored(svc)
    click.echo(f"All clients register anew, and new ids are above {head:,}.")
