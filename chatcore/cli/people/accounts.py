"""`chatcore init` and `chatcore user`"""

import sys
from codecs import BOM_UTF8
from contextlib import closing
from json import dumps
from typing import TYPE_CHECKING, BinaryIO

import click

from chatcore.cli.opening import opened_organization, opened_services
from chatcore.cli.options import Failure, Option, database_option, json_option, settings_of
from chatcore.cli.words import number_of

if TYPE_CHECKING:
    from chatcore.application.people.logins import Login
    from chatcore.application.services import Services
    from chatcore.domain.people.users import User

password_option = click.option(
    "--password-stdin", cls=Option, is_flag=True, help="Read a password to log in with from standard input."
)
ROLE = click.Choice(["owner", "administrator", "moderator", "member", "guest"])
LONGEST_LINE = 10_000
"""Characters that are read of a password; longer ones are refused anyway."""


@click.command(short_help="Create an organization and its owner.")
@database_option
@click.option("--name", cls=Option, required=True, help="The name of the organization.")
@click.option("--owner-email", cls=Option, required=True, help="The owner's e-mail address.")
@click.option("--owner-name", cls=Option, required=True, help="The owner's full name.")
@password_option
@json_option("Print the account as JSON.")
@click.pass_context
def init(
    ctx: click.Context,
    database: str,
    name: str,
    owner_email: str,
    owner_name: str,
    password_stdin: bool,
    json: bool,
) -> None:
    """Create an organization and its owner in an empty database, and print the owner's API key."""
    from chatcore.application.organization.founding import NewOrganization, initialize, is_initialized
    from chatcore.bootstrap import store_at
    from chatcore.domain.limits import Limits

    settings = settings_of(ctx, database)
    new = NewOrganization(
        name=name,
        owner_email=owner_email,
        owner_name=owner_name,
        owner_password=_read_password() if password_stdin else None,
    ).as_stored(settings.host, Limits())  # before any file is created
    with closing(store_at(settings.database_url)) as storage:
        applied = storage.migrate()
    with opened_services(settings, is_new=True) as svc:
        if is_initialized(svc):
            count = number_of(len(applied), "migration was", "migrations were")
            raise Failure(
                f"The database has an organization already, and is up to date: {count} applied;"
                " serve it with 'chatcore serve'."
            )
        _print_login(initialize(svc, new), as_json=json)
    if not json:
        login = "" if password_stdin else f"chatcore user password {owner_email} to log in with a browser; "
        click.echo(f"Next: {login}chatcore serve")


@click.group()
def user() -> None:
    """Create and change accounts of people and bots."""


@user.command()
@database_option
@click.option("--email", cls=Option, help="E-mail address, different from all others.")
@click.option("--name", cls=Option, help="Full name.")
@click.option(
    "--role",
    cls=Option,
    type=ROLE,
    default="member",
    show_default=True,
)
@click.option("--bot", cls=Option, is_flag=True, help="Create a bot, an account for a program.")
@click.option("--from", "file", type=click.File("rb"),
              help="Create all accounts of a CSV file with the columns email, name, role.")  # fmt: skip
@password_option
@json_option("Print the account as JSON.")
@click.pass_context
def create(
    ctx: click.Context,
    database: str,
    email: str | None,
    name: str | None,
    role: str,
    bot: bool,
    file: BinaryIO | None,
    password_stdin: bool,
    json: bool,
) -> None:
    """Create an account and print its API key. A server on the database may be running.

    With --from, all accounts of the file are created, or none is; they have no passwords yet.
    """
    from chatcore.application.people.accounts import NewUser, create_user
    from chatcore.domain.roles import Role

    if file is not None:
        if email or name or bot or password_stdin:
            raise click.UsageError("--from cannot be combined with the properties of an account")
        _create_from_file(ctx, database, file, as_json=json)
        return
    if not email or not name:
        raise click.UsageError(f"Missing option '{'--name' if email else '--email'}'.")
    if bot and password_stdin:
        raise click.UsageError("A bot has no password; it uses its API key.")
    with opened_organization(ctx, database) as svc:
        password = _read_password() if password_stdin else None
        new = NewUser(email=email, full_name=name, role=Role[role.upper()], password=password, is_bot=bot)
        _print_login(create_user(svc, new), as_json=json)
    if not json:
        login = "" if bot or password else f"; for a person, chatcore user password {email}"
        click.echo(f"Next: programs use the key{login}")


@user.command(short_help="Print the API key of an account again.")
@database_option
@click.argument("email")
@json_option("Print the account as JSON.")
@click.pass_context
def key(ctx: click.Context, database: str, email: str, json: bool) -> None:
    """Print the API key of the account with the address EMAIL again."""
    from chatcore.application.people.logins import login_of

    with opened_organization(ctx, database) as svc:
        account = _active_account_of(svc, email, "has no key")
        login = login_of(svc, account.id)
    _print_login(login, as_json=json)


@user.command("new-key", short_help="Replace an API key.")
@database_option
@click.argument("email")
@json_option("Print the account as JSON.")
@click.pass_context
def new_key(ctx: click.Context, database: str, email: str, json: bool) -> None:
    """Rotate the API key of the account or bot with the address EMAIL, and print the new one.

    The old key is invalid from this moment on; a password stays as it is.
    """
    from chatcore.application.people.credentials import renew_key

    with opened_organization(ctx, database) as svc:
        account = _active_account_of(svc, email, "has no key")
        _print_login(renew_key(svc, account.email), as_json=json)


@user.command(short_help="Set a password.")
@database_option
@click.argument("email")
@json_option("Print the account as JSON.")
@click.pass_context
def password(ctx: click.Context, database: str, email: str, json: bool) -> None:
    """Set the password of the account with the address EMAIL, read from standard input.

    A new password makes a new API key, which is printed; browsers and programs have to log in again.
    """
    from chatcore.application.people.credentials import set_password
    from chatcore.application.units import read_organization

    with opened_organization(ctx, database) as svc:
        account = _active_account_of(svc, email, "cannot log in")
        _print_login(set_password(svc, account.email, _read_password()), as_json=json)
        if not read_organization(svc).password_auth_enabled:
            allow = "'chatcore organization set password_auth_enabled on'"
            click.echo(f"Nobody can log in with a password now; {allow} allows it.", err=True)


@user.command(short_help="Let an administrator create accounts, or change addresses.")
@database_option
@click.argument("email")
@click.argument("what", type=click.Choice(["create-users", "change-emails"]))
@click.argument("state", type=click.Choice(["on", "off"]))
@click.pass_context
def allow(ctx: click.Context, database: str, email: str, what: str, state: str) -> None:
    """Allow the administrator EMAIL to create accounts over HTTP, or the owner EMAIL to change all addresses.

    Without this permission nobody can, since addresses are not confirmed by mail.
    """
    from chatcore.application.people.accounts import allow_creating_users, allow_email_changes
    from chatcore.domain.roles import Role

    give, needed = {
        "create-users": (allow_creating_users, Role.ADMINISTRATOR),
        "change-emails": (allow_email_changes, Role.OWNER),
    }[what]
    with opened_organization(ctx, database) as svc:
        account = account_of(svc, email)
        if state == "on" and account.role > needed:
            raise Failure(f"'{email}' is no {needed.name.lower()}; the permission would have no effect.")
        give(svc, account.email, allowed=state == "on")
    click.echo(f"{account.email}: {what} is {state}.")


@user.command("list")
@database_option
@json_option("Print the accounts as JSON.")
@click.pass_context
def list_(ctx: click.Context, database: str, json: bool) -> None:
    """List all people and bots, oldest first."""
    with opened_organization(ctx, database) as svc:
        users = svc.storage.read(lambda snapshot: snapshot.users.all())
    accounts = [
        {
            "user_id": user.id,
            "email": user.email,
            "full_name": user.full_name,
            "role": user.role.name.lower(),
            "is_bot": user.is_bot,
            "is_active": user.is_active,
            "allowed": _granted_permissions(user),
        }
        for user in users
    ]
    if json:
        click.echo(dumps(accounts))
        return
    width = max((len(user.email) for user in users), default=0)
    for user in users:
        kind = user.role.name.lower()
        notes = [note for note, holds in (("bot", user.is_bot), ("deactivated", not user.is_active)) if holds]
        notes += [f"may {what}" for what in _granted_permissions(user)]
        note = f"  ({', '.join(notes)})" if notes else ""
        click.echo(f"{user.id:>6}  {user.email:<{width}}  {kind:<13}  {user.full_name}{note}")


def _granted_permissions(user: "User") -> list[str]:
    """Return the permissions that `chatcore user allow` has granted to the account, usable in its role or
    not.
    """
    given = {"create-users": user.can_create_users, "change-emails": user.can_change_user_emails}
    return [what for what, has in given.items() if has]


def account_of(svc: "Services", email: str) -> "User":
    """Return the account with this address, active or not."""
    account = svc.storage.read(lambda snapshot: snapshot.users.find_by_email(email))
    if account is None:
        raise Failure(f"There is no account with the address '{email}'; see 'chatcore user list'.")
    return account


def _active_account_of(svc: "Services", email: str, consequence: str) -> "User":
    """Return the active account with this address. The failure for a deactivated one says the *consequence*,
    such as 'has no key'.
    """
    account = account_of(svc, email)
    if not account.is_active:
        raise Failure(f"The account of '{email}' is deactivated and {consequence}; reactivate it first.")
    return account


def _create_from_file(ctx: click.Context, database: str, file: BinaryIO, *, as_json: bool) -> None:
    from chatcore.cli.people.bulk_accounts import create_accounts

    with opened_organization(ctx, database) as svc:
        logins = create_accounts(svc, file)
    if as_json:
        click.echo(dumps([_as_json(login) for login in logins]))
        return
    for login in logins:
        click.echo(f"{login.user_id:>6}  {login.api_key}  {login.email}")


def _as_json(login: "Login") -> dict[str, int | str]:
    return {"user_id": login.user_id, "email": login.email, "api_key": login.api_key}


def _print_login(login: "Login", *, as_json: bool) -> None:
    if as_json:
        click.echo(dumps(_as_json(login)))
    else:
        click.echo(f"user_id  {login.user_id}\nemail    {login.email}\napi_key  {login.api_key}")


def _read_password() -> str:
    if sys.stdin.isatty():
        password: str = click.prompt("Password", hide_input=True, confirmation_prompt=True, err=True)
        return password
    try:
        line = sys.stdin.readline(LONGEST_LINE)
    except UnicodeDecodeError as error:
        raise click.UsageError("Standard input is not UTF-8.") from error
    password = line.removeprefix(BOM_UTF8.decode()).rstrip("\r\n")
    if not password:
        raise click.UsageError("Standard input is empty; write the password to it.")
    return password
