"""Values of settings as they are written in the environment."""

from pathlib import Path


def show_value(value: object) -> str:
    """Return a value as it is set in the environment; an empty text stands for none."""
    match value:
        case bool():
            return "on" if value else "off"
        case frozenset():
            return ", ".join(sorted(value))
        case tuple():
            return ", ".join(value)
        case int() | str() | Path():
            return str(value)
        case _:
            return ""
