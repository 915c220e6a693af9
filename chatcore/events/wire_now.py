"""What events do not hold, as it is when they are told (`docs/decisions/0024`)."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec

from chatcore.domain.ids import AttachmentId, Position
from chatcore.domain.uploads import Linking
from chatcore.events import types as happened
from chatcore.events.shapes.uploads import attachment_shape

_encode = msgspec.json.Encoder().encode


class WholeList:
    """A list of which clients are always told as a whole; each of its forms is made once."""

    def __init__(self, fields: Mapping[str, Any]) -> None:
        self._encoded = {name: msgspec.Raw(_encode(value)) for name, value in fields.items()}
        self._forms: dict[Position, bytes] = {}

    def form(self, event_type: str, position: Position) -> bytes:
        if (known := self._forms.get(position)) is None:
            fields = {"type": event_type, **self._encoded, "id": position}
            known = self._forms[position] = _encode(fields)
        return known


@dataclass(frozen=True, slots=True)
class Now:
    """For one listener: the lists by the types of events, and the messages that link to files told of."""

    lists: Mapping[str, WholeList] = field(default_factory=dict)
    links: Mapping[AttachmentId, Sequence[Linking]] = field(default_factory=dict)


def files_fields(event: happened.FilesChanged, now: Now) -> Iterator[dict[str, Any]]:
    """For each file that the event is about, in order."""
    for file in event.files:
        is_gone = event.op == "remove"
        attachment = {"id": file.id} if is_gone else attachment_shape(file, now.links.get(file.id, ()))
        yield {
            "type": event.type,
            "op": event.op,
            "attachment": attachment,
            "upload_space_used": event.space_used,
        }
