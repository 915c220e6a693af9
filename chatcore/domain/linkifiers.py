"""Linkifiers: patterns in texts that become links. Whether one can be used, `chatcore.markup` says."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from chatcore.domain.errors import BadRequest
from chatcore.domain.ids import LinkifierId

MAX_LINKIFIERS = 200
"""Of one organization: each of them is tried on every text."""


@dataclass(frozen=True, slots=True)
class Linkifier:
    """What matches `pattern` becomes a link to what `url_template` expands to."""

    id: LinkifierId
    pattern: str
    url_template: str


def find(linkifiers: Collection[Linkifier], linkifier_id: int) -> Linkifier:
    """:raises BadRequest: there is none with this id"""
    for linkifier in linkifiers:
        if linkifier.id == linkifier_id:
            return linkifier
    raise BadRequest("Linkifier not found.")


def require_new_pattern(others: Collection[Linkifier], pattern: str) -> None:
    """:raises BadRequest: another linkifier has this pattern"""
    if any(linkifier.pattern == pattern for linkifier in others):
        raise BadRequest("This linkifier already exists.")


def reordered(linkifiers: Collection[Linkifier], ordered_ids: Sequence[int]) -> list[LinkifierId]:
    """The ids in the order given.

    :raises BadRequest: not each linkifier exactly once
    """
    ids = [linkifier.id for linkifier in linkifiers]
    if sorted(ids) != sorted(ordered_ids):
        raise BadRequest("The ordered list must enumerate all existing linkifiers exactly once.")
    return [LinkifierId(linkifier_id) for linkifier_id in ordered_ids]
