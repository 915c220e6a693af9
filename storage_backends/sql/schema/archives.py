"""The contents of archives, by table: each says so in `archive`, and its columns beside their kind.

Archives have all columns of an exported table except those that an import makes `anew`.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from chatcore.storage.archives.tables import Row, Value

Make: TypeAlias = Callable[[Row], Value]


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """The rows of a table that a partial export has, beside the public ones: those for which all of this
    holds.
    """

    person: str | None = None
    """A column: an account whose private data is exported."""
    recipient: str | None = None
    """A column: a channel or a conversation that is exported."""
    message: str | None = None
    """A column: a message that is exported."""
    file: str | None = None
    """A column: an uploaded file that is exported."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Exported:
    """A table that archives have."""

    part: Part = Part()
    person_of: str = "user_id"
    """The account to which its personal columns belong."""
    is_of_everything_only: bool = False
    """Whether partial exports have nothing of it."""
    is_made_again: bool = False
    """Whether the program makes a row again from its file, so that an import leaves out damaged ones."""


@dataclass(frozen=True, slots=True)
class Secret:
    """A table that no archive has, because it holds what nobody may see."""


@dataclass(frozen=True, slots=True)
class Transient:
    """A table that no archive has: it belongs to one server and its running clients."""


@dataclass(frozen=True, slots=True)
class Derived:
    """A table that follows from others, and is made anew by an import."""


Archive: TypeAlias = Exported | Secret | Transient | Derived

OF_PERSON = Part(person="user_id")
OF_MESSAGE = Part(message="message_id")


def made_of(column: str, make: Callable[[str], str]) -> Make:
    """Return the function that makes a value of the text in another column, if there is one."""

    def run(row: Row) -> Value:
        text = row[column]
        return make(text) if isinstance(text, str) else None

    return run
