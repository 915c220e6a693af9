"""Values of settings as people may read them: as in the environment, without passwords in addresses."""

from pathlib import Path


def without_userinfo(url: str) -> str:
    """Return an address without the user and the password before its host."""
    scheme, separator, rest = url.partition("://")
    place, slash, path = rest.partition("/")
    return f"{scheme}{separator}{place.rpartition('@')[2]}{slash}{path}"


def may_have_password(text: str) -> bool:
    """Whether a text that is no valid setting may have a password, as in an address with a mistake."""
    return ":" in text.rpartition("@")[0]


def show_value(value: object) -> str:
    """Return a value as it is set in the environment; an empty text stands for none. An address is without
    user and password.
    """
    match value:
        case bool():
            return "on" if value else "off"
        case frozenset():
            return ", ".join(sorted(value))
        case tuple():
            return ", ".join(value)
        case str() if "://" in value:
            return without_userinfo(value)
        case int() | str() | Path():
            return str(value)
        case _:
            return ""
