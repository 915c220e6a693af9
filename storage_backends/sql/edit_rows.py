"""The rows of `message_edit`: each change of a message, with what was there before."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from chatcore.domain.ids import MessageId
from chatcore.domain.messages import Edit
from chatcore.storage.edits import Place
from storage_backends.sql.session import Session

EDIT_COLUMNS = (
    "user_id",
    "timestamp",
    "prev_content",
    "prev_rendered_content",
    "prev_topic",
    "topic",
    "prev_channel_id",
    "prev_arrived_at",
    "channel_id",
)


def edits_of(session: Session, message_ids: Sequence[MessageId]) -> Mapping[MessageId, Sequence[Edit]]:
    """The edits of each message, the newest first."""
    found: defaultdict[MessageId, list[Edit]] = defaultdict(list)
    if message_ids:
        backend = session.backend
        for row in session.rows(
            f"""
            SELECT message_id, {", ".join(EDIT_COLUMNS)} FROM message_edit
            WHERE message_id {backend.in_list} ORDER BY id DESC
            """,
            backend.listed(message_ids),
        ):
            found[row[0]].append(Edit(**dict(zip(EDIT_COLUMNS, row[1:], strict=True))))
    return found


def add_edit(session: Session, message_id: MessageId, edit: Edit) -> None:
    columns = ("message_id", *EDIT_COLUMNS)
    session.run(
        f"INSERT INTO message_edit ({', '.join(columns)}) VALUES ({', '.join('?' for _ in columns)})",
        message_id,
        *(getattr(edit, name) for name in EDIT_COLUMNS),
    )


def add_moves(session: Session, message_ids: Collection[MessageId], edit: Edit, to: Place) -> None:
    """Copy from each of the messages where it is."""
    edit = replace(edit, topic=to.topic, channel_id=to.channel_id)
    before: dict[str, str] = {}
    if to.topic is not None:
        before["prev_topic"] = "topic"
    if to.channel_id is not None:
        before |= {"prev_channel_id": "recipient_id", "prev_arrived_at": "coalesce(arrived_at, id)"}
    session.run(
        f"""
        INSERT INTO message_edit (message_id, {", ".join(EDIT_COLUMNS)})
        SELECT id, {", ".join(before.get(name, "?") for name in EDIT_COLUMNS)} FROM message
        WHERE id {session.backend.in_list}
        """,
        *(getattr(edit, name) for name in EDIT_COLUMNS if name not in before),
        session.backend.listed(message_ids),
    )


def fold_edits(session: Session, message_id: MessageId, count: int, into: Edit) -> None:
    """The last of the rows is kept, so that it stays in its place."""
    rows = session.rows(
        "SELECT id FROM message_edit WHERE message_id = ? ORDER BY id LIMIT ?", message_id, count
    )
    *gone, kept = [row[0] for row in rows]
    backend = session.backend
    session.run(f"DELETE FROM message_edit WHERE id {backend.in_list}", backend.listed(gone))
    session.run(
        f"UPDATE message_edit SET {', '.join(f'{name} = ?' for name in EDIT_COLUMNS)} WHERE id = ?",
        *(getattr(into, name) for name in EDIT_COLUMNS),
        kept,
    )
