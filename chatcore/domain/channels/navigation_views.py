"""Navigation views: entries of the navigation in an account's clients, for pages and narrows.

The server knows a view by its fragment, the part of a client's address after `#`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from chatcore.domain.characters import check_characters, length, visible
from chatcore.domain.choices import given_values
from chatcore.domain.errors import BadRequest, NotFound, nothing_to_change

MAX_FRAGMENT_LENGTH: Final = 1000
MAX_NAME_LENGTH: Final = 100

BUILT_IN: Final = frozenset(
    {
        "inbox",
        "recent",
        "feed",
        "drafts",
        "scheduled",
        "reminders",
        "narrow/is/mentioned",
        "narrow/is/starred",
        "narrow/has/reaction/sender/me",
    }
)
"""Fragments of the views that every client has; a stored one tells only whether it is pinned."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NavigationView:
    fragment: str
    is_pinned: bool
    name: str | None = None
    """None for a built-in view, which clients name themselves."""


class NoSuchView(NotFound):
    """The single error for a view that does not exist or belongs to another user."""

    def __init__(self) -> None:
        super().__init__("Navigation view does not exist.")


def checked_view(fragment: str, *, is_pinned: bool, name: str | None) -> NavigationView:
    """Return a view as it is stored.

    :raises BadRequest: an invalid fragment or name, a built-in view with a name, or another view without one
    """
    if length(fragment) > MAX_FRAGMENT_LENGTH or not visible(fragment):
        raise BadRequest(f"A fragment has 1 to {MAX_FRAGMENT_LENGTH} characters.")
    check_characters(fragment, "fragment")
    if fragment not in BUILT_IN and name is None:
        raise BadRequest("Custom views must have a valid name.")
    return NavigationView(fragment=fragment, is_pinned=is_pinned, name=_checked_name(fragment, name))


def checked_values(fragment: str, *, is_pinned: bool | None, name: str | None) -> Mapping[str, str | bool]:
    """Return the new values of a view as they are stored; None leaves a value unchanged.

    :raises BadRequest: no value, an invalid name, or a built-in view with a name
    """
    if is_pinned is None and name is None:
        raise nothing_to_change()
    return given_values(is_pinned=is_pinned, name=_checked_name(fragment, name))


def _checked_name(fragment: str, raw: str | None) -> str | None:
    if raw is None:
        return None
    if fragment in BUILT_IN:
        raise BadRequest("Built-in views cannot have a custom name.")
    name = raw.strip()
    if length(name) > MAX_NAME_LENGTH or not visible(name):
        raise BadRequest(f"The name of a view has 1 to {MAX_NAME_LENGTH} characters.")
    check_characters(name, "name")
    return name
