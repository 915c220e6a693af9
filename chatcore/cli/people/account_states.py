"""`chatcore user deactivate`, `reactivate`, `role`, `show` and `forget-identities`"""

from json import dumps

import click

from chatcore.cli.opening import opened_organization
from chatcore.cli.options import database_option, json_option
from chatcore.cli.people.accounts import ROLE, account_of, user


@user.command(short_help="Deactivate an account and its bots.")
@database_option
@click.argument("email")
@click.pass_context
def deactivate(ctx: click.Context, database: str, email: str) -> None:
    """Deactivate the account with the address EMAIL and its bots. None of its data is lost."""
    from chatcore.application.people.deactivation import deactivate_user

    with opened_organization(ctx, database) as svc:
        gone = deactivate_user(svc, None, account_of(svc, email).id)
        users = svc.storage.read(lambda snapshot: snapshot.users.by_ids(gone))
    for user_id in gone:
        click.echo(f"{users[user_id].email} is deactivated.")


@user.command(short_help="Reactivate an account.")
@database_option
@click.argument("email")
@click.pass_context
def reactivate(ctx: click.Context, database: str, email: str) -> None:
    """Reactivate the account with the address EMAIL, with its old key; its bots stay deactivated."""
    from chatcore.application.people.deactivation import reactivate_user

    with opened_organization(ctx, database) as svc:
        account = account_of(svc, email)
        reactivate_user(svc, None, account.id)
    click.echo(f"{account.email} is active.")


@user.command()
@database_option
@click.argument("email")
@click.argument("name", metavar="ROLE", type=ROLE)
@click.pass_context
def role(ctx: click.Context, database: str, email: str, name: str) -> None:
    """Set the ROLE of the account with the address EMAIL.

    ROLE is owner, administrator, moderator, member or guest.
    """
    from chatcore.application.people.administration import set_role
    from chatcore.domain.roles import Role

    with opened_organization(ctx, database) as svc:
        account = account_of(svc, email)
        set_role(svc, account.email, Role[name.upper()])
    click.echo(f"{account.email} is {name}.")


@user.command(short_help="Show what an account uses of its limits.")
@database_option
@click.argument("email")
@json_option("Print the account as JSON.")
@click.pass_context
def show(ctx: click.Context, database: str, email: str, json: bool) -> None:
    """Show the account with the address EMAIL: the bytes of its files, and what it has made today (in UTC),
    each with the limit. Administrators make channels, groups, emoji and invitations without a limit, and
    without being counted.
    """
    from chatcore.application import units
    from chatcore.application.daily_use import usage_of

    with opened_organization(ctx, database) as svc:
        account = account_of(svc, email)
        usage = units.read(svc, usage_of, account)
    if json:
        shown = {name: {"used": used, "limit": limit} for name, (used, limit) in usage.items()}
        click.echo(dumps({"user_id": account.id, "email": account.email, "usage": shown}))
        return
    state = "active" if account.is_active else "deactivated"
    click.echo(f"{account.email}: {account.full_name}, {account.role.name.lower()}, {state}")
    for name, (used, limit) in usage.items():
        click.echo(f"{name:<20} {used:>16,} {'without limit' if limit is None else f'of {limit:,}'}")


@user.command("forget-identities", short_help="Let an account be linked to login services anew.")
@database_option
@click.argument("email")
@click.pass_context
def forget(ctx: click.Context, database: str, email: str) -> None:
    """Forget as whom login services know the person with the address EMAIL, whose next login finds the
    account by the address.
    """
    from chatcore.application.sign_on.entering import forget_identities

    with opened_organization(ctx, database) as svc:
        forget_identities(svc, email)
    click.echo(f"{email} is known to no login service any more; the next login goes by the address.")
