"""The rows of `message_flag`: the meaning of their bits, and statements that find and change them."""

from collections.abc import Collection, Iterable, Sequence

from chatcore.domain.choices import given_values
from chatcore.domain.ids import ChannelId, MessageId, RecipientId, UserId
from chatcore.domain.messages.flags import Flag
from storage_backends.sql.dialect import Dialect
from storage_backends.sql.schema import Account, MessageFlag
from storage_backends.sql.schema.messages import INDEX_OF_BITS, READ_ABOVE, UNREAD_BELOW
from storage_backends.sql.session import Session
from storage_backends.sql.statement import Statement, in_list, param

EXCEPTIONS = READ_ABOVE | UNREAD_BELOW

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
HISTORICAL = int(Flag.HISTORICAL)

COLUMNS = ("user_id", "recipient_id", "message_id", "bits")
OF_READER = MessageFlag.user_id == param("user_id")
OF_BOTS = MessageFlag.user_id.in_(Account.select(Account.id).where(Account.is_bot))
CHOSEN = (OF_READER, in_list(MessageFlag.message_id, "message_ids"))
MARK_MENTIONS_READ = MessageFlag.update({MessageFlag.bits: MessageFlag.bits.bin_and(~UNREAD_BELOW)}).where(
    MessageFlag.bits.bin_and(UNREAD_BELOW) != 0, MessageFlag.bits.bin_and(int(Flag.CALLED)) != 0
)

PUT_BITS = Statement(
    lambda dialect: (
        f"""
        INSERT INTO message_flag (user_id, recipient_id, message_id, bits)
        SELECT user_id, recipient_id, message_id, bits
        FROM {dialect.rows("new", "flag_rows", COLUMNS)} WHERE TRUE
        ON CONFLICT (user_id, message_id) DO UPDATE SET bits = message_flag.bits | excluded.bits
    """
    )
)
KEEP_BITS = Statement(
    MessageFlag.update({MessageFlag.bits: MessageFlag.bits.bin_and(param("kept_bits"))}).where(*CHOSEN)
)
FORGET_EMPTY = Statement(MessageFlag.delete().where(*CHOSEN, MessageFlag.bits == 0))


def _mark_mentions_of_bots_read(*, of_some: bool, in_some: bool) -> Statement:
    """Return the statement for some bots or for all, and for some channels or for all."""
    conditions = [OF_BOTS]
    if of_some:
        conditions.append(in_list(MessageFlag.user_id, "user_ids"))
    if in_some:
        conditions.append(in_list(MessageFlag.recipient_id, "channel_ids"))
    return Statement(MARK_MENTIONS_READ.where(*conditions))


MARK_MENTIONS_OF_BOTS_READ = {
    (of_some, in_some): _mark_mentions_of_bots_read(of_some=of_some, in_some=in_some)
    for of_some in (False, True)
    for in_some in (False, True)
}


def rows_with(dialect: Dialect, alias: str, bits: int) -> tuple[str, str]:
    """Return an item of FROM with the rows of flags, and the condition that a row has one of the bits. If
    there is an index for these bits, both are worded so that it is used.
    """
    index = INDEX_OF_BITS.get(bits)
    hint = "" if index is None else dialect.by_index(index)
    return f"message_flag AS {alias}{hint}", f"({alias}.bits & {bits}) != 0"


def put_bits(session: Session, rows: Sequence[tuple[UserId, RecipientId, MessageId, int]]) -> None:
    """Add bits to readers' rows of messages, one row each; missing rows are made."""
    if rows:
        session.run(PUT_BITS, flag_rows=rows)


def drop_bits(session: Session, user_id: UserId, message_ids: Iterable[MessageId], bits: int) -> None:
    """Remove bits from a reader's rows, and delete the rows that are left without any."""
    if chosen := sorted(message_ids):
        session.run(KEEP_BITS, user_id=user_id, message_ids=chosen, kept_bits=~bits)
        session.run(FORGET_EMPTY, user_id=user_id, message_ids=chosen)


def mark_mentions_of_bots_read(
    session: Session, user_ids: Collection[UserId] | None, channel_ids: Collection[ChannelId] | None
) -> None:
    """Mark mentions of bots as read: of some or all bots, in some channels or everywhere."""
    statement = MARK_MENTIONS_OF_BOTS_READ[user_ids is not None, channel_ids is not None]
    session.run(statement, **given_values(user_ids=user_ids, channel_ids=channel_ids))
