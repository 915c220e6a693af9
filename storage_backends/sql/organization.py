"""The organization, one row with its settings as JSON."""

import msgspec

from chatcore.domain.organization import Organization
from storage_backends.sql.session import Session


class Organizations:
    def __init__(self, session: Session) -> None:
        self._session = session
        self._known: Organization | None = None

    def find(self) -> Organization | None:
        if self._known is None:  # several rules of one request ask for it
            rows = self._session.rows("SELECT data FROM organization")
            self._known = msgspec.json.decode(rows[0][0], type=Organization) if rows else None
        return self._known

    def get(self) -> Organization:
        organization = self.find()
        if organization is None:
            raise LookupError("the store has no organization yet")
        return organization

    def put(self, organization: Organization) -> None:
        self._known = organization
        self._session.run(
            """
            INSERT INTO organization (id, data) VALUES (1, ?)
            ON CONFLICT (id) DO UPDATE SET data = excluded.data
            """,
            msgspec.json.encode(organization).decode(),
        )
