"""The rows of `message_edit`: each change of a message, with the values before it."""

from collections.abc import Collection, Mapping
from functools import cache
from typing import Any

from peewee import fn

from chatcore.domain.ids import MessageId
from chatcore.domain.messages.messages import Edit
from chatcore.storage.messages.edits import Destination
from storage_backends.sql.schema import Message, MessageEdit
from storage_backends.sql.session import Session
from storage_backends.sql.statement import Statement, in_list, insert, param
from storage_backends.sql.values import columns_of, names_of

FIND = (
    Statement(
        MessageEdit.select()
        .where(in_list(MessageEdit.message_id, "message_ids"))
        .order_by(MessageEdit.id.desc())
    )
    .of(Edit)
    .by("message_id")
)
ADD = Statement(insert(MessageEdit))

OLD_PLACE: Mapping[str, Any] = {
    "prev_topic": Message.topic,
    "prev_channel_id": Message.recipient_id,
    "prev_arrived_at": fn.coalesce(Message.arrived_at, Message.id),
}
"""The place of a message before it is moved, by columns of its edit."""

_OLDEST = "SELECT e.id FROM message_edit AS e WHERE e.message_id = m.id ORDER BY e.id LIMIT 1"


def _of_first(name: str, changed: str) -> str:
    """Return text that assigns the first edit's value of a column, if that edit has a value of the column
    *changed*; else the second edit's stays.
    """
    return f"{name} = CASE WHEN first.{changed} IS NULL THEN message_edit.{name} ELSE first.{name} END"


FOLD_OLDEST = Statement(
    lambda dialect: (
        f"""
        WITH oldest AS (
            SELECT ({_OLDEST}) AS first_id, ({_OLDEST} OFFSET 1) AS second_id
            FROM message AS m WHERE m.id {dialect.in_list("message_ids")}
        )
        UPDATE message_edit SET
            {_of_first("user_id", "prev_content")},
            {_of_first("prev_content", "prev_content")},
            {_of_first("prev_rendered_content", "prev_content")},
            prev_topic = coalesce(first.prev_topic, message_edit.prev_topic),
            topic = coalesce(message_edit.topic, first.topic),
            {_of_first("prev_channel_id", "prev_channel_id")},
            {_of_first("prev_arrived_at", "prev_channel_id")},
            channel_id = coalesce(message_edit.channel_id, first.channel_id)
        FROM oldest JOIN message_edit AS first ON first.id = oldest.first_id
        WHERE message_edit.id = oldest.second_id
        """
    )
)
REMOVE_OLDEST = Statement(
    lambda dialect: (
        f"""
        DELETE FROM message_edit
        WHERE id IN (SELECT ({_OLDEST}) FROM message AS m WHERE m.id {dialect.in_list("message_ids")})
        """
    )
)


def add_edit(session: Session, message_id: MessageId, edit: Edit) -> None:
    session.run(ADD, message_id=message_id, **columns_of(MessageEdit, edit))


def add_moves(session: Session, message_ids: Collection[MessageId], edit: Edit, to: Destination) -> None:
    """Add the edit to each of the messages, which are still in their old place: with that place, as far as
    it changes, and the new one.
    """
    values = columns_of(MessageEdit, edit) | {"topic": to.topic, "channel_id": to.channel_id}
    old_place = [] if to.topic is None else ["prev_topic"]
    if to.channel_id is not None:
        old_place += ["prev_channel_id", "prev_arrived_at"]
    for name in old_place:
        del values[name]
    session.run(_add_to_each(*old_place), message_ids=message_ids, **values)


@cache
def _add_to_each(*old_place: str) -> Statement:
    """Return a statement that adds an edit to each message. The columns *old_place* of the edit are read from
    the message; the others are parameters.
    """
    values: dict[str, Any] = {name: param(name) for name in names_of(MessageEdit, Edit)}
    values |= {name: OLD_PLACE[name] for name in old_place}
    columns = [getattr(MessageEdit, name) for name in ("message_id", *values)]
    edits = Message.select(Message.id, *values.values()).where(in_list(Message.id, "message_ids"))
    return Statement(MessageEdit.insert_from(edits, columns))


def fold_oldest(session: Session, message_ids: Collection[MessageId]) -> None:
    """Merge the two oldest edits of each message: from the state before the first to the state after the
    second. The merged edit keeps the second one's place and time.
    """
    session.run(FOLD_OLDEST, message_ids=message_ids)
    session.run(REMOVE_OLDEST, message_ids=message_ids)
