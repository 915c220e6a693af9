"""Exports of the organization."""

from typing import TypedDict

from chatcore.domain.archives.exports import Export


class ExportObject(TypedDict):
    id: int
    acting_user_id: int
    export_time: int
    deleted_timestamp: int | None
    failed_timestamp: int | None
    export_url: str | None
    pending: bool
    export_type: int


class ConsentObject(TypedDict):
    user_id: int
    consented: bool


def export_shape(export: Export, base_url: str) -> ExportObject:
    """Return the form of an export; *base_url* is the address of the organization."""
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
