"""Uploaded files."""

from collections.abc import Iterable
from typing import Literal, TypedDict

from chatcore.domain.files.uploads import Attachment, Linking
from chatcore.events.payloads.parts import Payload

__all__ = [
    "AttachmentEvent",
    "AttachmentIdObject",
    "AttachmentRemoveEvent",
]


class LinkingObject(TypedDict):
    """A message that links to a file; times are in milliseconds."""

    id: int
    date_sent: int


class AttachmentObject(TypedDict):
    """An uploaded file; times are in milliseconds."""

    id: int
    name: str
    path_id: str
    size: int
    create_time: int
    messages: list[LinkingObject]


def attachment_object(attachment: Attachment, links: Iterable[Linking]) -> AttachmentObject:
    """Return a file as clients receive it. Its own time is in milliseconds already, those of messages are in
    seconds.
    """
    return {
        "id": attachment.id,
        "name": attachment.name,
        "path_id": attachment.path_id,
        "size": attachment.size,
        "create_time": attachment.created,
        "messages": [{"id": link.message_id, "date_sent": link.timestamp * 1000} for link in links],
    }


class AttachmentEvent(Payload):
    """A file was uploaded, or messages that link to it have changed."""

    type: Literal["attachment"]
    op: Literal["add", "update"]
    attachment: AttachmentObject
    upload_space_used: int


class AttachmentIdObject(TypedDict):
    id: int


class AttachmentRemoveEvent(Payload):
    type: Literal["attachment"]
    op: Literal["remove"]
    attachment: AttachmentIdObject
    upload_space_used: int
