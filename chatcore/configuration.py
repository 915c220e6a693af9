"""Reading the settings of a server, or of several organizations, from the environment and from files."""

import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

from chatcore.domain.limits import SETTABLE
from chatcore.domain.rate_limits import RULES
from chatcore.settings import DATA_DIR, BadSetting, Settings, sqlite_file
from chatcore.settings.login_services import is_of_provider, is_secret, names_file, read_providers, read_value
from chatcore.settings.reading import Reader, boolean, bytes_in, first_line_in, foreign_mode, number, words
from chatcore.settings.rules import LIMIT_RULES, read_limits, require_valid
from chatcore.settings.shown import may_have_password

SETTINGS_FILE = Path("chatcore.toml")
"""The settings file in the working directory, which may be missing."""
VARIABLE_PREFIX = "CHATCORE_"

SETTING_READERS: Final[Mapping[str, Reader]] = {
    "database_url": str,
    "read_database_url": str,
    "data_dir": Path,
    "uploads_url": str,
    "secret_key": str.encode,
    "external_url": str,
    "development": boolean,
    "compat_brand": str,
    "rate_limits": boolean,
    "connections_per_address": number,
    "trusted_proxies": number,
    "forwarded_headers": lambda text: frozenset(words(text.lower())),
    "outgoing_private_addresses": boolean,
    "external_images": foreign_mode,
    "frame_ancestors": lambda text: tuple(words(text)),
    "metrics_token": str,
    "giphy_api_key": str,
    "bigbluebutton_url": str,
    "bigbluebutton_secret": str,
    "gravatar": boolean,
    "web_push": str,
    "smtp_host": str,
    "smtp_port": number,
    "smtp_user": str,
    "smtp_password": str,
    "smtp_tls": str.lower,
    "smtp_timeout": number,
    "mail_folder": Path,
    "mail_from": str,
    "receives_mail": boolean,
    "jwt_key": str.encode,
    "jwt_algorithms": lambda text: tuple(words(text.upper())),
    "remote_user_header": str,
    "remote_user_proxies": lambda text: tuple(words(text.lower())),
    "remote_user_email_header": str,
    "remote_user_domain": str.lower,
    "remote_user_name_header": str,
    "remote_user_groups_header": str,
    "remote_user_groups": lambda text: tuple(words(text)),
    "remote_user_logout_url": str,
    "scim_token": str,
    "login_app_scheme": str.lower,
    "audit_days": number,
    "retention_archive": Path,
    "log_format": str.lower,
    "security_log": Path,
    "log_level": str.lower,
}
"""The readers of the settings; each has a variable of its name."""

FILE_READERS: Final[Mapping[str, Reader]] = {
    "secret_key": bytes_in,
    "bigbluebutton_secret": first_line_in,
    "smtp_password": first_line_in,
    "jwt_key": bytes_in,
    "scim_token": first_line_in,
}
"""The readers of the settings that a file can have; its path is in the variable that ends in `_FILE`."""


def _variables_of_settings() -> Iterator[tuple[str, tuple[str, Reader]]]:
    for name, read in SETTING_READERS.items():
        variable = f"{VARIABLE_PREFIX}{name.upper()}"
        if name in FILE_READERS:
            yield f"{variable}_FILE", (name, FILE_READERS[name])
        yield variable, (name, read)


VARIABLE_READERS: Final[Mapping[str, tuple[str, Reader]]] = dict(_variables_of_settings())
"""Each variable with its setting and its reader. The last one wins if two set the same."""

SECRETS: Final = frozenset(
    f"{VARIABLE_PREFIX}{field.name.upper()}" for field in fields(Settings) if not field.repr
)
"""Variables whose values no message shows."""

RULE_VARIABLES: Mapping[str, str] = {f"CHATCORE_RATE_LIMITS_{name.upper()}": name for name in RULES}
"""Each variable of a rate limit, with its rule."""

LIMIT_VARIABLES: Mapping[str, str] = {f"CHATCORE_LIMITS_{name.upper()}": name for name in SETTABLE}
"""Each variable of a limit that can be set, with its name."""

VARIABLES: Final = frozenset({*VARIABLE_READERS, *RULE_VARIABLES, *LIMIT_VARIABLES})
"""All variables that `from_environment` reads."""

ORGANIZATIONS = "CHATCORE_ORGANIZATIONS"
"""A folder in which each folder with a settings file is an organization."""

OWN_VARIABLES = frozenset(
    {
        "CHATCORE_DATABASE_URL",
        "CHATCORE_READ_DATABASE_URL",
        "CHATCORE_DATA_DIR",
        "CHATCORE_UPLOADS_URL",
        "CHATCORE_SECRET_KEY_FILE",
        "CHATCORE_SECRET_KEY",
        "CHATCORE_EXTERNAL_URL",
        "CHATCORE_JWT_KEY_FILE",
        "CHATCORE_JWT_KEY",
        "CHATCORE_JWT_ALGORITHMS",
        "CHATCORE_REMOTE_USER_HEADER",
        "CHATCORE_REMOTE_USER_PROXIES",
        "CHATCORE_REMOTE_USER_EMAIL_HEADER",
        "CHATCORE_REMOTE_USER_DOMAIN",
        "CHATCORE_REMOTE_USER_NAME_HEADER",
        "CHATCORE_REMOTE_USER_GROUPS_HEADER",
        "CHATCORE_REMOTE_USER_GROUPS",
        "CHATCORE_REMOTE_USER_LOGOUT_URL",
        "CHATCORE_SCIM_TOKEN_FILE",
        "CHATCORE_SCIM_TOKEN",
    }
)
"""Settings that each of several organizations has, besides its providers; all others apply to the whole
server.
"""


def is_setting(variable: str) -> bool:
    """Whether a variable is that of a setting."""
    return variable in VARIABLES or is_of_provider(variable)


def own_variables(variables: Iterable[str]) -> list[str]:
    """Return those variables that each of several organizations has, in order."""
    return sorted(variable for variable in variables if variable in OWN_VARIABLES or is_of_provider(variable))


@dataclass(frozen=True, slots=True)
class Given:
    """The variables that a process is given: by a settings file, and by its environment, which takes
    precedence.
    """

    file: Path
    in_file: Mapping[str, str]
    environment: Mapping[str, str]

    @property
    def variables(self) -> Mapping[str, str]:
        return {**self.in_file, **self.environment}

    def of_server(self, folder: str) -> Mapping[str, str]:
        """Return the variables of a server of the organizations in a folder. The settings file of one of them
        is that organization's own, and says nothing about the server.

        :raises BadSetting: another settings file has what each organization has in its own
        """
        if self.in_file and any(file.samefile(self.file) for file in _files_in(Path(folder))):
            return {**self.environment, ORGANIZATIONS: folder}
        if misplaced := own_variables(self.in_file):
            raise BadSetting(
                f"{self.file.absolute()}: '{key_of(misplaced[0])}' cannot be set for a server of several"
                f" organizations: set it in the {SETTINGS_FILE} of each. If this file is that of an"
                f" organization, move it, with its database and data, into a folder of its own in"
                f" '{folder}'."
            )
        return {**self.variables, ORGANIZATIONS: folder}

    def settings(self) -> Settings:
        """Return the settings of a server.

        :raises BadSetting: as `from_environment` and `of_server` do
        """
        folder = self.variables.get(ORGANIZATIONS)
        return from_environment(self.of_server(folder) if folder else self.variables)


def key_of(variable: str) -> str:
    """Return the name of a variable in a settings file."""
    return variable.removeprefix(VARIABLE_PREFIX).lower()


def from_environment(environment: Mapping[str, str]) -> Settings:
    """Read settings from variables named `CHATCORE_…`; absent ones keep their defaults.

    :raises BadSetting: a value that cannot be read; or with several organizations, a setting that each of
        them has in its own file, or an organization with invalid settings
    """
    settings = _read_settings(environment)
    if not environment.get(ORGANIZATIONS):
        return settings
    if misplaced := own_variables(environment):
        raise BadSetting(
            f"{misplaced[0]} cannot be set for a server of several organizations:"
            f" set it in the {SETTINGS_FILE} of each organization."
        )
    return replace(settings, organizations=_organizations_in(Path(environment[ORGANIZATIONS]), settings))


def _read_settings(environment: Mapping[str, str]) -> Settings:
    given: dict[str, Any] = {"url_is_a_guess": "CHATCORE_EXTERNAL_URL" not in environment}
    for variable, (name, _) in VARIABLE_READERS.items():
        if (text := environment.get(variable)) is not None:
            given[name] = read_variable(variable, text)
    rules: dict[str, str] = {}
    for variable, rule in RULE_VARIABLES.items():
        if (text := environment.get(variable)) is not None:
            read_variable(variable, text)  # only to refuse a wrong one; `RateLimits` reads the text again
            rules[rule] = text
    limits = {
        name: read_variable(variable, text)
        for variable, name in LIMIT_VARIABLES.items()
        if (text := environment.get(variable)) is not None
    }
    of_providers = [
        (name, read_variable(name, text)) for name, text in environment.items() if is_of_provider(name)
    ]
    try:
        given["oidc"] = read_providers(of_providers)
    except ValueError as error:
        raise BadSetting(f"{error}.") from None
    return Settings(**given, rate_limit_rules=rules, limits=limits)


def read_variable(variable: str, text: str, called: str = "") -> Any:
    """Read the text of a variable of the settings, which a message may call differently.

    :raises BadSetting: it cannot be read, or is not allowed
    """
    try:
        if variable in RULE_VARIABLES:
            return read_limits(text)
        if variable in LIMIT_VARIABLES:
            limit = number(text)
            LIMIT_RULES[LIMIT_VARIABLES[variable]](limit)
            return limit
        if is_of_provider(variable):
            return read_value(variable, text)
        name, read = VARIABLE_READERS[variable]
        value = read(text)
        require_valid(name, value)
    except ValueError as error:
        is_hidden = variable in SECRETS or is_secret(variable) or may_have_password(text)
        shown = "cannot be used" if is_hidden else f"is '{text}'"
        # The error that was caught may have the whole text.
        raise BadSetting(f"{called or variable} {shown}: {error}.") from None
    return value


def _files_in(folder: Path) -> list[Path]:
    """Return the settings files of the organizations in a folder."""
    return sorted(folder.glob(f"*/{SETTINGS_FILE}"))


def _organizations_in(folder: Path, server: Settings) -> tuple[Settings, ...]:
    organizations: list[Settings] = []
    first_with: dict[tuple[str, str], Path] = {}
    for file in _files_in(folder):
        try:
            own = _read_organization(file)
        except BadSetting as error:
            raise BadSetting(f"{file}: {error}") from error
        for what, value in (("host", own.host), ("database", own.database_url)):
            other = first_with.setdefault((what, value), file)
            if other is not file:
                raise BadSetting(f"{file} has the same {what} as {other}; change one of them.")
        names = {"oidc", *(VARIABLE_READERS[variable][0] for variable in OWN_VARIABLES)}
        given = {name: getattr(own, name) for name in names}
        organizations.append(replace(server, url_is_a_guess=False, **given))
    if not organizations:
        raise BadSetting(
            f"No folder in '{folder}' has a {SETTINGS_FILE}, as each organization's has;"
            f" --organizations and {ORGANIZATIONS} name the folder of such folders."
        )
    return tuple(organizations)


def settings_file_of(folder: Path, host: str) -> Path:
    """Return the settings file of the organization at a host, of several in a folder."""
    return next(file for file in folder.glob(f"*/{SETTINGS_FILE}") if _read_organization(file).host == host)


PATH_VARIABLES: Final = frozenset(
    {
        "CHATCORE_DATA_DIR",
        "CHATCORE_SECRET_KEY_FILE",
        "CHATCORE_JWT_KEY_FILE",
        "CHATCORE_SCIM_TOKEN_FILE",
    }
)
"""Settings of an organization whose values are paths."""


def _read_organization(file: Path) -> Settings:
    """Return an organization's own settings; paths are relative to its folder, in which its commands run."""
    given, home = dict(from_file(file)), file.parent.absolute()
    if odd := sorted(given.keys() - {*own_variables(given)}):
        raise BadSetting(f"'{key_of(odd[0])}' is not a setting of a single organization; remove it.")
    for path in given:
        if path in PATH_VARIABLES or names_file(path):
            given[path] = str(home / given[path])
    database = given.setdefault("CHATCORE_DATABASE_URL", Settings().database_url)
    if (database_file := sqlite_file(database)) is not None:
        given["CHATCORE_DATABASE_URL"] = f"sqlite:///{quote(str(home / database_file))}"
    else:
        given.setdefault("CHATCORE_DATA_DIR", str(home / DATA_DIR))
    own = _read_settings(given)
    host = own.host if "CHATCORE_EXTERNAL_URL" in given else ""
    if not host or not host.isascii() or not host.isprintable():
        raise BadSetting("external_url must name its host, in ASCII, such as 'https://club.example.com'.")
    return own


def from_file(path: Path = SETTINGS_FILE) -> Mapping[str, str]:
    """Read a settings file, as the variables with the same meaning in the environment.

    `port = 8000` is CHATCORE_PORT; in a table `[init]`, `name = "…"` is CHATCORE_INIT_NAME. A missing file
    has no settings.

    :raises BadSetting: no TOML, or a value that is neither text, a number, nor true or false
    """
    try:
        table = tomllib.loads(path.read_bytes().decode("utf-8-sig"))
        return dict(_flatten_table(path, VARIABLE_PREFIX, table))
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise BadSetting(f"{path} cannot be read: {error.strerror}.") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BadSetting(f"{path} is not TOML: {error}.") from error


def _flatten_table(path: Path, prefix: str, table: Mapping[str, object]) -> Iterator[tuple[str, str]]:
    """Yield the variables that stand for the keys of a table and of the tables in it."""
    for key, value in table.items():
        name = prefix + key.upper()
        if isinstance(value, dict):
            yield from _flatten_table(path, f"{name}_", value)
        elif isinstance(value, bool):
            yield name, "on" if value else "off"
        elif isinstance(value, str | int):
            yield name, str(value)
        else:
            raise BadSetting(f"{path}: '{key}' must be text, a number, true or false.")
