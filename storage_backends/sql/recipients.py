"""Ids for whatever a message can be addressed to: users, channels and conversations share one space."""

from chatcore.domain.ids import RecipientId
from storage_backends.sql.session import Session


def new_recipients(session: Session, kind: str, count: int = 1) -> list[RecipientId]:
    """Fresh ids, ascending."""
    places = ", ".join("(?)" for _ in range(count))
    rows = session.rows(f"INSERT INTO recipient (kind) VALUES {places} RETURNING id", *[kind] * count)
    return sorted(RecipientId(row[0]) for row in rows)
