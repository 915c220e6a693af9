"""Linkifiers: patterns that become links in texts. `chatcore.markup` decides whether a pattern is usable."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from chatcore.domain.errors import BadRequest
from chatcore.domain.ids import LinkifierId

MAX_LINKIFIERS = 200
"""Limit for one organization, because each linkifier is tried on every text."""


@dataclass(frozen=True, slots=True)
class Linkifier:
    """A rule that turns matches of `pattern` into links to the expansion of `url_template`."""

    id: LinkifierId
    pattern: str
    url_template: str


def find(linkifiers: Collection[Linkifier], linkifier_id: int) -> Linkifier:
    """Return the linkifier with this id.

    :raises BadRequest: there is none with this id
    """
    for linkifier in linkifiers:
        if linkifier.id == linkifier_id:
            return linkifier
    raise BadRequest("Linkifier not found.")


def require_new_pattern(others: Collection[Linkifier], pattern: str) -> None:
    """Check that a pattern is new.

    :raises BadRequest: another linkifier has this pattern
    """
    if any(linkifier.pattern == pattern for linkifier in others):
        raise BadRequest("This linkifier already exists.")


def order_linkifiers(linkifiers: Collection[Linkifier], ordered_ids: Sequence[int]) -> list[LinkifierId]:
    """Return the ids in the given order.

    :raises BadRequest: the order does not name each linkifier exactly once
    """
    ids = [linkifier.id for linkifier in linkifiers]
    if sorted(ids) != sorted(ordered_ids):
        raise BadRequest("The ordered list must enumerate all existing linkifiers exactly once.")
    return [LinkifierId(linkifier_id) for linkifier_id in ordered_ids]
