"""The flags of messages that are moved to another channel, where each reader has another watermark.

For the readers of the new channel the messages stay read or unread as they were. Either rows say where the
watermark is wrong about them; or, where that would be more, it is raised above them, and rows say what is
unread below it.
"""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence

from chatcore.domain.flags import Flag
from chatcore.domain.ids import ChannelId, MessageId, Position, UserId
from storage_backends.sql.flag_rows import PUT_BITS, READ_ABOVE, UNREAD_BELOW
from storage_backends.sql.session import Session
from storage_backends.sql.watermarks import READ_FOR_EVER, Watermarks, is_read

KEPT = int(Flag.STARRED | Flag.COLLAPSED)
"""What a reader has done with a message, which stays where it can still be read."""
_OWN_COPY = int(Flag.HISTORICAL) | READ_ABOVE
_READ_OR_NOT = READ_ABOVE | UNREAD_BELOW


class MovedFlags:
    """The flags of some messages of one channel, on the way to another."""

    def __init__(
        self, session: Session, message_ids: Collection[MessageId], source: ChannelId, target: ChannelId
    ) -> None:
        self._session = session
        self._ids = sorted(message_ids)
        self._listed = session.backend.listed(self._ids)
        self._source = source
        self._target = target

    def move(self, keeping: Collection[UserId]) -> None:
        """To be called while the messages are still where they were."""
        before, after = self._watermarks(self._source), self._watermarks(self._target)
        said = self._said()
        raised: list[UserId] = []
        rows: list[tuple[UserId, ChannelId, MessageId, int]] = []
        for user_id, watermark in sorted(after.items()):
            read_to, mine = before.get(user_id, READ_FOR_EVER), said.get(user_id, {})
            wrong = self._wrong_about(watermark, read_to, mine)
            if READ_ABOVE in wrong.values():
                unread = self._unread(read_to, mine)
                others = self._unread_there(user_id, watermark, len(wrong) - len(unread))
                if others is not None:
                    raised.append(user_id)
                    wrong = dict.fromkeys((*unread, *others), UNREAD_BELOW)
            rows += [(user_id, self._target, one, bit) for one, bit in sorted(wrong.items())]
        self._take_along(keeping)
        Watermarks(self._session).read_all(raised, [self._target], Position(self._ids[-1]))
        self._session.run_many(PUT_BITS, rows)

    def _wrong_about(
        self, watermark: int, read_to: int, mine: Mapping[MessageId, int]
    ) -> dict[MessageId, int]:
        """Of which messages the new watermark says the wrong thing, with what a row has to say instead.

        They were read up to *read_to*, but for what rows say in *mine*.
        """
        differing = {*self._between(min(read_to, watermark), max(read_to, watermark)), *mine}
        return {
            one: READ_ABOVE if one > watermark else UNREAD_BELOW
            for one in differing
            if is_read(one, mine.get(one, 0), read_to) != (one <= watermark)
        }

    def _unread(self, read_to: int, mine: Mapping[MessageId, int]) -> list[MessageId]:
        """Those of the messages that were unread."""
        candidates = {*self._between(read_to, READ_FOR_EVER), *mine}
        return [one for one in candidates if not is_read(one, mine.get(one, 0), read_to)]

    def _between(self, low: int, high: int) -> Sequence[MessageId]:
        """Those of the messages above *low*, up to *high*."""
        return self._ids[bisect_right(self._ids, low) : bisect_right(self._ids, high)]

    def _watermarks(self, channel_id: ChannelId) -> Mapping[UserId, int]:
        """How far the readers of the new channel have read in one of the two."""
        return dict(
            self._session.rows(
                """
                SELECT w.user_id, w.position
                FROM subscription AS s
                JOIN read_watermark AS w ON w.user_id = s.user_id AND w.recipient_id = ?
                WHERE s.channel_id = ? AND s.active
                """,
                channel_id,
                self._target,
            )
        )

    def _said(self) -> Mapping[UserId, Mapping[MessageId, int]]:
        """What rows say against the watermarks of the old channel."""
        found: defaultdict[UserId, dict[MessageId, int]] = defaultdict(dict)
        for user_id, message_id, bits in self._session.rows(
            f"""
            SELECT user_id, message_id, bits FROM message_flag
            WHERE message_id {self._session.backend.in_list} AND (bits & {_READ_OR_NOT}) != 0
            """,
            self._listed,
        ):
            found[user_id][message_id] = bits
        return found

    def _unread_there(self, user_id: UserId, watermark: int, fewer_than: int) -> Sequence[MessageId] | None:
        """What is unread in the new channel and would come to lie below the watermark; None where that is
        too much to raise it.
        """
        if fewer_than <= 0:
            return None
        rows = self._session.rows(
            f"""
            SELECT m.id FROM message AS m
            LEFT JOIN message_flag AS f ON f.user_id = ? AND f.message_id = m.id
            WHERE m.recipient_id = ? AND m.id > ? AND m.id <= ? AND (coalesce(f.bits, 0) & {READ_ABOVE}) = 0
            LIMIT ?
            """,
            user_id,
            self._target,
            watermark,
            self._ids[-1],
            fewer_than,
        )
        below = self._session.rows(
            f"""
            SELECT f.message_id FROM message_flag AS f
            WHERE f.user_id = ? AND f.recipient_id = ? AND (f.bits & {UNREAD_BELOW}) != 0
            """,
            user_id,
            self._target,
        )
        return [row[0] for row in (*rows, *below)] if len(rows) < fewer_than else None

    def _take_along(self, keeping: Collection[UserId]) -> None:
        """Rows go to the new channel, but for those of people who lose them."""
        backend = self._session.backend
        moved = f"message_id {backend.in_list}"
        elsewhere = (
            "NOT EXISTS (SELECT 1 FROM subscription AS s WHERE s.user_id = message_flag.user_id"
            " AND s.channel_id = ? AND s.active)"
        )
        self._session.run(
            f"UPDATE message_flag SET recipient_id = ?, bits = bits & ~{_READ_OR_NOT} WHERE {moved}",
            self._target,
            self._listed,
        )
        self._session.run(
            f"DELETE FROM message_flag WHERE {moved} AND (bits = 0 OR {elsewhere}"
            f" AND ((bits & {KEPT}) = 0 OR NOT user_id {backend.in_list}))",
            self._listed,
            self._target,
            backend.listed(keeping),
        )
        self._session.run(
            f"UPDATE message_flag SET bits = (bits & {KEPT}) | {_OWN_COPY} WHERE {moved} AND {elsewhere}",
            self._listed,
            self._target,
        )
