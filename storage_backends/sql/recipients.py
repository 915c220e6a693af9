"""Ids for whatever a message can be addressed to: users, channels and conversations share one space."""

from collections.abc import Collection

from chatcore.domain.ids import RecipientId, UserId
from storage_backends.sql.session import Session


def new_recipients(session: Session, kind: str, count: int = 1) -> list[RecipientId]:
    """Fresh ids, ascending."""
    places = ", ".join("(?)" for _ in range(count))
    rows = session.rows(f"INSERT INTO recipient (kind) VALUES {places} RETURNING id", *[kind] * count)
    return sorted(RecipientId(row[0]) for row in rows)


def people_key(user_ids: Collection[UserId]) -> str:
    """A set of people as the text that is unique for it."""
    return ",".join(str(user_id) for user_id in sorted(user_ids))


def people_from(key: str) -> frozenset[UserId]:
    return frozenset(UserId(int(number)) for number in key.split(","))
