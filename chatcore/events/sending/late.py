"""Data that events do not contain, read when they are sent (`docs/decisions/0024`)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec

from chatcore.domain.files.uploads import Linking
from chatcore.domain.ids import AttachmentId, Position

_encode = msgspec.json.Encoder().encode


class WholeList:
    """A list that clients always receive as a whole; each of its forms is encoded once."""

    def __init__(self, fields: Mapping[str, Any]) -> None:
        self._encoded = {name: msgspec.Raw(_encode(value)) for name, value in fields.items()}
        self._forms: dict[Position, bytes] = {}

    def form(self, event_type: str, position: Position) -> bytes:
        if (known := self._forms.get(position)) is None:
            fields = {"type": event_type, **self._encoded, "id": position}
            known = self._forms[position] = _encode(fields)
        return known


@dataclass(frozen=True, slots=True)
class LateData:
    """Current data for one listener: lists by event type, and messages that link to files in events."""

    lists: Mapping[str, WholeList] = field(default_factory=dict)
    links: Mapping[AttachmentId, Sequence[Linking]] = field(default_factory=dict)
