"""The one organization of a store."""

from typing import Protocol

from chatcore.domain.organization import Organization


class Organizations(Protocol):
    def find(self) -> Organization | None:
        """The organization, or None in a store that has not been initialized."""

    def get(self) -> Organization:
        """The organization. Raises LookupError in a store that has not been initialized."""

    def put(self, organization: Organization) -> None:
        """Write the organization, new or changed."""
