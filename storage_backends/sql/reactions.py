"""Reactions to messages. `message.has_reaction` says whether there are any: narrows look for it."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence

from chatcore.domain.ids import MessageId
from chatcore.domain.messages import Reaction
from storage_backends.sql.session import Session


class Reactions:
    def __init__(self, session: Session) -> None:
        self._session = session

    def of(self, message_ids: Collection[MessageId]) -> Mapping[MessageId, Sequence[Reaction]]:
        """The reactions of each message that has any, the oldest first."""
        backend = self._session.backend
        found: defaultdict[MessageId, list[Reaction]] = defaultdict(list)
        if not message_ids:
            return found
        for message_id, user_id, name, code, kind in self._session.rows(
            f"""
            SELECT message_id, user_id, emoji_name, emoji_code, reaction_type FROM reaction
            WHERE message_id {backend.in_list} ORDER BY id
            """,
            backend.listed(message_ids),
        ):
            found[message_id].append(
                Reaction(user_id=user_id, emoji_name=name, emoji_code=code, reaction_type=kind)
            )
        return found

    def add(self, message_id: MessageId, reaction: Reaction) -> None:
        self._session.run(
            """
            INSERT INTO reaction (message_id, user_id, emoji_name, emoji_code, reaction_type)
            VALUES (?, ?, ?, ?, ?)
            """,
            message_id,
            reaction.user_id,
            reaction.emoji_name,
            reaction.emoji_code,
            reaction.reaction_type,
        )
        self._session.run("UPDATE message SET has_reaction = ? WHERE id = ?", True, message_id)

    def remove(self, message_id: MessageId, reaction: Reaction) -> None:
        self._session.run(
            """
            DELETE FROM reaction
            WHERE message_id = ? AND user_id = ? AND reaction_type = ? AND emoji_code = ?
            """,
            message_id,
            reaction.user_id,
            reaction.reaction_type,
            reaction.emoji_code,
        )
        self._session.run(
            "UPDATE message SET has_reaction = EXISTS (SELECT 1 FROM reaction WHERE message_id = ?)"
            " WHERE id = ?",
            message_id,
            message_id,
        )
