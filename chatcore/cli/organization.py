"""`chatcore organization` and `chatcore public-access`"""

from json import dumps
from re import fullmatch
from typing import TYPE_CHECKING

import click

from chatcore.cli.opening import opened_organization
from chatcore.cli.options import Failure, database_option, json_option
from chatcore.settings.reading import boolean

if TYPE_CHECKING:
    from chatcore.domain.choices import Value

_SWITCH = {"on": True, "off": False}


@click.group()
def organization() -> None:
    """Show and change the settings of the organization."""


@organization.command()
@database_option
@json_option("Print the settings as JSON.")
@click.pass_context
def show(ctx: click.Context, database: str, json: bool) -> None:
    """Print all settings with their values and descriptions."""
    from chatcore.application.organization.settings import organization_settings
    from chatcore.domain.organization.settings import SETTINGS

    with opened_organization(ctx, database) as svc:
        values = organization_settings(svc)
    if json:
        click.echo(dumps(values))
        return
    for name, value in values.items():
        click.echo(f"{_format_setting(name, value)}\n    {SETTINGS[name].explained}")


@organization.command("set", context_settings={"ignore_unknown_options": True})
@database_option
@click.argument("name")
@click.argument("value")
@click.pass_context
def set_(ctx: click.Context, database: str, name: str, value: str) -> None:
    """Set the setting NAME to VALUE: on or off, a number, or a text. A server may be running.

    'chatcore organization show' lists the settings and their values. This command needs no role: it also
    changes settings that only owners may change over HTTP.
    """
    from chatcore.application.organization.settings import change_organization, organization_settings
    from chatcore.domain.organization.settings import SETTINGS

    if name not in SETTINGS:
        raise Failure(f"There is no setting '{name}'; 'chatcore organization show' lists them.")
    try:
        raw = _read_value(SETTINGS[name].kind, value)
    except ValueError as error:
        raise Failure(f"{name}: {error}.") from error
    with opened_organization(ctx, database) as svc:
        change_organization(svc, {name: raw})
        click.echo(_format_setting(name, organization_settings(svc)[name]))


@organization.command()
@database_option
@click.pass_context
def reactivate(ctx: click.Context, database: str) -> None:
    """Reactivate an organization that an owner has deactivated. A server may be running."""
    from chatcore.application.organization.deactivation import reactivate_organization

    with opened_organization(ctx, database) as svc:
        reactivate_organization(svc)
    click.echo("The organization is active.")


def _read_value(kind: type, text: str) -> "Value":
    """Read a value; for a text that is not a number, the setting itself decides whether it is valid."""
    if kind is bool:
        return boolean(text)
    return int(text) if kind is int and fullmatch("-?[0-9]{1,18}", text) else text


def _format_setting(name: str, value: "Value") -> str:
    from chatcore.domain.organization.settings import SETTINGS

    if isinstance(value, bool):
        return f"{name} = {'on' if value else 'off'}"
    return f"{name} = {SETTINGS[name].sent_for_none if value is None else value}"


@click.command("public-access", short_help="Open web-public channels to everybody.")
@database_option
@click.argument("state", type=click.Choice([*_SWITCH]))
@click.pass_context
def public_access(ctx: click.Context, database: str, state: str) -> None:
    """Allow or forbid reading web-public channels without an account.

    If allowed, anybody can read these channels and the names of their people. Nothing else changes.
    """
    from chatcore.application.organization.founding import allow_public_access

    with opened_organization(ctx, database) as svc:
        allow_public_access(svc, allowed=_SWITCH[state])
    click.echo(f"Public access is {state}.")
