"""Settings of providers of OpenID Connect: `[oidc.NAME]` in a file, `CHATCORE_OIDC_NAME_…` as variables."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import MISSING, fields
from typing import Any, Final

from chatcore.domain.roles import Role
from chatcore.domain.sign_on.providers import Provider
from chatcore.settings.reading import Reader, boolean, first_line_in
from chatcore.settings.rules import require_usable

_VARIABLE_PREFIX: Final = "CHATCORE_OIDC_"
_FILE_PREFIX: Final = "oidc_"
SECRET_FILE: Final = "client_secret_file"


def _read_pairs(text: str) -> Iterator[tuple[str, str]]:
    separator = ";" if ";" in text else ","  # names in a directory have commas
    for pair in filter(None, map(str.strip, text.split(separator))):
        outer, equals, inner = (part.strip() for part in pair.rpartition("="))
        if not (outer and equals and inner):
            raise ValueError("use 'theirs=ours, theirs=ours'")
        yield outer, inner


def _read_roles(text: str) -> Mapping[str, Role]:
    known = {role.name.lower(): role for role in Role}
    given = dict(_read_pairs(text))
    if odd := sorted(given[name] for name in given if given[name].lower() not in known):
        raise ValueError(f"'{odd[0]}' is no role; use {', '.join(known)}")
    return {name: known[role.lower()] for name, role in given.items()}


_OTHER_READERS: Final[Mapping[str, Reader]] = {
    "trust_email": boolean,
    "log_out": boolean,
    "roles": _read_roles,
    "groups": lambda text: dict(_read_pairs(text)),
    SECRET_FILE: first_line_in,
}
_FIELDS: Final = [field.name for field in fields(Provider) if field.name != "name"]
READERS: Final[Mapping[str, Reader]] = {
    name: _OTHER_READERS.get(name, str.strip) for name in (*_FIELDS, SECRET_FILE)
}
"""The readers of what a provider has."""
_VARIABLE: Final = re.compile(f"{_VARIABLE_PREFIX}([A-Z0-9]+)_({'|'.join(map(str.upper, READERS))})")
_REQUIRED_FIELDS: Final = [
    field.name for field in fields(Provider) if field.default is field.default_factory is MISSING
]


def is_of_provider(variable: str) -> bool:
    """Whether a variable is of a provider."""
    return _VARIABLE.fullmatch(variable) is not None


def is_secret(variable: str) -> bool:
    return variable.endswith("_CLIENT_SECRET")


def names_file(variable: str) -> bool:
    """Whether the value of a variable is the path of a file."""
    return is_of_provider(variable) and variable.endswith(f"_{SECRET_FILE.upper()}")


def read_value(variable: str, text: str) -> object:
    """Read one value of a provider.

    :raises ValueError: it cannot be read
    """
    found = _VARIABLE.fullmatch(variable)
    assert found is not None
    return READERS[found[2].lower()](text)


def read_providers(variables: Iterable[tuple[str, Any]]) -> tuple[Provider, ...]:
    """Return the providers of these variables with their values, by name.

    :raises ValueError: a provider lacks what each has, or `require_usable` refuses it
    """
    given: dict[str, dict[str, Any]] = {}
    for variable, value in variables:
        if (found := _VARIABLE.fullmatch(variable)) is not None:
            name, key = found[1].lower(), found[2].lower()
            given.setdefault(name, {"name": name})[key] = value
    return tuple(_make_provider(of_name) for _, of_name in sorted(given.items()))


def _make_provider(given: dict[str, Any]) -> Provider:
    if lacking := [name for name in _REQUIRED_FIELDS if not given.get(name)]:
        raise ValueError(f"[oidc.{given['name']}] has no {lacking[0]}")
    if secret := given.pop(SECRET_FILE, ""):
        given["client_secret"] = secret
    provider = Provider(**given)
    require_usable(provider)
    return provider


def names_like(unknown: str) -> list[str]:
    """Return the names in a settings file of all that a provider has, if an unknown one looks like one of
    them.
    """
    provider = unknown.removeprefix(_FILE_PREFIX).partition("_")[0]
    return (
        [f"{_FILE_PREFIX}{provider}_{name}" for name in READERS] if unknown.startswith(_FILE_PREFIX) else []
    )


def fault_of_table(unknown: str) -> str:
    """Return what is wrong with the table in which something with an unknown name is; empty if nothing is."""
    rest = unknown.removeprefix(_FILE_PREFIX)
    if rest == unknown:
        return ""
    if rest in READERS:
        return "a provider is a table with a name, such as [oidc.work]"
    if any(rest.endswith(f"_{name}") for name in READERS):
        return "the name of a provider has letters and digits alone"
    return ""
