"""The classes of the library; their docstrings are Markdown."""

import inspect
import re
from typing import Any, Final

from chatcore.chat import Chat
from chatcore.chat.part import Part

CODE: Final = re.compile(r"(?<![`:])`([^`\n]+)`(?!`)(?=(\w?))")
NAMES: Final = re.compile(r"(?<!\*)\*(\w+)\*(?!\*)")


def text() -> str:
    parts = {
        name: value
        for name, value in inspect.getmembers(inspect.getmodule(Chat), inspect.isclass)
        if issubclass(value, Part) and value is not Part
    }
    attributes = {kind: name for name, kind in _attributes(parts).items()}
    sections = [
        f"## {attributes[name]}\n\n```{{eval-rst}}\n.. autoclass:: {kind.__module__}.{name}\n   :members:\n"
        "   :exclude-members: __init__, __new__\n```\n\n"
        for name, kind in parts.items()
        if name in attributes
    ]
    return "".join(sorted(sections))


def _attributes(parts: dict[str, type]) -> dict[str, str]:
    """Return the attributes of `Chat`, each with the name of its class."""
    made = re.findall(r"self\.(\w+) = (\w+)\(services\)", inspect.getsource(Chat.__init__))
    return {f"chat.{attribute}": kind for attribute, kind in made if kind in parts}


def as_restructured_text(
    app: Any, what: str, name: str, found: object, options: object, lines: list[str]
) -> None:
    lines[:] = [NAMES.sub(r"``\1``", CODE.sub(_literal, line)) for line in lines]


def _literal(code: re.Match[str]) -> str:
    """Return code as a literal, apart from a letter that follows it."""
    return f"``{code[1]}``" + ("\\ " if code[2] else "")
