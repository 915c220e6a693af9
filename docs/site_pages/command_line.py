"""The commands with their options, from `chatcore.cli`."""

import inspect
from collections.abc import Iterator
from typing import Final

import click

from chatcore.cli import chatcore

from .table import code, table

UNWRAPPED: Final = "\b"
"""The mark of click for a paragraph that it does not wrap."""


def text() -> str:
    return "".join(_commands(chatcore, "chatcore"))


def _commands(command: click.Command, name: str) -> Iterator[str]:
    if name != "chatcore":
        yield f"{'#' * (1 + name.count(' '))} {name}\n\n"
    yield _prose(command.help or "")
    context = click.Context(command, info_name=name)
    yield f"```text\n{command.get_usage(context).removeprefix('Usage: ')}\n```\n\n"
    options = [one for one in command.params if isinstance(one, click.Option) and not one.hidden]
    if options:
        yield table(("option", "meaning"), ((_names(one), one.help or "") for one in options))
    if isinstance(command, click.Group):
        for one in command.list_commands(context):
            found = command.get_command(context, one)
            assert found is not None
            if not found.hidden:
                yield from _commands(found, f"{name} {one}")


def _names(option: click.Option) -> str:
    metavar = "" if option.is_flag else f" {option.make_metavar(click.Context(click.Command('')))}"
    return ", ".join(code(name + metavar) for name in (*option.opts, *option.secondary_opts))


def _prose(text: str) -> str:
    return "".join(map(_paragraph, inspect.cleandoc(text).split("\n\n")))


def _paragraph(text: str) -> str:
    """Return a paragraph of a help text; one that click does not wrap stays as it is."""
    plain = text.removeprefix(UNWRAPPED)
    return f"{text}\n\n" if plain == text else f"```text\n{plain.strip(chr(10))}\n```\n\n"
