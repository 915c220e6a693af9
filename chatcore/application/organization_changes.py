"""Storing the settings of the organization: the one way to change them, which the audit log sees."""

from chatcore.application.units import Unit
from chatcore.domain.groups.permissions import ORGANIZATION_PERMISSIONS
from chatcore.domain.organization.audit import AuditKind
from chatcore.domain.organization.audit_values import difference
from chatcore.domain.organization.organization import Organization
from chatcore.domain.people.setting_values import starting_values

FOLLOWING = frozenset({"rendered_description", "served_by", "secret_fingerprint"})
"""Attributes that follow from others, or that nobody sets."""
PICTURES = ("icon_key", "logo_key", "night_logo_key")
"""Attributes of which the audit log has no more than whether there is a value."""


def put_organization(unit: Unit, after: Organization) -> None:
    """Store changed settings of the organization, and note in the audit log which ones differ."""
    before = unit.tx.organization.get()
    unit.tx.organization.put(after)
    start = starting_values(before)

    def by_default(name: str) -> object:
        return before.permission_value(name) if name in ORGANIZATION_PERMISSIONS else start.get(name)

    old, new = (
        {name: bool(value) if name in PICTURES else value for name, value in values.items()}
        for values in difference(before, after, without=FOLLOWING, absent=by_default)
    )
    if new:
        unit.record(AuditKind.ORGANIZATION_CHANGED, before=old, after=new)
