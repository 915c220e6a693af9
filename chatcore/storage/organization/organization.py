"""The single organization of a store."""

from typing import Protocol

from chatcore.domain.organization.organization import Organization


class Organizations(Protocol):
    def find(self) -> Organization | None:
        """Return the organization, or None in a store that has not been initialized."""

    def get(self) -> Organization:
        """Return the organization. Raises LookupError in a store that has not been initialized."""

    def put(self, organization: Organization) -> None:
        """Write the organization, new or changed."""
