"""The group of all commands, the sources of their options, and the report of failures.

An option comes from the command line, else from the environment, else from the settings file.
"""

import os
from collections.abc import Callable, Collection, Iterator, Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Any, TypeVar

import click
from click.core import ParameterSource

from chatcore import configuration
from chatcore.configuration import ORGANIZATIONS, VARIABLE_PREFIX, Given, key_of
from chatcore.domain.characters import cleaned_characters
from chatcore.settings import BadSetting, Settings, host_name
from chatcore.settings.login_services import fault_of_table, names_like

C = TypeVar("C", bound=Callable[..., Any])

CONFIG = "CHATCORE_CONFIG"
TEST_PREFIXES = ("CHATCORE_TEST_", "CHATCORE_TESTS_")
"""Beginnings of variables that only the tests of this project read."""

FAILED = 1
WRONG_USAGE = 2
NOT_READY = 3

HELP = """A team chat server.

\b
Begin with a demo:     chatcore serve --demo
or with your own:      chatcore init --name "Our team" --owner-email ada@example.com --owner-name Ada
                       chatcore serve

Every option can also be set in the environment, under the name that its help shows, or in a file
chatcore.toml in the working directory: CHATCORE_PORT=8000 is there "port = 8000". The command line
takes precedence, then the environment, then the file.

Exit codes: 0 done, 1 it could not be done, 2 wrong usage or settings, 3 the database cannot be used.
"""


class Failure(click.ClickException):
    """An error that ends the command with one line on standard error. Names in it may be those of somebody
    else: no control character reaches the terminal.
    """

    def __init__(self, message: str) -> None:
        super().__init__(cleaned_characters(message))


class NotReady(Failure):
    """The database cannot be used."""

    exit_code = NOT_READY


class BadSettings(Failure):
    exit_code = WRONG_USAGE


class Group(click.Group):
    """A group of commands that reports failures with a known remedy in one line each."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if args and not all(map(_is_text, args)):
            raise click.UsageError("An argument is not UTF-8.", ctx)
        return super().parse_args(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except (click.ClickException, click.exceptions.Exit, click.Abort):
            raise
        except Exception as error:
            failure = _failure_of(error)
            if failure is None:
                raise
            raise failure from error


def _is_text(given: str) -> bool:
    """Whether a text of the operating system was UTF-8; Python marks other bytes by halves of surrogates."""
    return not any("\ud800" <= character <= "\udfff" for character in given)


def _failure_of(error: Exception) -> Failure | None:
    """Return how a command ends after an expected error; None for any other."""
    from chatcore.application.imports.corpus import BadCorpus
    from chatcore.domain.errors import ChatError
    from chatcore.serving import CannotServe
    from chatcore.storage import BadDatabaseUrl, StorageNotReady

    if isinstance(error, StorageNotReady):
        return NotReady(f"{error}")
    if isinstance(error, BadSetting | BadDatabaseUrl):
        return BadSettings(f"{error}")
    if isinstance(error, ChatError | CannotServe | BadCorpus):
        return Failure(f"{error}")
    return None


class Number(click.IntRange):
    """A whole number within bounds."""

    name = "number"  # in messages and in the help; that of click is "integer range"


class Option(click.Option):
    """An option that can also be set by a variable, in the environment or in the settings file."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **{"show_envvar": True, **kwargs})

    def variable(self, prefix: str | None) -> str:
        return str(self.envvar) if self.envvar else f"{prefix}_{(self.name or '').upper()}"

    def resolve_envvar_value(self, ctx: click.Context) -> str | None:
        given: Given | None = ctx.find_root().obj
        return None if given is None else given.variables.get(self.variable(ctx.auto_envvar_prefix)) or None


@click.group(
    cls=Group,
    help=HELP,
    context_settings={
        "auto_envvar_prefix": "CHATCORE",
        "help_option_names": ["-h", "--help"],
        "max_content_width": 100,
    },
)
@click.option(
    "--config",
    "config",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    envvar=CONFIG,
    show_envvar=True,
    help=f"The settings file.  [default: {configuration.SETTINGS_FILE}, where there is one]",
)
@click.option(
    "--version",
    is_flag=True,
    expose_value=False,
    is_eager=True,
    callback=lambda ctx, option, given: _show_version(ctx) if given else None,
    help="Show the version and its commit, and exit.",
)
@click.pass_context
def chatcore(ctx: click.Context, config: Path | None) -> None:
    path = config or configuration.SETTINGS_FILE
    given = configuration.from_file(path)
    environment = dict(os.environ)  # noqa: TID251 - this is an entry point
    options = dict(options_of(chatcore, "CHATCORE"))
    known = {*configuration.VARIABLES, *options}
    for name, text in given.items():
        if name not in known and not configuration.is_setting(name):
            raise BadSetting(f"{path}: {_unknown_setting(name, known, key_of)}")
        if name not in environment:
            _require_readable(path, name, text, options)
    if odd := sorted(name for name in known & environment.keys() if not _is_text(environment[name])):
        raise BadSetting(f"{odd[0]} is not UTF-8.")
    _warn_of_unknown(environment, {*known, CONFIG})
    ctx.obj = Given(path, given, environment)


def _show_version(ctx: click.Context) -> None:
    from chatcore.version import commit, version

    made_from = commit()
    click.echo(f"chatcore, version {version()}" + (f" (commit {made_from})" if made_from else ""))
    ctx.exit()


def options_of(command: click.Command, prefix: str) -> Iterator[tuple[str, Option]]:
    """Return all options of a command, and of the commands in it, each with its variable."""
    yield from ((option.variable(prefix), option) for option in command.params if isinstance(option, Option))
    if isinstance(command, click.Group):
        for name, inner in command.commands.items():
            yield from options_of(inner, f"{prefix}_{name.upper()}")


def _warn_of_unknown(environment: Mapping[str, str], known: Collection[str]) -> None:
    """Warn of variables that look like settings; other programs may set them, so they are not refused."""
    for name in environment:
        is_known = name in known or configuration.is_setting(name)
        if name.startswith(VARIABLE_PREFIX) and not is_known and not name.startswith(TEST_PREFIXES):
            click.echo(f"Warning: {_unknown_setting(name, known, str)}", err=True)


def _unknown_setting(variable: str, known: Collection[str], spelled: Callable[[str], str]) -> str:
    """Return the sentence about an unknown name, with its fault, or a similar one that is known."""
    word = key_of(variable).removeprefix(VARIABLE_PREFIX.lower())  # in a file, names have no prefix
    if fault := fault_of_table(word):
        return f"there is no setting '{spelled(variable)}': {fault}."
    similar = get_close_matches(word, [*map(key_of, known), *names_like(word)], 1)
    hint = f"; do you mean '{spelled(VARIABLE_PREFIX + similar[0].upper())}'?" if similar else "."
    return f"there is no setting '{spelled(variable)}'{hint}"


def _require_readable(path: Path, name: str, text: str, options: Mapping[str, Option]) -> None:
    """Check a value of a settings file, also one that only other commands use.

    :raises BadSetting: it cannot be read
    """
    try:
        if configuration.is_setting(name):
            configuration.read_variable(name, text, f"'{key_of(name)}'")
        elif text:  # an empty one counts as not set
            options[name].type(text)
    except BadSetting as error:
        raise BadSetting(f"{path}: {error}") from error
    except click.BadParameter as error:
        raise BadSetting(f"{path}: '{key_of(name)}' cannot be used: {error.message}") from error


def database_option(command: C) -> C:
    """Add the options `--database` and `--organization`, which every command has."""
    choose = click.option(
        "--organization",
        metavar="HOST",
        expose_value=False,
        allow_from_autoenv=False,
        callback=_choose_organization,
        help=f"One of the organizations in the folder {ORGANIZATIONS}, by the host of its address.",
    )
    return choose(
        click.option(
            "--database",
            cls=Option,
            metavar="URL",
            envvar="CHATCORE_DATABASE_URL",
            default=Settings().database_url,
            show_default=True,
            help="sqlite:///relative.db, sqlite:////absolute.db or postgresql://user@host/name.",
        )(command)
    )


def json_option(explained: str) -> Callable[[C], C]:
    """Return the option `--json`, with its line in the help."""
    return click.option("--json", cls=Option, is_flag=True, help=explained)


organizations_option = click.option(
    "--organizations",
    cls=Option,
    envvar=ORGANIZATIONS,
    metavar="FOLDER",
    help="Several organizations: a folder of folders with a chatcore.toml.",
)

_CHOSEN = "chatcore.organization"


def _choose_organization(ctx: click.Context, option: click.Parameter, host: str | None) -> None:
    if host is not None:
        ctx.meta[_CHOSEN] = host


def is_chosen(ctx: click.Context) -> bool:
    """Whether `--organization` names an organization."""
    return _CHOSEN in ctx.meta


def settings_of(ctx: click.Context, database: str, **defaults: str) -> Settings:
    """Return the settings of a command about one organization; *defaults* are for variables that nobody has
    set.

    :raises BadSetting: a value that cannot be read; no organization has the chosen host; or none of several
        is chosen
    """
    given: Given = ctx.find_root().obj
    if (host := ctx.meta.get(_CHOSEN)) is not None:
        if _is_on_command_line(ctx, "database"):
            raise click.UsageError("--organization cannot be combined with --database")
        return _settings_at(ctx, host)
    is_named = _is_on_command_line(ctx, "database") or configuration.OWN_VARIABLES & given.variables.keys()
    if given.variables.get(ORGANIZATIONS) and not is_named:
        raise BadSetting(
            f"{ORGANIZATIONS} names a folder of several organizations; choose one with --organization HOST."
        )
    variables = {**defaults, **given.variables, "CHATCORE_DATABASE_URL": database}
    variables.pop(ORGANIZATIONS, None)
    return configuration.from_environment(variables)


def settings_file_of(ctx: click.Context, settings: Settings, *, is_one_of_several: bool) -> Path:
    """Return the path of the settings file of an organization."""
    given: Given = ctx.find_root().obj
    if is_one_of_several or is_chosen(ctx):
        return configuration.settings_file_of(Path(_folder_of_several(ctx)), settings.host)
    return given.file


def secret_file_of(ctx: click.Context, settings: Settings, *, is_one_of_several: bool) -> Path | None:
    """Return the path of the file that the settings of an organization name for its secret, if they do."""
    given: Given = ctx.find_root().obj
    variables, folder = given.variables, Path()
    if is_one_of_several or is_chosen(ctx):
        file = settings_file_of(ctx, settings, is_one_of_several=is_one_of_several)
        variables, folder = configuration.from_file(file), file.parent
    path = None if variables.get("CHATCORE_SECRET_KEY") else variables.get("CHATCORE_SECRET_KEY_FILE")
    return folder / path if path else None


def _folder_of_several(ctx: click.Context) -> str:
    given: Given = ctx.find_root().obj
    folder: str | None = ctx.params.get("organizations") or given.variables.get(ORGANIZATIONS)
    if not folder:
        raise BadSetting(f"--organization needs the folder of the organizations in {ORGANIZATIONS}.")
    return folder


def _settings_at(ctx: click.Context, host: str) -> Settings:
    given: Given = ctx.find_root().obj
    folder = _folder_of_several(ctx)
    by_host = {
        organization.host: organization
        for organization in configuration.from_environment(given.of_server(folder)).organizations
    }
    if (chosen := by_host.get(host_name(host))) is None:
        raise BadSetting(
            f"No organization in '{folder}' has the host '{host}': there are {', '.join(by_host)}."
        )
    return chosen


def settings_for(ctx: click.Context, database: str, organizations: str | None) -> Settings:
    """Return the settings of a command about several organizations, if their folder is given and none of them
    is chosen, else about one.
    """
    if organizations is None or is_chosen(ctx):
        return settings_of(ctx, database)
    if _is_on_command_line(ctx, "database"):
        raise click.UsageError("--organizations cannot be combined with --database")
    given: Given = ctx.find_root().obj
    return configuration.from_environment(given.of_server(organizations))


def settings_here(ctx: click.Context, database: str, organizations: str | None) -> Settings:
    """Return the settings of a command about several organizations, or about the one in whose folder it runs:
    the settings file there shows it. The folder of several on the command line takes precedence.
    """
    given: Given = ctx.find_root().obj
    if not _is_on_command_line(ctx, "organizations") and configuration.OWN_VARIABLES & given.variables.keys():
        organizations = None
    return settings_for(ctx, database, organizations)


def _is_on_command_line(ctx: click.Context, option: str) -> bool:
    return ctx.get_parameter_source(option) is ParameterSource.COMMANDLINE
