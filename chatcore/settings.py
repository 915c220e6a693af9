"""The settings of one server: a frozen value that the entry points read and pass on."""

import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import quote, unquote

from chatcore.domain.mail.mails import is_mailable
from chatcore.domain.rate_limits import RULES

if TYPE_CHECKING:
    from limits import RateLimitItem

SERVICE_VERSION = "11.0"
SERVICE_FEATURE_LEVEL = 420

SETTINGS_FILE = Path("chatcore.toml")
"""The settings file in the working directory, which may be missing."""
PREFIX = "CHATCORE_"
NEUTRAL_WORD = "service"
"""The neutral word in a name that also has a spelling with a brand."""
DATA_DIR = "chat-data"
MIN_SECRET_LENGTH = 32
MIN_TOKEN_LENGTH = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Settings of a server; in the environment each has its name with the prefix `CHATCORE_`."""

    database_url: str = "sqlite:///chat.db"
    """The store: also `sqlite:////absolute/path.db` or `postgresql://user@host/name`."""
    data_dir: Path | None = None
    """The folder of uploads and the secret; None is a folder beside the database (see `bootstrap`)."""
    secret_key: bytes = b""
    """The secret from which API keys are derived, at least 32 characters, or a file with it; without either,
    one is made in the data folder.
    """
    external_url: str = "http://127.0.0.1:9991"
    """The address that people and clients use, without a slash at the end."""
    url_is_a_guess: bool = False
    """Whether `external_url` was not set; a client that connects to a literal IP address then receives that
    address as the server's.
    """
    development: bool = False
    """Whether anybody is admitted without a password (`dev_fetch_api_key`); never on a real server."""
    compat_brand: str = ""
    """A word for a second spelling of each identifier that begins with `service_`, sent and accepted
    beside the first (see `chatcore.http.brand`).
    """
    rate_limits: bool = True
    """Whether limits keep one account or address from using up the server's capacity."""
    rate_limit_rules: Mapping[str, str] = field(default_factory=dict)
    """Limits that differ from those of `chatcore.domain.rate_limits`, by the names of its rules."""
    connections_per_address: int = 200
    """Open connections at a time in one worker; not counted behind a trusted proxy, whose address all of them
    have.
    """
    trusted_proxies: int = 0
    """Number of proxies in front of the server that add to `X-Forwarded-…`; 0 ignores those headers."""
    forwarded_headers: frozenset[str] = frozenset({"for", "proto"})
    """The `X-Forwarded-…` headers that the proxies set; any other would be the client's own."""
    outgoing_private_addresses: bool = False
    """Whether requests to addresses that people have given, such as those of webhooks, may go to private
    networks and to this host.
    """
    external_images: bool = True
    """Whether messages show pictures, videos and audio of other servers, which learn who reads when."""
    frame_ancestors: tuple[str, ...] = ()
    """Origins of the pages that may show the web client in a frame, such as `https://club.example.com`."""
    metrics_token: str = ""
    """The token for reading `/metrics`; without it there is no such page."""
    giphy_api_key: str = ""
    """The key with which clients search for GIFs; it is sent to all of them. Without it they offer no search.
    """
    gravatar: bool = True
    """Whether `avatar_url` is null for clients that compute the address of a picture themselves, possibly at
    an outside service; if not, they receive the address of a picture that the server draws.
    """
    smtp_host: str = ""
    """The server that takes mails; without it and without a folder, no mail is sent."""
    smtp_port: int = 587
    """The port of the server that takes mails."""
    smtp_user: str = ""
    """The login there; empty for none."""
    smtp_password: str = field(default="", repr=False)
    """The password there, or a file that has it in its first line."""
    smtp_tls: str = "starttls"
    """How the connection is encrypted: `starttls`, `tls` from the beginning, or `off`."""
    smtp_timeout: int = 20
    """Seconds that one step of sending a mail may take."""
    mail_folder: Path | None = None
    """A folder into which mails are written, a file each, instead of being sent."""
    mail_from: str = ""
    """The sender's address of mails; empty stands for `noreply@` and the host."""
    log_format: str = "text"
    """Format of a server's log: `text` or `json` lines on standard error, or `off`."""
    log_level: str = "info"
    """The lowest level that is written; above `info` there is no access log."""
    organizations: "tuple[Settings, ...]" = ()
    """Several organizations, each at the host of its `external_url`; this one is then not served itself."""

    def __post_init__(self) -> None:
        if self.data_dir is not None:  # programs without types may pass a text
            object.__setattr__(self, "data_dir", Path(self.data_dir))
        for origin in self.frame_ancestors:
            if not is_origin(origin):  # it becomes a part of a header, and of what browsers permit
                raise BadSetting(f"{origin!r} in frame_ancestors is no origin: {AN_ORIGIN}.")

    @property
    def host(self) -> str:
        """Return the host of `external_url` without the port; placeholder addresses end in it."""
        return host_name(self.external_url.partition("://")[2].partition("/")[0])

    @property
    def sends_mail(self) -> bool:
        """Whether mails are sent, or at least written into a folder."""
        return bool(self.smtp_host) or self.mail_folder is not None

    @property
    def sender(self) -> str:
        """Return the address from which mails come."""
        return self.mail_from or f"noreply@{self.host}"

    @property
    def extra_emoji(self) -> str:
        """Return name and code of the server's own emoji."""
        return self.compat_brand or NEUTRAL_WORD

    @property
    def is_secure(self) -> bool:
        """Whether people connect over TLS."""
        return self.origin.startswith("https://")

    @property
    def origin(self) -> str:
        """Return scheme, host and port of `external_url` as browsers write them, without the default port."""
        scheme, _, rest = self.external_url.lower().partition("://")
        usual = {"http": ":80", "https": ":443"}.get(scheme, "")
        return f"{scheme}://{rest.partition('/')[0].removesuffix(usual)}"


_ORIGIN: Final = re.compile(
    r"https?://(?:[a-z0-9-]+(?:\.[a-z0-9-]+)*|\[[0-9a-f:.]+\])(?::([1-9][0-9]{0,4}))?"
)
AN_ORIGIN: Final = "use scheme, host and port alone, in lower case, such as 'https://club.example.com'"


def is_origin(text: str) -> bool:
    """Whether this is one origin as browsers write it, without a path, a wildcard or a keyword."""
    found = _ORIGIN.fullmatch(text)
    return found is not None and int(found[1] or 0) < 2**16


def host_name(given: str) -> str:
    """Return the host of a Host header or an address in one spelling: lower case, no port, no final dot."""
    if given.startswith("["):
        return given.partition("]")[0].lower() + "]"
    return given.partition(":")[0].lower().removesuffix(".")


TRUE_WORDS = frozenset({"1", "true", "yes", "on"})
FALSE_WORDS = frozenset({"0", "false", "no", "off", ""})


class BadSetting(ValueError):
    """An unreadable setting; the message contains its name and the allowed values."""


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


OFF: Final = "off"
"""The word for no limit."""


def read_limits(text: str) -> "tuple[RateLimitItem, ...]":
    """The limits of a rule of `chatcore.domain.rate_limits`, as they are set.

    :raises ValueError: no limits
    """
    from limits import parse_many  # loads much that most commands do not need

    if text.strip().lower() == OFF:
        return ()
    try:
        items = tuple(parse_many(text))
    except ValueError:
        items = ()
    if not items or any(item.amount < 1 or item.get_expiry() < 1 for item in items):
        raise ValueError("use a limit such as '200 per 60 seconds', or 'off'")
    return items


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


FORWARDED = frozenset({"for", "proto", "host", "prefix"})


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


def _secret(text: str) -> bytes:
    # No message may contain the secret itself, whatever is wrong with it.
    try:
        return _long_enough(text.encode())
    except ValueError as error:
        raise BadSetting(f"CHATCORE_SECRET_KEY cannot be used: {error}.") from None


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
    "CHATCORE_SECRET_KEY": ("secret_key", _secret),
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
    "CHATCORE_GRAVATAR": ("gravatar", truth),
    "CHATCORE_SMTP_HOST": ("smtp_host", str),
    "CHATCORE_SMTP_PORT": ("smtp_port", _port),
    "CHATCORE_SMTP_USER": ("smtp_user", str),
    "CHATCORE_SMTP_PASSWORD_FILE": ("smtp_password", _first_line_in),
    "CHATCORE_SMTP_PASSWORD": ("smtp_password", str),
    "CHATCORE_SMTP_TLS": ("smtp_tls", _one_of("starttls", "tls", "off")),
    "CHATCORE_SMTP_TIMEOUT": ("smtp_timeout", _positive),
    "CHATCORE_MAIL_FOLDER": ("mail_folder", Path),
    "CHATCORE_MAIL_FROM": ("mail_from", _mail_address),
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
    for path in ("CHATCORE_DATA_DIR", "CHATCORE_SECRET_KEY_FILE"):
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


def sqlite_file(database_url: str) -> Path | None:
    """Return the file of a SQLite database; None for other databases and for one in memory."""
    scheme, separator, path = database_url.partition(":///")
    if scheme != "sqlite" or not separator or path == ":memory:":
        return None
    return Path(unquote(path))


def shown(database: str) -> str:
    """Return kind, host and name of a database, or its whole path; never user, password or query."""
    file = sqlite_file(database)
    if file is not None:
        return f"sqlite:///{file.absolute()}"
    scheme, _, rest = database.partition("://")
    place, _, name = rest.partition("/")
    host, query, _ = place.rpartition("@")[2].partition("?")
    return f"{scheme}://{host}/{'' if query else name.partition('?')[0]}"
