"""Commands, which clients send for a line that begins with a slash. They change settings of the user."""

from collections.abc import Mapping
from typing import Final

from chatcore.domain.errors import BadRequest

DARK, LIGHT = 2, 3

COMMANDS: Final[Mapping[str, Mapping[str, bool | int]]] = {
    "ping": {},
    "dark": {"color_scheme": DARK},
    "night": {"color_scheme": DARK},
    "light": {"color_scheme": LIGHT},
    "day": {"color_scheme": LIGHT},
    "fluid-width": {"fluid_layout_width": True},
    "fixed-width": {"fluid_layout_width": False},
}
"""The settings that each command sets."""


def settings_by_command(command: str) -> Mapping[str, bool | int]:
    """Return the settings that a command sets.

    :raises BadRequest: no command
    """
    if not command.startswith("/"):
        raise BadRequest("There should be a leading slash in the command.")
    name = command[1:].strip()
    if name not in COMMANDS:
        raise BadRequest("No such command")
    return COMMANDS[name]
