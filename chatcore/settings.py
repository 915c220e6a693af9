"""How one server is set up: a frozen value that the entry points read and pass on."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

SERVICE_VERSION = "11.0"
SERVICE_FEATURE_LEVEL = 369


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Settings of a server; each is `CHATCORE_` and its name in the environment.

    `external_url` is the address that people and clients use, without a slash at the end.
    `compat_brand` also emits and accepts the brand spelling of the identifiers that have one.
    """

    database_url: str = "sqlite:///chat.db"
    data_dir: Path | None = None
    """Where uploads and the secret are; None is a folder beside the database (see `bootstrap`)."""
    secret_key: bytes = b""
    external_url: str = "http://127.0.0.1:9991"
    development: bool = False
    compat_brand: str = ""
    rate_limits: bool = True
    metrics: bool = False
    trusted_proxies: int = 0
    """How many proxies in front of the server add to `X-Forwarded-…`; 0 ignores those headers."""

    @property
    def host(self) -> str:
        """Host of `external_url` without the port; placeholder addresses end in it."""
        return self.external_url.partition("://")[2].partition("/")[0].partition(":")[0]


TRUE_WORDS = frozenset({"1", "true", "yes", "on"})
FALSE_WORDS = frozenset({"0", "false", "no", "off", ""})


class BadSetting(ValueError):
    """A setting that cannot be read; the message names it and what it may be."""


def _truth(text: str) -> bool:
    word = text.strip().lower()
    if word in TRUE_WORDS:
        return True
    if word in FALSE_WORDS:
        return False
    raise ValueError("use 'on' or 'off'")


def _number(text: str) -> int:
    if not text.isascii() or not text.isdecimal():
        raise ValueError("use a number")
    return int(text)


def _secret_in(path: str) -> bytes:
    try:
        return Path(path).read_bytes().strip()
    except OSError as error:
        raise ValueError(error.strerror) from error


READERS: Mapping[str, tuple[str, Callable[[str], object]]] = {
    "CHATCORE_DATABASE_URL": ("database_url", str),
    "CHATCORE_DATA_DIR": ("data_dir", Path),
    "CHATCORE_SECRET_KEY_FILE": ("secret_key", _secret_in),
    "CHATCORE_SECRET_KEY": ("secret_key", str.encode),
    "CHATCORE_EXTERNAL_URL": ("external_url", lambda text: text.rstrip("/")),
    "CHATCORE_DEVELOPMENT": ("development", _truth),
    "CHATCORE_COMPAT_BRAND": ("compat_brand", str),
    "CHATCORE_RATE_LIMITS": ("rate_limits", _truth),
    "CHATCORE_METRICS": ("metrics", _truth),
    "CHATCORE_TRUSTED_PROXIES": ("trusted_proxies", _number),
}
"""Each variable, the setting it is, and how its text is read. The last one wins where two are the same."""


def from_environment(environment: Mapping[str, str]) -> Settings:
    """Settings from variables named `CHATCORE_…`; those that are absent keep their defaults.

    :raises BadSetting: a value that cannot be read
    """
    given: dict[str, Any] = {}
    for variable, (name, read) in READERS.items():
        if (text := environment.get(variable)) is not None:
            try:
                given[name] = read(text)
            except ValueError as error:
                raise BadSetting(f"{variable} is '{text}': {error}.") from error
    return Settings(**given)
