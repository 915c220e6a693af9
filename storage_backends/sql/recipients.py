"""Ids of recipients: users, channels and conversations share one space."""

from collections.abc import Collection

from chatcore.domain.ids import RecipientId, UserId
from storage_backends.sql.session import Session
from storage_backends.sql.statement import Statement

RECIPIENT_KINDS = ("user", "channel", "conversation")

ADD = Statement(
    lambda dialect: (
        f"""
        INSERT INTO recipient (kind)
        SELECT new.kind FROM {dialect.rows("new", "kinds", ("kind",), texts=("kind",))} WHERE TRUE
        RETURNING id
        """
    )
)


def new_recipients(session: Session, kind: str, count: int = 1) -> list[RecipientId]:
    """Draw fresh ids, ascending."""
    return sorted(RecipientId(row.id) for row in session.rows(ADD, kinds=[(kind,)] * count))


def people_key(user_ids: Collection[UserId]) -> str:
    """Return a set of people as its unique text."""
    return ",".join(str(user_id) for user_id in sorted(user_ids))


def people_from(key: str) -> frozenset[UserId]:
    return frozenset(UserId(int(number)) for number in key.split(","))
