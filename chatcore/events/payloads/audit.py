"""Entries of the audit log."""

from typing import Any, TypedDict

from chatcore.domain.organization.audit import AuditEntry


class AuditEntryObject(TypedDict):
    id: int
    timestamp: int
    kind: str
    actor_id: int | None
    """The account that acted; None for commands, and for people who were not logged in."""
    origin: str
    client: str
    address: str
    target_type: str
    target_id: int | None
    before: dict[str, Any]
    after: dict[str, Any]


def audit_shape(entry: AuditEntry) -> AuditEntryObject:
    """Return the shape of an entry, in which what names a person is among the other values."""
    before, after = (
        {**values, **entry.personal.get(moment, {})}
        for moment, values in (("before", entry.before), ("after", entry.after))
    )
    return {
        "id": entry.id,
        "timestamp": entry.at,
        "kind": entry.kind.value,
        "actor_id": entry.actor_id,
        "origin": entry.origin.value,
        "client": entry.client,
        "address": entry.address,
        "target_type": entry.target_type.value,
        "target_id": entry.target_id,
        "before": before,
        "after": after,
    }
