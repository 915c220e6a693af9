"""The organization, one row with its settings as JSON."""

import msgspec

from chatcore.domain.organization import Organization
from storage_backends.sql import schema
from storage_backends.sql.session import Session
from storage_backends.sql.statement import Statement, upsert

FIND_DATA = Statement(schema.Organization.select(schema.Organization.data))
PUT = upsert(schema.Organization)


class Organizations:
    def __init__(self, session: Session) -> None:
        self._session = session
        self._known: Organization | None = None

    def find(self) -> Organization | None:
        if self._known is None:  # cached: several rules of one request ask for it
            data = self._session.value(FIND_DATA)
            self._known = None if data is None else msgspec.json.decode(data, type=Organization)
        return self._known

    def get(self) -> Organization:
        organization = self.find()
        if organization is None:
            raise LookupError("the store has no organization yet")
        return organization

    def put(self, organization: Organization) -> None:
        self._known = organization
        self._session.run(PUT, id=1, data=msgspec.json.encode(organization).decode())
