"""Saved snippets: texts that a user keeps in order to insert them into messages."""

from dataclasses import dataclass

from chatcore.domain.characters import is_storable
from chatcore.domain.errors import BadRequest, NotFound, too_long
from chatcore.domain.ids import SnippetId
from chatcore.domain.limits import Limits


@dataclass(frozen=True, slots=True, kw_only=True)
class SavedSnippet:
    id: SnippetId
    title: str
    content: str
    date_created: int


NOT_STORED = SnippetId(0)
"""The id of a snippet that has none yet."""


class NoSuchSnippet(NotFound):
    """The single error for a snippet that does not exist or belongs to another user."""

    def __init__(self) -> None:
        super().__init__("Saved snippet does not exist.")


def checked_title(raw: str, limits: Limits) -> str:
    """Return a snippet's title as it is stored.

    :raises BadRequest: nothing but blanks, too long, or a character that no store can hold
    """
    return _checked_text("title", raw, limits.max_snippet_title_length)


def checked_content(raw: str, limits: Limits) -> str:
    """Return a snippet's text as it is stored; unlike that of a message, a long one is not truncated, since
    its author would notice the loss only later.

    :raises BadRequest: nothing but blanks, too long, or a character that no store can hold
    """
    return _checked_text("content", raw, limits.max_message_length)


def _checked_text(name: str, raw: str, max_length: int) -> str:
    value = raw.strip()
    if not value:
        raise BadRequest(f"{name} must not be empty")
    if not is_storable(value):
        raise BadRequest(f"{name} must be valid Unicode without null bytes")
    if len(value) > max_length:
        raise too_long(name, max_length)
    return value
