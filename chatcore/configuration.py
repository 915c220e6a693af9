"""Reading the settings of a server, or of several organizations, from the environment and from files."""

import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import quote

from chatcore.domain.mail.mails import is_mailable
from chatcore.domain.rate_limits import RULES
from chatcore.settings import (
    AN_ORIGIN,
    DATA_DIR,
    FORWARDED,
    SMTP_TLS,
    BadSetting,
    Settings,
    is_origin,
    read_limits,
    sqlite_file,
)

SETTINGS_FILE = Path("chatcore.toml")
"""The settings file in the working directory, which may be missing."""
PREFIX = "CHATCORE_"
MIN_SECRET_LENGTH = 32
MIN_TOKEN_LENGTH = 20


TRUE_WORDS = frozenset({"1", "true", "yes", "on"})
FALSE_WORDS = frozenset({"0", "false", "no", "off"})


def truth(text: str) -> bool:
    """Read 'on' or 'off'.

    :raises ValueError: another word
    """
    word = text.strip().lower()
    if word in TRUE_WORDS:
        return True
    if word in FALSE_WORDS:
        return False
    raise ValueError("use 'on' or 'off'")


def _address(text: str) -> str:
    address = text.rstrip("/")
    scheme, separator, rest = address.partition("://")
    if scheme not in ("http", "https") or not separator or not rest or rest != rest.strip():
        raise ValueError("use the complete address, such as 'https://chat.example.com'")
    return address


def _limit(text: str) -> str:
    read_limits(text)
    return text


def _number(text: str) -> int:
    if not text.isascii() or not text.isdecimal():
        raise ValueError("use a number")
    return int(text)


def _positive(text: str) -> int:
    if (number := _number(text)) < 1:
        raise ValueError("use a number above 0")
    return number


def _port(text: str) -> int:
    if (number := _number(text)) not in range(1, 65_536):
        raise ValueError("use a port, a number from 1 to 65535")
    return number


def _mail_address(text: str) -> str:
    if not is_mailable(text):
        raise ValueError("use an address such as 'chat@example.com'")
    return text


def _first_line_in(path: str) -> str:
    try:
        return Path(path).read_text().partition("\n")[0]
    except (OSError, UnicodeDecodeError) as error:
        raise ValueError("the file cannot be read") from error


def _forwarded(text: str) -> frozenset[str]:
    words = frozenset(word.strip().lower() for word in text.split(",") if word.strip())
    if words - FORWARDED:
        raise ValueError("name some of 'for', 'proto', 'host' and 'prefix', with commas")
    return words


def _origins(text: str) -> tuple[str, ...]:
    origins = tuple(word.strip() for word in text.split(",") if word.strip())
    if not all(map(is_origin, origins)):
        raise ValueError(f"{AN_ORIGIN}; several with commas")
    return origins


def _secret(variable: str) -> Callable[[str], bytes]:
    def read(text: str) -> bytes:
        # No message may contain the secret itself, whatever is wrong with it.
        try:
            return _long_enough(text.encode())
        except ValueError as error:
            raise BadSetting(f"{variable} cannot be used: {error}.") from None

    return read


def _secret_in(path: str) -> bytes:
    try:
        return _long_enough(Path(path).read_bytes().strip())
    except OSError as error:
        raise ValueError(error.strerror) from error


def _token(text: str) -> str:
    if len(text) < MIN_TOKEN_LENGTH or not text.isascii() or not text.isprintable():
        raise BadSetting(
            f"CHATCORE_METRICS_TOKEN cannot be used: it needs {MIN_TOKEN_LENGTH} plain characters."
        )
    return text


ALGORITHMS = ("HS256", "HS384", "HS512")


def _algorithms(text: str) -> tuple[str, ...]:
    names = tuple(name.strip().upper() for name in text.split(",") if name.strip())
    if not names or not set(names) <= {*ALGORITHMS}:
        raise ValueError("name some of 'HS256', 'HS384' and 'HS512', with commas")
    return names


def _one_of(*words: str) -> Callable[[str], str]:
    def read(text: str) -> str:
        if text.lower() not in words:
            raise ValueError(f"use {', '.join(words[:-1])} or {words[-1]}")
        return text.lower()

    return read


def _long_enough(secret: bytes) -> bytes:
    if len(secret) < MIN_SECRET_LENGTH:
        raise ValueError(f"a secret has at least {MIN_SECRET_LENGTH} random characters")
    return secret


READERS: Mapping[str, tuple[str, Callable[[str], object]]] = {
    "CHATCORE_DATABASE_URL": ("database_url", str),
    "CHATCORE_DATA_DIR": ("data_dir", Path),
    "CHATCORE_SECRET_KEY_FILE": ("secret_key", _secret_in),
    "CHATCORE_SECRET_KEY": ("secret_key", _secret("CHATCORE_SECRET_KEY")),
    "CHATCORE_EXTERNAL_URL": ("external_url", _address),
    "CHATCORE_DEVELOPMENT": ("development", truth),
    "CHATCORE_COMPAT_BRAND": ("compat_brand", str),
    "CHATCORE_RATE_LIMITS": ("rate_limits", truth),
    "CHATCORE_CONNECTIONS_PER_ADDRESS": ("connections_per_address", _number),
    "CHATCORE_TRUSTED_PROXIES": ("trusted_proxies", _number),
    "CHATCORE_FORWARDED_HEADERS": ("forwarded_headers", _forwarded),
    "CHATCORE_OUTGOING_PRIVATE_ADDRESSES": ("outgoing_private_addresses", truth),
    "CHATCORE_EXTERNAL_IMAGES": ("external_images", truth),
    "CHATCORE_FRAME_ANCESTORS": ("frame_ancestors", _origins),
    "CHATCORE_METRICS_TOKEN": ("metrics_token", _token),
    "CHATCORE_GIPHY_API_KEY": ("giphy_api_key", str),
    "CHATCORE_BIGBLUEBUTTON_URL": ("bigbluebutton_url", _address),
    "CHATCORE_BIGBLUEBUTTON_SECRET_FILE": ("bigbluebutton_secret", _first_line_in),
    "CHATCORE_BIGBLUEBUTTON_SECRET": ("bigbluebutton_secret", str),
    "CHATCORE_GRAVATAR": ("gravatar", truth),
    "CHATCORE_SMTP_HOST": ("smtp_host", str),
    "CHATCORE_SMTP_PORT": ("smtp_port", _port),
    "CHATCORE_SMTP_USER": ("smtp_user", str),
    "CHATCORE_SMTP_PASSWORD_FILE": ("smtp_password", _first_line_in),
    "CHATCORE_SMTP_PASSWORD": ("smtp_password", str),
    "CHATCORE_SMTP_TLS": ("smtp_tls", _one_of(*SMTP_TLS)),
    "CHATCORE_SMTP_TIMEOUT": ("smtp_timeout", _positive),
    "CHATCORE_MAIL_FOLDER": ("mail_folder", Path),
    "CHATCORE_MAIL_FROM": ("mail_from", _mail_address),
    "CHATCORE_JWT_KEY_FILE": ("jwt_key", _secret_in),
    "CHATCORE_JWT_KEY": ("jwt_key", _secret("CHATCORE_JWT_KEY")),
    "CHATCORE_JWT_ALGORITHMS": ("jwt_algorithms", _algorithms),
    "CHATCORE_LOG_FORMAT": ("log_format", _one_of("text", "json", "off")),
    "CHATCORE_LOG_LEVEL": ("log_level", _one_of("info", "warning", "error")),
}
"""Each variable with its setting and the reader of its text. The last one wins if two set the same."""


RULE_VARIABLES: Mapping[str, str] = {f"CHATCORE_RATE_LIMITS_{name.upper()}": name for name in RULES}
"""Each variable of a rate limit, with its rule."""

ORGANIZATIONS = "CHATCORE_ORGANIZATIONS"
"""A folder in which each folder with a settings file is an organization."""

OWN = frozenset(
    {
        "CHATCORE_DATABASE_URL",
        "CHATCORE_DATA_DIR",
        "CHATCORE_SECRET_KEY_FILE",
        "CHATCORE_SECRET_KEY",
        "CHATCORE_EXTERNAL_URL",
        "CHATCORE_JWT_KEY_FILE",
        "CHATCORE_JWT_KEY",
        "CHATCORE_JWT_ALGORITHMS",
    }
)
"""Settings that each of several organizations has; all others apply to the whole server."""


def from_environment(environment: Mapping[str, str]) -> Settings:
    """Read settings from variables named `CHATCORE_…`; absent ones keep their defaults.

    :raises BadSetting: a value that cannot be read; or with several organizations, a setting that each of
        them has in its own file, or an organization with invalid settings
    """
    settings = _read(environment)
    if not environment.get(ORGANIZATIONS):
        return settings
    if misplaced := sorted(OWN & environment.keys()):
        raise BadSetting(
            f"{misplaced[0]} cannot be set for a server of several organizations:"
            f" set it in the {SETTINGS_FILE} of each organization."
        )
    return replace(settings, organizations=_organizations_in(Path(environment[ORGANIZATIONS]), settings))


def _read(environment: Mapping[str, str]) -> Settings:
    given: dict[str, Any] = {"url_is_a_guess": "CHATCORE_EXTERNAL_URL" not in environment}
    for variable, (name, read) in READERS.items():
        if (text := environment.get(variable)) is not None:
            given[name] = _value(variable, text, read)
    rules = {
        rule: _value(variable, environment[variable], _limit)
        for variable, rule in RULE_VARIABLES.items()
        if variable in environment
    }
    return Settings(**given, rate_limit_rules=rules)


def _value(variable: str, text: str, read: Callable[[str], object]) -> Any:
    try:
        return read(text)
    except BadSetting:
        raise
    except ValueError as error:
        raise BadSetting(f"{variable} is '{text}': {error}.") from error


def _organizations_in(folder: Path, server: Settings) -> tuple[Settings, ...]:
    organizations: list[Settings] = []
    files: dict[tuple[str, str], Path] = {}
    for file in sorted(folder.glob(f"*/{SETTINGS_FILE}")):
        try:
            own = _organization(file)
        except BadSetting as error:
            raise BadSetting(f"{file}: {error}") from error
        for what, value in (("host", own.host), ("database", own.database_url)):
            if (other := files.setdefault((what, value), file)) is not file:
                raise BadSetting(f"{file} has the same {what} as {other}; change one of them.")
        given = {name: getattr(own, name) for name in {READERS[variable][0] for variable in OWN}}
        organizations.append(replace(server, url_is_a_guess=False, **given))
    if not organizations:
        raise BadSetting(
            f"No folder in '{folder}' has a {SETTINGS_FILE}, as each organization's has;"
            f" --organizations and {ORGANIZATIONS} name the folder of such folders."
        )
    return tuple(organizations)


def _organization(file: Path) -> Settings:
    """Return an organization's own settings; paths are relative to its folder, in which its commands run."""
    given, home = dict(from_file(file)), file.parent.absolute()
    if odd := sorted(given.keys() - OWN):
        raise BadSetting(
            f"'{odd[0].removeprefix(PREFIX).lower()}' is not a setting of a single organization; remove it."
        )
    for path in ("CHATCORE_DATA_DIR", "CHATCORE_SECRET_KEY_FILE", "CHATCORE_JWT_KEY_FILE"):
        if path in given:
            given[path] = str(home / given[path])
    database = given.setdefault("CHATCORE_DATABASE_URL", Settings().database_url)
    if (database_file := sqlite_file(database)) is not None:
        given["CHATCORE_DATABASE_URL"] = f"sqlite:///{quote(str(home / database_file))}"
    else:
        given.setdefault("CHATCORE_DATA_DIR", str(home / DATA_DIR))
    own = _read(given)
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
        with path.open("rb") as file:
            return dict(_variables(path, PREFIX, tomllib.load(file)))
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise BadSetting(f"{path} cannot be read: {error.strerror}.") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BadSetting(f"{path} is not TOML: {error}.") from error


def _variables(path: Path, prefix: str, table: Mapping[str, object]) -> Iterator[tuple[str, str]]:
    for key, value in table.items():
        name = prefix + key.upper()
        if isinstance(value, dict):
            yield from _variables(path, f"{name}_", value)
        elif isinstance(value, bool):
            yield name, "on" if value else "off"
        elif isinstance(value, str | int):
            yield name, str(value)
        else:
            raise BadSetting(f"{path}: '{key}' must be text, a number, true or false.")
