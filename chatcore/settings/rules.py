"""Rules for the values of settings, which hold for programs, the environment and files alike."""

import re
from collections.abc import Callable, Collection, Mapping
from functools import cache
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from chatcore.domain.files.foreign_media import ForeignMode
from chatcore.domain.limits import SETTABLE
from chatcore.domain.mail.mails import is_mailable
from chatcore.domain.push.modes import PushMode
from chatcore.domain.rate_limits import RULES as RATE_LIMITS
from chatcore.domain.sign_on.providers import Provider
from chatcore.settings import remote_user

if TYPE_CHECKING:
    from limits import RateLimitItem

MIN_SECRET_LENGTH: Final = 32
MIN_TOKEN_LENGTH: Final = 20
ALGORITHMS: Final = ("HS256", "HS384", "HS512")
FORWARDED: Final = ("for", "proto", "host", "prefix")
SMTP_TLS: Final = ("starttls", "tls", "off")
LOG_FORMATS: Final = ("text", "json", "off")
LOG_LEVELS: Final = ("info", "warning", "error")
OFF: Final = "off"
"""The word for no limit."""

Rule = Callable[[Any], None]
"""Raises a ValueError that says which value to use instead."""

_ORIGIN: Final = re.compile(
    r"https?://(?:[a-z0-9-]+(?:\.[a-z0-9-]+)*|\[[0-9a-f:.]+\])(?::([1-9][0-9]{0,4}))?"
)
_BUCKET: Final = re.compile(r"s3://[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](?:/[A-Za-z0-9._/-]*)?")
_SCHEME: Final = re.compile(r"[a-z][a-z0-9+.-]{1,30}")
_SCHEMES_OF_BROWSERS: Final = frozenset({"http", "https", "javascript", "data", "file", "blob", "about"})
_PROVIDER_NAME: Final = re.compile(r"[a-z0-9]{1,30}")
_ADDRESS: Final = re.compile(r"https?://\S+")


def _require_secret(value: bytes) -> None:
    if not isinstance(value, bytes) or len(value) < MIN_SECRET_LENGTH:
        raise ValueError(f"a secret has at least {MIN_SECRET_LENGTH} random bytes")


def _require_token(value: str) -> None:
    if len(value) < MIN_TOKEN_LENGTH or not value.isascii() or not value.isprintable():
        raise ValueError(f"it needs at least {MIN_TOKEN_LENGTH} plain characters")


def _require_long_token(value: str) -> None:
    if len(value) < MIN_SECRET_LENGTH or not value.isascii() or not value.isprintable() or " " in value:
        raise ValueError(f"it needs at least {MIN_SECRET_LENGTH} plain characters")


def _require_address(value: str) -> None:
    if not _ADDRESS.fullmatch(value) or not _has_host(value):
        raise ValueError("use the complete address, such as 'https://chat.example.com'")


def _has_host(url: str) -> bool:
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname, parts.port
    except ValueError:  # no port, such as the beginning of a password with a slash in it
        return False
    return bool(host)


def _require_bucket(value: str) -> None:
    if not _BUCKET.fullmatch(value):
        raise ValueError("use 's3://bucket' or 's3://bucket/prefix'")


def _require_mail_address(value: str) -> None:
    if not is_mailable(value):
        raise ValueError("use an address such as 'chat@example.com'")


def _require_origins(value: Collection[str]) -> None:
    # They become a part of a header, and of what browsers permit.
    for origin in value:
        match = _ORIGIN.fullmatch(origin)
        if match is None or int(match[1] or 0) >= 2**16:
            raise ValueError(
                "use scheme, host and port alone, in lower case, such as 'https://club.example.com'"
            )


def _one_of(words: Collection[str]) -> Rule:
    def check(value: str) -> None:
        if value not in words:
            raise ValueError(f"use one of {', '.join(words)}")

    return check


def _some_of(words: Collection[str], least: int) -> Rule:
    def check(value: Collection[str]) -> None:
        if isinstance(value, str) or len(value) < least or not set(value) <= {*words}:
            raise ValueError(f"use some of {', '.join(words)}")

    return check


def _at_least(least: int, most: int | None = None) -> Rule:
    allowed = f"a number from {least} to {most}" if most else f"a number of at least {least}"

    def check(value: int) -> None:
        if value < least or (most is not None and value > most):
            raise ValueError(f"use {allowed}")

    return check


LIMIT_RULES: Final[Mapping[str, Rule]] = {name: _at_least(*bounds) for name, bounds in SETTABLE.items()}
"""The rules of the limits that can be set."""


def _require_rate_limits(value: Mapping[str, str]) -> None:
    for name, text in value.items():
        if name not in RATE_LIMITS:
            raise ValueError(f"there is no rate limit '{name}'")
        read_limits(text)


def _require_limits(value: Mapping[str, int]) -> None:
    for name, number in value.items():
        if name not in LIMIT_RULES:
            raise ValueError(f"there is no limit '{name}' that can be set")
        try:
            LIMIT_RULES[name](number)
        except ValueError as error:
            raise ValueError(f"for '{name}' {error}") from None


def _require_scheme(value: str) -> None:
    if not _SCHEME.fullmatch(value) or value in _SCHEMES_OF_BROWSERS:
        raise ValueError("use the name of a scheme that is the app's own, such as 'chatapp'")


def _require_providers(value: Collection[Provider]) -> None:
    if len({provider.name for provider in value}) < len(value):
        raise ValueError("two providers have one name")
    for provider in value:
        require_usable(provider)


def require_usable(provider: Provider) -> None:
    """Check what is set of a provider.

    :raises ValueError: it cannot be used, or a part would have no effect; the message names its table
    """
    table = f"[oidc.{provider.name}]"
    if not _PROVIDER_NAME.fullmatch(provider.name):
        raise ValueError(f"'{provider.name}' is no name for a provider: use letters and digits")
    try:
        _require_address(provider.issuer)
    except ValueError as error:
        raise ValueError(f"{table}: '{provider.issuer}' is no issuer: {error}") from None
    if not provider.client_id:
        raise ValueError(f"{table} has no client_id")
    if "openid" not in provider.scopes.split():
        raise ValueError(f"{table}: the scopes must have 'openid'")
    for claim, values in (("role_claim", "roles"), ("groups_claim", "groups")):
        has_claim, has_values = bool(getattr(provider, claim)), bool(getattr(provider, values))
        if has_claim and not has_values:
            raise ValueError(f"{table}: {claim} without {values} has no effect")
        if has_values and not has_claim:
            raise ValueError(f"{table}: {values} without {claim} have no effect")


RULES: Final[Mapping[str, Rule]] = {
    "uploads_url": _require_bucket,
    "secret_key": _require_secret,
    "external_url": _require_address,
    "rate_limit_rules": _require_rate_limits,
    "limits": _require_limits,
    "connections_per_address": _at_least(0),
    "trusted_proxies": _at_least(0),
    "forwarded_headers": _some_of(FORWARDED, least=0),
    "external_images": _one_of(tuple(ForeignMode)),
    "web_push": _one_of(tuple(PushMode)),
    "frame_ancestors": _require_origins,
    "metrics_token": _require_token,
    "bigbluebutton_url": _require_address,
    "smtp_port": _at_least(1, 65_535),
    "smtp_tls": _one_of(SMTP_TLS),
    "smtp_timeout": _at_least(1),
    "mail_from": _require_mail_address,
    "jwt_key": _require_secret,
    "jwt_algorithms": _some_of(ALGORITHMS, least=1),
    "remote_user_header": remote_user.require_header_name,
    "remote_user_proxies": remote_user.require_networks,
    "remote_user_email_header": remote_user.require_header_name,
    "remote_user_domain": remote_user.require_domain,
    "remote_user_name_header": remote_user.require_header_name,
    "remote_user_groups_header": remote_user.require_header_name,
    "remote_user_logout_url": _require_address,
    "scim_token": _require_long_token,
    "login_app_scheme": _require_scheme,
    "oidc": _require_providers,
    "audit_days": _at_least(1, 36_500),
    "log_format": _one_of(LOG_FORMATS),
    "log_level": _one_of(LOG_LEVELS),
}
"""The rules of those settings that cannot have each value of their type."""


def require_valid(name: str, value: object) -> None:
    """Check the value of a setting.

    :raises ValueError: it is not allowed; the message says which ones are
    """
    if (rule := RULES.get(name)) is not None:
        rule(value)


@cache
def read_limits(text: str) -> "tuple[RateLimitItem, ...]":
    """Read the limits of a rule of `chatcore.domain.rate_limits`, as they are set; none if they are off.

    :raises ValueError: the text has no limits
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
