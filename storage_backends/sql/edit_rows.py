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


def fold_oldest(session: Session, message_ids: Collection[MessageId]) -> None:
    """Make the two oldest edits of each of the messages one: from how it was before the first to how it was
    after the second, whose place and time it keeps.
    """
    listed, in_list = session.backend.listed(message_ids), session.backend.in_list
    oldest = "SELECT e.id FROM message_edit AS e WHERE e.message_id = m.id ORDER BY e.id LIMIT 1"
    texts, channels = (
        ("user_id", "prev_content", "prev_rendered_content"),
        ("prev_channel_id", "prev_arrived_at"),
    )
    session.run(
        f"""
        WITH oldest AS (
            SELECT ({oldest}) AS first_id, ({oldest} OFFSET 1) AS second_id
            FROM message AS m WHERE m.id {in_list}
        )
        UPDATE message_edit SET
            {", ".join(_of_first(name, "prev_content") for name in texts)},
            prev_topic = coalesce(first.prev_topic, message_edit.prev_topic),
            topic = coalesce(message_edit.topic, first.topic),
            {", ".join(_of_first(name, "prev_channel_id") for name in channels)},
            channel_id = coalesce(message_edit.channel_id, first.channel_id)
        FROM oldest JOIN message_edit AS first ON first.id = oldest.first_id
        WHERE message_edit.id = oldest.second_id
        """,
        listed,
    )
    session.run(
        f"DELETE FROM message_edit WHERE id IN (SELECT ({oldest}) FROM message AS m WHERE m.id {in_list})",
        listed,
    )


def _of_first(name: str, given: str) -> str:
    """What was before the first edit, where that changed it; otherwise the second one knows."""
    return f"{name} = CASE WHEN first.{given} IS NULL THEN message_edit.{name} ELSE first.{name} END"
