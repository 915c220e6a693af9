"""The audit log."""

from typing import Any

from chatcore.domain.organization.audit import AuditKind, AuditTarget, OriginKind
from storage_backends.sql.schema.archives import Exported, Transient
from storage_backends.sql.schema.columns import Choice, Integer, Json, Serial, Text
from storage_backends.sql.schema.table import Table


class AuditLogEntry(Table):
    """An entry, which triggers keep as it is: it is removed when `AuditRetention` lets it go, and an update
    can only empty what concerns a person.
    """

    archive = Exported(is_of_everything_only=True)

    id = Serial()
    at = Integer()
    kind = Choice(AuditKind)
    actor_id = Integer(null=True)
    origin = Choice(OriginKind)
    client = Text()
    address = Text()
    target_type = Choice(AuditTarget)
    target_id = Integer(null=True)
    before = Json(dict[str, Any])
    after = Json(dict[str, Any])
    personal = Json(dict[str, dict[str, Any]])

    class Meta:
        table_name = "audit_entry"


AuditLogEntry.declare_index("audit_entry_at", AuditLogEntry.at)
AuditLogEntry.declare_index("audit_entry_kind", AuditLogEntry.kind, AuditLogEntry.id)
AuditLogEntry.declare_index("audit_entry_actor", AuditLogEntry.actor_id, AuditLogEntry.id)
AuditLogEntry.declare_index(
    "audit_entry_target", AuditLogEntry.target_type, AuditLogEntry.target_id, AuditLogEntry.id
)


class AuditRetention(Table):
    """The one row with the time since which no entry can be removed."""

    archive = Transient()

    id = Integer(primary_key=True)
    kept_since = Integer()

    class Meta:
        table_name = "audit_retention"
