"""Settings of the organization, and the server."""

from typing import Any, Literal, TypedDict

from chatcore.domain.choices import Value
from chatcore.domain.organization.audit import AuditEntry
from chatcore.domain.retention.holds import Hold
from chatcore.events.payloads.parts import Payload

__all__ = [
    "HeartbeatEvent",
    "OrganizationDeactivatedEvent",
    "OrganizationSettingsEvent",
    "OrganizationUpdateEvent",
    "RestartEvent",
    "UserDefaultEvent",
    "WebReloadEvent",
]


class OrganizationUpdateEvent(Payload):
    """A setting of the organization has changed."""

    type: Literal["realm"]
    op: Literal["update"]
    property: str
    value: Value


class OrganizationSettingsEvent(Payload):
    """Settings of the organization have changed together, such as permissions or a picture."""

    type: Literal["realm"]
    op: Literal["update_dict"]
    property: str
    data: dict[str, Value | dict[str, list[int] | dict[str, bool]]]


class OrganizationDeactivatedEvent(Payload):
    type: Literal["realm"]
    op: Literal["deactivated"]
    realm_id: int


class UserDefaultEvent(Payload):
    """A setting with which new people start has changed."""

    type: Literal["realm_user_settings_defaults"]
    op: Literal["update"]
    property: str
    value: Value


class RestartEvent(Payload):
    """Another version of the server serves the organization from now on."""

    type: Literal["restart"]
    service_version: str
    service_merge_base: str
    service_feature_level: int
    server_generation: int


class WebReloadEvent(Payload):
    """Another version of the web client is served from now on; only queues that name its type receive it."""

    type: Literal["web_reload_client"]
    immediate: bool


class HeartbeatEvent(Payload):
    """An event without content, which ends a poll that has waited for long."""

    type: Literal["heartbeat"]


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


def audit_entry_object(entry: AuditEntry) -> AuditEntryObject:
    """Return the shape of an entry, with its personal values, which are stored apart, among the others."""
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
        "before": {**entry.before, **entry.personal.get("before", {})},
        "after": {**entry.after, **entry.personal.get("after", {})},
    }


class HoldObject(TypedDict):
    id: int
    user_id: int | None
    """The person or bot whose messages and files are kept; null for a hold on a channel."""
    channel_id: int | None
    reason: str
    timestamp: int
    """The time at which it was set, in seconds."""
    acting_user_id: int
    """The owner who has set it."""


def hold_object(hold: Hold) -> HoldObject:
    """Return a hold as it is sent."""
    return {
        "id": hold.id,
        "user_id": hold.user_id,
        "channel_id": hold.channel_id,
        "reason": hold.reason,
        "timestamp": hold.set_at,
        "acting_user_id": hold.set_by,
    }
