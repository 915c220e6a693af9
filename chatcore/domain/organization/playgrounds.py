"""Code playgrounds: sites that can open a code block of some language."""

import re
from collections.abc import Collection
from dataclasses import dataclass

from chatcore.domain.characters import check_name, length, visible
from chatcore.domain.errors import BadRequest, too_long
from chatcore.domain.ids import PlaygroundId

MAX_PLAYGROUNDS = 500
MAX_NAME_LENGTH = 100
MAX_LANGUAGE_LENGTH = 40
_LANGUAGE = re.compile(r"[A-Za-z0-9 _+,\-./#]+")

CODE = "code"
"""The only variable of a playground's URL template."""


@dataclass(frozen=True, slots=True)
class Playground:
    id: PlaygroundId
    name: str
    highlighter_language: str
    url_template: str


NOT_STORED = PlaygroundId(0)
"""The id of a playground that has none yet."""


def checked_name(raw: str) -> str:
    """Check the name of a playground and return it stripped.

    :raises BadRequest: empty, too long, or with forbidden characters
    """
    name = raw.strip()
    if length(name) > MAX_NAME_LENGTH:
        raise too_long("name", MAX_NAME_LENGTH)
    if not visible(name):
        raise BadRequest("name cannot be blank")
    check_name(name, "name")
    return name


def checked_language(raw: str) -> str:
    """Check a language name: one that the syntax highlighter knows, or one that the organization invented.

    :raises BadRequest: empty, too long, or with characters that no language's name has
    """
    language = raw.strip()
    if len(language) > MAX_LANGUAGE_LENGTH:
        raise too_long("highlighter_language", MAX_LANGUAGE_LENGTH)
    if not _LANGUAGE.fullmatch(language):
        raise BadRequest("Invalid characters in highlighter language")
    return language


def find(playgrounds: Collection[Playground], playground_id: int) -> Playground:
    """Return the playground with this id.

    :raises BadRequest: there is none with this id
    """
    for playground in playgrounds:
        if playground.id == playground_id:
            return playground
    raise BadRequest("Invalid playground")


def require_new(playgrounds: Collection[Playground], name: str, language: str) -> None:
    """Check that a playground can be added.

    :raises BadRequest: the language already has a playground of this name, or there are too many
    """
    if len(playgrounds) >= MAX_PLAYGROUNDS:
        raise BadRequest(f"You cannot have more than {MAX_PLAYGROUNDS} playgrounds.")
    if any((known.name, known.highlighter_language) == (name, language) for known in playgrounds):
        raise BadRequest("A playground with this language and name already exists.")
