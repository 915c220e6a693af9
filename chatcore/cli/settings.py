"""`chatcore settings`"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from json import dumps
from pathlib import Path

import click
from click.core import ParameterSource

from chatcore.cli.options import (
    CONFIG,
    database_option,
    is_chosen,
    json_option,
    options_of,
    organizations_option,
    settings_file_of,
    settings_for,
)
from chatcore.cli.serve import address, serve
from chatcore.configuration import (
    LIMIT_VARIABLES,
    OWN_VARIABLES,
    RULE_VARIABLES,
    SECRETS,
    VARIABLE_READERS,
    Given,
    from_file,
    key_of,
)
from chatcore.domain.limits import Limits
from chatcore.domain.rate_limits import RULES
from chatcore.settings import Settings, describe_database
from chatcore.settings.login_services import is_of_provider, is_secret
from chatcore.settings.shown import show_value

DATABASE_SETTINGS = ("database_url", "read_database_url")
"""Settings that are shown without the password in them."""


@dataclass(frozen=True, slots=True)
class InForce:
    """A setting, with its name in a settings file, and its value in force, which is None for a secret.

    `source` is `default`, `option`, `environment` or `file`; `place` is the option, the variable or the path.
    """

    name: str
    value: str | None
    source: str
    place: str

    def __str__(self) -> str:
        value = "(hidden)" if self.value is None else self.value
        return f"{self.name} = {value}  ({' '.join(filter(None, (self.source, self.place)))})"


@dataclass(frozen=True, slots=True)
class Sources:
    """The variables that are used, of an environment and of a file."""

    used: Mapping[str, str]
    environment: Mapping[str, str]
    file: Path

    def place_of(self, variables: Iterable[str]) -> tuple[str, str]:
        """Return source and place of a setting with these variables, of which the last one wins."""
        variable = next((variable for variable in reversed([*variables]) if variable in self.used), None)
        if variable is None:
            return "default", ""
        if variable in self.environment:
            return "environment", variable
        return "file", str(self.file.absolute())


@click.command("settings", short_help="Print all settings, and where each comes from.")
@database_option
@organizations_option
@json_option("Print the settings as JSON.")
@click.pass_context
def settings_command(ctx: click.Context, database: str, organizations: str | None, json: bool) -> None:
    """Print the settings in force, and where each comes from: an option, the environment, a file, or nowhere.

    Secrets are hidden. Of a server of several organizations, those that each organization has itself are left
    out; --organization shows them.
    """
    settings = settings_for(ctx, database, organizations)
    given: Given = ctx.find_root().obj
    used = given.of_server(organizations) if organizations else given.variables
    of_server = own = Sources(used, given.environment, given.file)
    if is_chosen(ctx):
        file = settings_file_of(ctx, settings, is_one_of_several=False)
        own = Sources(from_file(file), {}, file)
    of_serve = [*_options_in_force(ctx, of_server)]
    values = {row.name: row.value for row in of_serve}
    if settings.url_is_a_guess:
        settings = replace(settings, external_url=address(f"{values['host']}", int(f"{values['port']}")))
    rows = [
        _config_in_force(ctx),
        *of_serve,
        *_settings_in_force(ctx, settings, of_server, own),
        *_rate_limits_in_force(settings, of_server),
        *_providers_in_force(own),
        *_limits_in_force(settings, of_server),
    ]
    if json:
        click.echo(dumps([asdict(row) for row in rows]))
    else:
        click.echo("\n".join(map(str, rows)))


def _config_in_force(ctx: click.Context) -> InForce:
    root = ctx.find_root()
    source = root.get_parameter_source("config")
    place = ("default", "")
    if source is ParameterSource.COMMANDLINE:
        place = ("option", "--config")
    elif source is ParameterSource.ENVIRONMENT:
        place = ("environment", CONFIG)
    given: Given = root.obj
    return InForce("config", str(given.file.absolute()) if given.file.exists() else "", *place)


def _options_in_force(ctx: click.Context, sources: Sources) -> Iterator[InForce]:
    for variable, option in options_of(serve, "CHATCORE_SERVE"):
        if variable not in VARIABLE_READERS:
            text = sources.used.get(variable)
            value = option.get_default(ctx) if not text else option.type_cast_value(ctx, text)
            yield InForce(key_of(variable), show_value(value), *sources.place_of([variable] if text else []))


def _settings_in_force(
    ctx: click.Context, settings: Settings, of_server: Sources, own: Sources
) -> Iterator[InForce]:
    from chatcore.data_folder import data_dir

    variables: dict[str, list[str]] = {}
    for variable, (name, _) in VARIABLE_READERS.items():
        variables.setdefault(name, []).append(variable)
    for name, of_name in variables.items():
        is_own = not OWN_VARIABLES.isdisjoint(of_name)
        if is_own and settings.organizations:
            continue
        value = getattr(settings, name)
        if name in DATABASE_SETTINGS:
            shown: str | None = describe_database(value) if value else ""
        elif not SECRETS.isdisjoint(of_name) and value:
            shown = None
        else:
            shown = show_value(data_dir(settings).absolute() if name == "data_dir" else value)
        place = (own if is_own else of_server).place_of(of_name)
        if name == "database_url" and ctx.get_parameter_source("database") is ParameterSource.COMMANDLINE:
            place = "option", "--database"
        yield InForce(name, shown, *place)


def _providers_in_force(sources: Sources) -> Iterator[InForce]:
    for variable, text in sorted(sources.used.items()):
        if is_of_provider(variable):
            shown = None if is_secret(variable) else show_value(text)
            yield InForce(key_of(variable), shown, *sources.place_of([variable]))


def _rate_limits_in_force(settings: Settings, sources: Sources) -> Iterator[InForce]:
    for variable, rule in RULE_VARIABLES.items():
        limit = settings.rate_limit_rules.get(rule, RULES[rule].limit)
        yield InForce(key_of(variable), limit, *sources.place_of([variable]))


def _limits_in_force(settings: Settings, sources: Sources) -> Iterator[InForce]:
    limits = Limits(**settings.limits)
    for variable, name in LIMIT_VARIABLES.items():
        yield InForce(key_of(variable), f"{getattr(limits, name)}", *sources.place_of([variable]))
