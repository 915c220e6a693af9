"""The organization, one row with its settings as JSON."""

import msgspec

from chatcore.domain.organization.organization import Organization
from storage_backends.sql import schema
from storage_backends.sql.memory import RememberedKind
from storage_backends.sql.repository import SqlRepository
from storage_backends.sql.statement import Statement, upsert

FIND_DATA = Statement(schema.Organization.select(schema.Organization.data))
PUT = upsert(schema.Organization)


class Organizations(SqlRepository):
    def find(self) -> Organization | None:
        return self._session.recall.one(RememberedKind.ORGANIZATION, "organization", self._find)

    def _find(self) -> Organization | None:
        data = self._session.value(FIND_DATA)
        return None if data is None else msgspec.json.decode(data, type=Organization)

    def get(self) -> Organization:
        organization = self.find()
        if organization is None:
            raise LookupError("the store has no organization yet")
        return organization

    def put(self, organization: Organization) -> None:
        self._session.run(PUT, id=1, data=msgspec.json.encode(organization).decode())
