"""Linkifiers and playgrounds, which the organization's administrators configure for everybody."""

from collections.abc import Sequence
from typing import Protocol

from chatcore.domain.ids import LinkifierId, PlaygroundId
from chatcore.domain.organization.linkifiers import Linkifier
from chatcore.domain.organization.playgrounds import Playground


class Linkifiers(Protocol):
    def all(self) -> Sequence[Linkifier]:
        """Return every linkifier, in the order in which they are tried."""

    def add(self, pattern: str, url_template: str) -> LinkifierId:
        """Add a linkifier after all others. Its id was never used before."""

    def update(self, linkifier: Linkifier) -> None: ...

    def reorder(self, linkifier_ids: Sequence[LinkifierId]) -> None:
        """Set the order of all linkifiers."""

    def remove(self, linkifier_id: LinkifierId) -> None: ...


class Playgrounds(Protocol):
    def all(self) -> Sequence[Playground]:
        """Return every playground, oldest first."""

    def add(self, playground: Playground) -> Playground:
        """Write a new playground, whatever its id is; return it with the id that it got, which was never used
        before.
        """

    def remove(self, playground_id: PlaygroundId) -> None: ...
