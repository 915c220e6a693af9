"""Data that events do not contain, read when they are sent (`docs/decisions/0024`)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

import msgspec

from chatcore.domain.files.uploads import Linking
from chatcore.domain.ids import AttachmentId, Position
from chatcore.events.payloads.parts import Payload
from chatcore.events.sending.event import encode


class WholeList:
    """A list that clients always receive as a whole; it is encoded once, and each payload with it too."""

    def __init__(self, payload: Payload) -> None:
        """*payload* can be at any position."""
        self._parts = {name: msgspec.Raw(encode(value)) for name, value in payload.items()}
        self._encoded: dict[Position, bytes] = {}

    def payload_at(self, position: Position) -> bytes:
        if (known := self._encoded.get(position)) is None:
            known = self._encoded[position] = encode({**self._parts, "id": position})
        return known


@dataclass(frozen=True, slots=True)
class LateData:
    """Current data for one listener: lists by event type, and messages that link to files in events."""

    lists: Mapping[str, WholeList] = field(default_factory=dict)
    links: Mapping[AttachmentId, Sequence[Linking]] = field(default_factory=dict)


NOTHING_LATE: Final = LateData()
"""The data for listeners of events without late fields."""
