"""What the organization's administrators set up for everybody: linkifiers and playgrounds."""

from collections.abc import Sequence
from typing import Protocol

from chatcore.domain.ids import LinkifierId, PlaygroundId
from chatcore.domain.linkifiers import Linkifier
from chatcore.domain.playgrounds import Playground


class Linkifiers(Protocol):
    def all(self) -> Sequence[Linkifier]:
        """Every linkifier, in the order in which they are tried."""

    def add(self, pattern: str, url_template: str) -> LinkifierId:
        """A new one behind all others. Its id was never used before."""

    def update(self, linkifier: Linkifier) -> None: ...

    def reorder(self, linkifier_ids: Sequence[LinkifierId]) -> None:
        """Give all linkifiers their places, in this order."""

    def remove(self, linkifier_id: LinkifierId) -> None: ...


class Playgrounds(Protocol):
    def all(self) -> Sequence[Playground]:
        """Every playground, the oldest first."""

    def add(self, name: str, highlighter_language: str, url_template: str) -> PlaygroundId:
        """A new one. Its id was never used before."""

    def remove(self, playground_id: PlaygroundId) -> None: ...
