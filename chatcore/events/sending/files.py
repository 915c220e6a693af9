"""Payloads of events about uploaded files."""

from collections.abc import Iterator

from chatcore.domain.ids import Position
from chatcore.events.happened import FilesChanged
from chatcore.events.payloads.uploads import AttachmentEvent, AttachmentRemoveEvent, attachment_object
from chatcore.events.sending.formatter import payload_for_each_position
from chatcore.events.sending.listener import Listener


def _format_files_changed(
    event: FilesChanged, listener: Listener, first: Position
) -> Iterator[AttachmentEvent | AttachmentRemoveEvent]:
    links = listener.late.links
    for position, file in enumerate(event.files, first):
        if event.op == "remove":
            yield {
                "type": "attachment",
                "op": event.op,
                "attachment": {"id": file.id},
                "upload_space_used": event.space_used,
                "id": position,
            }
        else:
            yield {
                "type": "attachment",
                "op": event.op,
                "attachment": attachment_object(file, links.get(file.id, ())),
                "upload_space_used": event.space_used,
                "id": position,
            }


FORMATTERS = (payload_for_each_position(FilesChanged, _format_files_changed),)
