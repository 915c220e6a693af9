"""Exports of the organization."""

from typing import Literal, TypedDict

from chatcore.domain.archives.exports import Export
from chatcore.events.payloads.parts import Payload

__all__ = [
    "ExportConsentEvent",
    "ExportsEvent",
]


class ExportObject(TypedDict):
    id: int
    acting_user_id: int
    export_time: int
    deleted_timestamp: int | None
    failed_timestamp: int | None
    export_url: str | None
    pending: bool
    export_type: int


class PersonExportObject(ExportObject):
    """An export of one person's data."""

    user_id: int


class ConsentObject(TypedDict):
    user_id: int
    consented: bool


def export_object(export: Export, base_url: str) -> ExportObject:
    """Return an export as it is sent; *base_url* is the address of the organization."""
    return {
        "id": export.id,
        "acting_user_id": export.acting_user_id,
        "export_time": export.requested_at,
        "deleted_timestamp": export.deleted_at,
        "failed_timestamp": export.failed_at,
        "export_url": base_url + export.url if export.is_available else None,
        "pending": export.is_pending,
        "export_type": int(export.export_type),
    }


def person_export_object(export: Export, base_url: str) -> PersonExportObject:
    """Return an export of one person's data as it is sent."""
    assert export.user_id is not None
    return {**export_object(export, base_url), "user_id": export.user_id}


class ExportsEvent(Payload):
    type: Literal["realm_export"]
    exports: list[ExportObject]


class ExportConsentEvent(Payload, ConsentObject):
    """A person consents to the export of private data from now on, or no longer."""

    type: Literal["realm_export_consent"]
