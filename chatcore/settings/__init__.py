"""The settings of one server: a frozen value that the entry points make and pass on."""

import hashlib
import hmac
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from functools import lru_cache
from pathlib import Path
from urllib.parse import unquote

from chatcore.domain.errors import ChatcoreError
from chatcore.domain.files.foreign_media import ForeignMedia, ForeignMode
from chatcore.domain.push.modes import PushMode
from chatcore.domain.sign_on.providers import Provider
from chatcore.settings.remote_user import require_named_proxies
from chatcore.settings.rules import require_valid
from chatcore.settings.shown import may_have_password, without_userinfo

SERVICE_VERSION = "11.0"
SERVICE_FEATURE_LEVEL = 421

NEUTRAL_WORD = "service"
"""The neutral word in a name that also has a spelling with a brand."""
DATA_DIR = "chat-data"


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Settings of a server; in the environment each has its name with the prefix `CHATCORE_`."""

    database_url: str = field(default="sqlite:///chat.db", repr=False)
    """The store: also `sqlite:////absolute/path.db` or `postgresql://user@host/name`."""
    read_database_url: str = field(default="", repr=False)
    """A streaming replica of a PostgreSQL store, from which is read what it has already."""
    data_dir: Path | None = None
    """The folder of the secret and of uploaded files; without it, `chat-data` beside the database file, or in
    the working directory.
    """
    uploads_url: str = ""
    """The place of uploaded files in a bucket of an S3-compatible service, `s3://bucket/prefix`; without it,
    they are in the data folder.
    """
    secret_key: bytes = field(default=b"", repr=False)
    """The secret from which API keys are derived, at least 32 characters, or a file with it; without either,
    one is made in the data folder.
    """
    external_url: str = "http://127.0.0.1:9991"
    """The address that people and clients use, such as `https://chat.example.com`; without it, the address on
    which `serve` listens.
    """
    url_is_a_guess: bool = False
    """Whether `external_url` was not set; a client that connects to a literal IP address then receives that
    address as the server's.
    """
    development: bool = False
    """Whether anybody is admitted without a password (`dev_fetch_api_key`); never on a real server."""
    compat_brand: str = ""
    """A word for a second spelling of each identifier that begins with `service_`, sent and accepted
    beside the first (see `chatcore.http.pipeline.brand`).
    """
    rate_limits: bool = True
    """Whether limits keep one account or address from using up the server's capacity."""
    rate_limit_rules: Mapping[str, str] = field(default_factory=dict)
    """Limits that differ from those of `chatcore.domain.rate_limits`, by the names of its rules."""
    limits: Mapping[str, int] = field(default_factory=dict)
    """Limits that differ from those of `chatcore.domain.limits`, by the names of those that can be set."""
    connections_per_address: int = 200
    """Connections that a worker keeps open for one address; ten times as many for an IPv6 network of 48 bits;
    0 for any number. They are not counted behind a trusted proxy, whose address all of them have.
    """
    trusted_proxies: int = 0
    """Number of proxies in front of the server that add to `X-Forwarded-…`; 0 ignores those headers, and
    all clients behind a proxy share one address.
    """
    forwarded_headers: frozenset[str] = frozenset({"for", "proto"})
    """The `X-Forwarded-…` headers that the proxies set, of `for`, `proto`, `host` and `prefix`; any other
    would be the client's own.
    """
    outgoing_private_addresses: bool = False
    """Whether requests to addresses that people have given, such as those of bots and of links in messages,
    may go to private networks and to this host.
    """
    external_images: str = ForeignMode.PROXY
    """Pictures of other sites in messages: `proxy` shows them by way of this server, with films and sounds as
    links; `off` shows links only; with `direct`, readers ask the other sites, which learn who reads when.
    """
    frame_ancestors: tuple[str, ...] = ()
    """Origins of the pages that may show the web client in a frame, such as `https://club.example.com`."""
    metrics_token: str = field(default="", repr=False)
    """The token for reading `/metrics`, at least 20 characters; without it there is no such page."""
    giphy_api_key: str = field(default="", repr=False)
    """The key with which clients search for GIFs; it is sent to all of them. Without it they offer no search.
    """
    bigbluebutton_url: str = ""
    """The address of a BigBlueButton server for video calls, as its `bbb-conf --secret` shows it; without it
    organizations cannot choose such calls. One in a private network needs `outgoing_private_addresses` too.
    """
    bigbluebutton_secret: str = field(default="", repr=False)
    """Its secret, which signs the addresses of calls, or a file that has it in its first line."""
    gravatar: bool = True
    """Whether `avatar_url` is null for clients that compute the address of a picture themselves, possibly at
    an outside service; if not, they receive the address of a picture that the server draws.
    """
    web_push: str = PushMode.TEXT
    """Pushes to browsers that people let have them: `text` has the beginning of a message, `notice` only says
    that there is one; `off` sends none. They need the extra `push`.
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
    """Encryption of the connection: `starttls`, `tls` from the beginning (port 465), or `off`, only for a
    server on the same machine.
    """
    smtp_timeout: int = 20
    """Seconds that one step of sending a mail may take."""
    mail_folder: Path | None = None
    """A folder into which mails are written, a file each, if there is no `smtp_host`; `var/mail` for
    the demo.
    """
    mail_from: str = ""
    """The sender's address of mails; empty stands for `noreply@` and the host."""
    receives_mail: bool = False
    """Whether a mail server passes on the mail to the host of `external_url`, so that people can answer mails
    about missed messages.
    """
    jwt_key: bytes = field(default=b"", repr=False)
    """The key, at least 32 characters, with which another program signs tokens that vouch for people, or a
    file with it; who has it can log in as anybody. Without it no token is accepted.
    """
    jwt_algorithms: tuple[str, ...] = ("HS256",)
    """The algorithms of these tokens: some of `HS256`, `HS384` and `HS512`."""
    remote_user_header: str = ""
    """The header, such as `Remote-User`, in which a proxy in front of the server says who has logged in;
    without it no header is believed.
    """
    remote_user_proxies: tuple[str, ...] = ()
    """The addresses and networks of the proxies from which it is believed, such as `127.0.0.1`; `unix` stands
    for a UNIX socket. Whoever can send requests from there can log in as anybody.
    """
    remote_user_email_header: str = ""
    """The header with the person's e-mail address; without it, the name of the person is the address."""
    remote_user_domain: str = ""
    """The domain of the address of a person whose name is none, such as `example.com`: `ada` is
    `ada@example.com`.
    """
    remote_user_name_header: str = ""
    """The header with the person's full name, which the account has after each login."""
    remote_user_groups_header: str = ""
    """The header with the names of the person's groups, separated by commas or semicolons."""
    remote_user_groups: tuple[str, ...] = ()
    """The names of this organization's groups of which that header decides who is in them."""
    remote_user_logout_url: str = ""
    """The address that logs out of the proxy, to which the web client goes after logging out."""
    oidc: tuple[Provider, ...] = ()
    """Providers of OpenID Connect by which people log in; in a settings file, each is a table `[oidc.NAME]`.
    """
    scim_token: str = field(default="", repr=False)
    """The token, at least 32 characters, by which a login service provisions accounts and groups (SCIM), or a
    file that has it in its first line; without it there is no such service. It needs the extra `scim`.
    """
    login_app_scheme: str = ""
    """The scheme of the addresses by which a mobile app gets its key after such a login, such as `chatapp`;
    without it, such apps cannot log in so.
    """
    audit_days: int = 400
    """Days for which the audit log keeps its entries."""
    retention_archive: Path | None = None
    """A folder into which messages are written before they are deleted for their age; without it they are not
    kept.
    """
    log_format: str = "text"
    """Format of a server's log: `text` or `json` lines on standard error, or `off`, which leaves logging to
    the WSGI server.
    """
    security_log: Path | None = None
    """The file of the security log; by default its lines are among those of the log."""
    log_level: str = "info"
    """The lowest level that is written: `info`, `warning`, with failed logins alone of the access log, or
    `error`.
    """
    organizations: "tuple[Settings, ...]" = ()
    """Several organizations, each at the host of its `external_url`; this one is then not served itself."""

    def __post_init__(self) -> None:
        if self.data_dir is not None:  # programs without types may pass a text
            object.__setattr__(self, "data_dir", Path(self.data_dir))
        for name in ("external_url", "bigbluebutton_url"):
            object.__setattr__(self, name, getattr(self, name).rstrip("/"))
        for setting in fields(self):
            if (value := getattr(self, setting.name)) != setting.default:
                try:
                    require_valid(setting.name, value)
                except ValueError as error:
                    is_shown = setting.repr and not may_have_password(f"{value}")
                    shown = f" is {value!r}" if is_shown else ""
                    raise BadSetting(f"{setting.name}{shown}: {error}.") from None
        try:
            require_named_proxies(self)
        except ValueError as error:
            raise BadSetting(str(error)) from None

    @property
    def host(self) -> str:
        """Return the host of `external_url` without the port; placeholder addresses end in it."""
        return host_name(self.external_url.partition("://")[2].partition("/")[0])

    @property
    def sends_mail(self) -> bool:
        """Whether mails are sent, or at least written into a folder."""
        return bool(self.smtp_host) or self.mail_folder is not None

    @property
    def foreign_media(self) -> ForeignMedia:
        """Return what readers get of pictures of other sites."""
        return _foreign_media(self.external_images, self.secret_key)

    @property
    def has_bigbluebutton(self) -> bool:
        """Whether there is a server for video calls."""
        return bool(self.bigbluebutton_url and self.bigbluebutton_secret)

    @property
    def sender(self) -> str:
        """Return the address from which mails come."""
        return self.mail_from or f"noreply@{self.host}"

    @property
    def extra_emoji(self) -> str:
        """Return name and code of the server's own emoji."""
        return self.compat_brand or NEUTRAL_WORD

    @property
    def origin(self) -> str:
        """Return scheme, host and port of `external_url` as browsers write them, without the default port."""
        scheme, _, rest = self.external_url.lower().partition("://")
        usual = {"http": ":80", "https": ":443"}.get(scheme, "")
        return f"{scheme}://{rest.partition('/')[0].removesuffix(usual)}"


@lru_cache(maxsize=1000)  # each listener of an event asks for it
def _foreign_media(mode: str, secret_key: bytes) -> ForeignMedia:
    key = hmac.new(secret_key, b"external content", hashlib.sha256).hexdigest()
    return ForeignMedia(ForeignMode(mode), key)


def host_name(given: str) -> str:
    """Return the host of a Host header or an address in one spelling: lower case, no port, no final dot."""
    if given.startswith("["):
        return given.partition("]")[0].lower() + "]"
    return given.partition(":")[0].lower().removesuffix(".")


class BadSetting(ChatcoreError, ValueError):
    """An unreadable setting; the message contains its name and the allowed values."""


def sqlite_file(database_url: str) -> Path | None:
    """Return the file of a SQLite database; None for other databases and for one in memory."""
    scheme, separator, path = database_url.partition(":///")
    if scheme != "sqlite" or not separator or path == ":memory:":
        return None
    return Path(unquote(path))


def describe_database(database: str) -> str:
    """Return kind, host and name of a database, or its whole path; never user, password or query."""
    file = sqlite_file(database)
    if file is not None:
        return f"sqlite:///{file.absolute()}"
    scheme, _, rest = without_userinfo(database).partition("://")
    place, _, name = rest.partition("/")
    host, query, _ = place.partition("?")  # a query at once after the host: there is no name
    return f"{scheme}://{host}/{'' if query else name.partition('?')[0]}"
