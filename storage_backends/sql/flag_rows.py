"""The rows of `message_flag`: what their bits say, and how they are found and changed."""

from collections.abc import Iterable, Sequence

from chatcore.domain.flags import Flag
from chatcore.domain.ids import MessageId, RecipientId, UserId
from storage_backends.sql.backend import Backend
from storage_backends.sql.session import Session

INDEX_OF_BITS = {
    int(Flag.STARRED): "message_flag_starred",
    int(Flag.MENTIONED | Flag.TOPIC_WILDCARD): "message_flag_mentioned",
    int(Flag.HAS_ALERT_WORD): "message_flag_alerted",
    int(Flag.HISTORICAL): "message_flag_historical",
    512: "message_flag_unread_below",
}
"""The index of the rows that have one of these bits. The numbers are written out in statements: an index
of some rows only is used where the statement says its condition, to the letter."""

READ_ABOVE = 256
UNREAD_BELOW = 512
"""What a row says against the watermark of its recipient (`watermarks`)."""

IN_ROWS = (
    Flag.STARRED
    | Flag.COLLAPSED
    | Flag.MENTIONED
    | Flag.TOPIC_WILDCARD
    | Flag.HAS_ALERT_WORD
    | Flag.HISTORICAL
    | Flag.CALLED
)
"""Flags that are stored as they are."""

_COLUMNS = ("user_id", "recipient_id", "message_id", "bits")


def rows_with(backend: Backend, alias: str, bits: int) -> tuple[str, str]:
    """The FROM item of a reader's rows that have one of the bits, and the condition of their index."""
    index = INDEX_OF_BITS.get(bits)
    hint = "" if index is None else backend.by_index(index)
    return f"message_flag AS {alias}{hint}", f"({alias}.bits & {bits}) != 0"


def put_bits(session: Session, rows: Sequence[tuple[UserId, RecipientId, MessageId, int]]) -> None:
    """Give bits to readers' rows of messages, one row each; those that are not there are made."""
    if not rows:
        return
    backend, columns = session.backend, ", ".join(_COLUMNS)
    session.run(
        f"""
        INSERT INTO message_flag ({columns})
        SELECT {columns} FROM {backend.rows("given", _COLUMNS)} WHERE TRUE
        ON CONFLICT (user_id, message_id) DO UPDATE SET bits = message_flag.bits | excluded.bits
        """,
        *backend.row_values(rows),
    )


def drop_bits(session: Session, user_id: UserId, message_ids: Iterable[MessageId], bits: int) -> None:
    """Take bits away from a reader's rows; a row that says nothing any more goes."""
    given = sorted(message_ids)
    if not given:
        return
    backend = session.backend
    listed = backend.listed(given)
    mine = f"user_id = ? AND message_id {backend.in_list}"
    session.run(f"UPDATE message_flag SET bits = bits & ~{bits} WHERE {mine}", user_id, listed)
    session.run(f"DELETE FROM message_flag WHERE {mine} AND bits = 0", user_id, listed)
