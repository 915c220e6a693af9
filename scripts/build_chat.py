"""Builds chatcore/chat/made/: the methods of `Chat` that are one use case each.

python -m scripts.build_chat
"""

from __future__ import annotations

import re
import subprocess
import sys
import types
import typing
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from inspect import Parameter, cleandoc, isclass, signature, unwrap
from operator import or_
from pathlib import Path
from textwrap import fill, indent
from typing import Any

from chatcore.application.arguments import OF_REQUEST
from chatcore.domain.groups.actors import Actor
from scripts.chat_methods import MODULES

Names: typing.TypeAlias = frozenset[tuple[str, str]]

TARGET = Path(__file__).parent.parent / "chatcore" / "chat" / "made"
WIDTH = 110
FROM_GIVEN = "chatcore.chat.given"

READERS: Mapping[str, tuple[str, str]] = {
    "str": ("str", "text"),
    "int": ("int", "number"),
    "bool": ("bool", "truth"),
    "str | int": ("int | str", "number_or_text"),
    "Sequence[str]": ("Names", "all_names"),
    "Sequence[int]": ("Numbers", "numbers"),
    "Collection[int]": ("Numbers", "numbers"),
    "Iterable[bytes]": ("Pieces", "all_pieces"),
    "Mapping[str, str]": ("Mapping[str, str]", "texts_by_name"),
    "PictureKind": ("PictureKind | str", "a_picture_kind"),
    "Role": ("Role | str | int", "a_role"),
    "DraftContent": ("Draft", "a_draft"),
    "Sequence[DraftContent]": ("DraftsGiven", "all_drafts"),
    "Sequence[WantedChannel]": ("WantedChannels", "all_wanted_channels"),
    "Sequence[SubscriptionChange]": ("SubscriptionChanges", "all_subscription_changes"),
    "Sequence[Entry]": ("ProfileEntries", "all_profile_entries"),
}
"""Type that a method accepts for an argument of a use case, and the function that reads it, by its type."""

OF_USERS: Mapping[str, tuple[str, str]] = {
    **dict.fromkeys(("user_id", "bot_id", "sender_id"), ("int | Actor", "user_id_of")),
    "user_ids": ("UserIds", "user_ids_of"),
    "target": ("Person", "a_person"),
}
"""Type and function for arguments that name users, by their names: a method accepts actors as well."""


@dataclass(frozen=True, slots=True)
class Spelled:
    """A type as text, with the names that it needs."""

    text: str
    names: Names = frozenset()
    """Pairs of a module and a name in it."""


def spell(annotation: Any) -> Spelled:
    """Return the text of a type. Lists are sequences: a method of this name may hide `list`."""
    if annotation is None or annotation is type(None):
        return Spelled("None")
    if annotation is Any:
        return Spelled("Any", frozenset({("typing", "Any")}))
    origin, arguments = typing.get_origin(annotation), typing.get_args(annotation)
    if origin is typing.Literal:
        return Spelled(f"Literal[{', '.join(map(repr, arguments))}]", frozenset({("typing", "Literal")}))
    parts = [spell(argument) for argument in arguments if argument is not ...]
    names = frozenset(name for part in parts for name in part.names)
    if origin in (typing.Union, types.UnionType):
        return Spelled(" | ".join(part.text for part in parts), names)
    if origin is not None:
        of = spell(Sequence if origin is list else origin)
        inner = ", ".join([part.text for part in parts] + (["..."] if ... in arguments else []))
        return Spelled(f"{of.text}[{inner}]", names | of.names)
    if annotation.__module__ == "builtins":
        return Spelled(annotation.__name__)
    return Spelled(annotation.__name__, frozenset({(annotation.__module__, annotation.__name__)}))


@dataclass(frozen=True, slots=True)
class Argument:
    """One argument of a method: its declaration, and the expression that reads it."""

    declared: str
    passed: str
    is_keyword: bool
    names: Names


def read_argument(parameter: Parameter, annotation: Any) -> Argument:
    """Return how a method declares and reads what a use case takes."""
    name = "actor" if parameter.name == "me" else parameter.name
    members = [member for member in typing.get_args(annotation) if member is not type(None)]
    may_be_none = len(members) < len(typing.get_args(annotation)) and not isclass(annotation)
    spelled = spell(reduce(or_, members) if may_be_none else annotation)
    if spelled.text == Actor.__name__:
        read = "_acting_if_any" if may_be_none else "_acting"
        kind, passed, names = spelled, f"self.{read}({name})", spelled.names
    elif name in OF_USERS or spelled.text in READERS:
        accepted, reader = OF_USERS.get(name) or READERS[spelled.text]
        own = {(FROM_GIVEN, accepted)} if accepted.isidentifier() and accepted[0].isupper() else spelled.names
        own |= spell(Actor).names if accepted.endswith("| Actor") else set()
        kind, names = Spelled(accepted), frozenset({(FROM_GIVEN, reader), *own})
        passed = f"{reader}({name}={name})"
        if may_be_none:
            passed = f"optional({reader}, {name}={name})"
            names |= {(FROM_GIVEN, "optional")}
    else:
        kind, passed, names = spelled, name, spelled.names
    declared = f"{name}: {kind.text}{' | None' if may_be_none else ''}"
    if parameter.default is not parameter.empty:
        declared += f" = {parameter.default!r}"
    return Argument(declared, passed, parameter.kind is parameter.KEYWORD_ONLY, names)


def build_method(name: str, work: Callable[..., Any], called: Mapping[str, str]) -> tuple[str, Names]:
    """Return the text of a method; *called* are the names of methods by those of their use cases."""
    original = unwrap(work)
    hints = typing.get_type_hints(original)
    parameters = [
        parameter
        for parameter in list(signature(original).parameters.values())[1:]
        if OF_REQUEST not in typing.get_args(original.__annotations__[parameter.name])
    ]
    arguments = [read_argument(parameter, hints[parameter.name]) for parameter in parameters]
    declared = ["self"]
    for argument in arguments:
        if argument.is_keyword and "*" not in declared:
            declared.append("*")
        declared.append(argument.declared)
    passed = ["self._svc"]
    for argument, parameter in zip(arguments, parameters, strict=True):
        passed.append(f"{parameter.name}={argument.passed}" if argument.is_keyword else argument.passed)
    answer = spell(hints["return"])
    module = original.__module__.rpartition(".")[2]
    call = f"{module}.{original.__name__}({', '.join(passed)})"
    text = f"def {name}({', '.join(declared)}) -> {answer.text}:\n"
    text += indent(document(original.__doc__ or "", called), " " * 4) + "\n"
    text += f"    {'' if hints['return'] is type(None) else 'return '}{call}\n"
    names = frozenset(name for argument in arguments for name in argument.names) | answer.names
    return indent(text, " " * 4), names | {tuple(original.__module__.rsplit(".", 1))}


def document(docstring: str, called: Mapping[str, str]) -> str:
    """Return the docstring of a method, with its quotes; it names methods instead of use cases."""
    text = re.sub(r"`(\w+)`", lambda name: f"`{called.get(name[1], name[1])}`", cleandoc(docstring))
    about, _, fields = text.replace(":param me:", ":param actor:").partition("\n\n:")
    blocks = f'"""{about}'.split("\n\n")
    width = WIDTH - 8 if len(blocks) > 1 or fields else WIDTH - 11  # with the quotes at the end
    blocks = [fill(" ".join(block.split()), width) for block in blocks]
    if fields:
        lines = re.split(r"\n(?=:\w)", f":{fields}")
        blocks.append(
            "\n".join(fill(" ".join(line.split()), width, subsequent_indent="    ") for line in lines)
        )
    whole = "\n\n".join(blocks)
    return whole + ('\n"""' if "\n" in whole else '"""')


def build_module(about: str, parts: Mapping[str, tuple[str, Mapping[str, Callable[..., Any]]]]) -> str:
    """Return the text of a module of parts."""
    names: set[tuple[str, str]] = {("chatcore.chat.part", "Part")}
    texts = []
    for part, (purpose, methods) in parts.items():
        called = {unwrap(work).__name__: name for name, work in methods.items()}
        texts.append(f"class {part}(Part):\n")
        if purpose:
            texts.append(f'    """{purpose}"""\n')
        for name, work in methods.items():
            text, needed = build_method(name, work, called)
            texts.append(text)
            names |= needed
    lines = sorted({f"from {module} import {name}" for module, name in names})
    return f'"""{about}\n\nMade by scripts/build_chat.py, not by hand.\n"""\n\n' + "\n".join(
        [*lines, "", *texts]
    )


def build() -> Iterator[tuple[Path, str]]:
    """Yield the files with their texts, not yet formatted."""
    for module, (about, parts) in MODULES.items():
        yield TARGET / f"{module}.py", build_module(about, parts)


if __name__ == "__main__":
    for file, text in build():
        file.write_text(text, encoding="utf-8")
    for command in (["check", "--quiet", "--fix", "--select", "I"], ["format", "--quiet"]):
        subprocess.run([Path(sys.executable).parent / "ruff", *command, TARGET], check=True)
