"""`chatcore public-access`"""

import click

from chatcore.cli.opening import organization
from chatcore.cli.options import database_option, settings_of


@click.command("public-access")
@database_option
@click.argument("state", type=click.Choice(["on", "off"]))
@click.pass_context
def public_access(ctx: click.Context, database: str, state: str) -> None:
    """Let the whole web read the channels that are made for it, or keep it out again.

    Without an account one can then read those channels and the names of the people. Nothing else changes.
    """
    from chatcore.application.organizations import allow_public_access

    with organization(settings_of(ctx, database)) as svc:
        allow_public_access(svc, allowed=state == "on")
