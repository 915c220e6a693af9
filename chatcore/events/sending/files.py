"""Forms of events about uploaded files."""

from collections.abc import Iterator

from chatcore.events.happened import FilesChanged
from chatcore.events.payloads.uploads import attachment_shape
from chatcore.events.sending.event import Fields
from chatcore.events.sending.formatter import form_for_each_position
from chatcore.events.sending.listener import Listener


def _files(event: FilesChanged, listener: Listener) -> Iterator[Fields]:
    links = listener.late.links
    for file in event.files:
        is_gone = event.op == "remove"
        attachment = {"id": file.id} if is_gone else attachment_shape(file, links.get(file.id, ()))
        yield {
            "type": event.type,
            "op": event.op,
            "attachment": attachment,
            "upload_space_used": event.space_used,
        }


FORMATTERS = (form_for_each_position(FilesChanged, _files),)
