"""Searches by narrow: the scope of a narrow for a reader, that is, the part of the history in which messages
can match.

`query` finds the messages in the scope, with `pieces`; `terms` has the terms as conditions. The other
implementations are `matches` and `compiled` in `chatcore.domain.narrow`; property tests compare each with
`matches`.
"""

from collections.abc import Collection, Mapping, Sequence

from chatcore.domain.channels.channels import Channel, reads_full_history
from chatcore.domain.ids import ChannelId, MessageId, RecipientId, UserId
from chatcore.domain.messages.access import reads_as_member
from chatcore.domain.messages.viewer import Viewer
from chatcore.domain.narrow.history import full_history
from chatcore.domain.narrow.terms import (
    DirectWith,
    InConversation,
    Narrow,
    PlaceKind,
    traits,
)
from chatcore.storage.messages.messages import FoundIds
from storage_backends.sql.messages.conversations import FIND as FIND_CONVERSATION
from storage_backends.sql.messages.conversations import Conversations
from storage_backends.sql.narrow.query import Query
from storage_backends.sql.narrow.scope import TOP, IdRange, Scope, Side, whole
from storage_backends.sql.narrow.terms import NOBODY, all_of, statement_of
from storage_backends.sql.recipients import people_key
from storage_backends.sql.repository import SqlRepository
from storage_backends.sql.schema import ConversationMember
from storage_backends.sql.statement import Statement, param

THEIRS = ConversationMember.alias("theirs")
MINE = ConversationMember.select(ConversationMember.conversation_id).where(
    ConversationMember.user_id == param("user_id")
)
FIND_SHARED = Statement(
    MINE.join(THEIRS, on=THEIRS.conversation_id == ConversationMember.conversation_id).where(
        THEIRS.user_id == param("other_id")
    )
)
"""The conversations of two users."""


class MessageSearch(SqlRepository):
    def around(
        self,
        narrow: Narrow,
        viewer: Viewer,
        channels: Mapping[ChannelId, Channel],
        *,
        anchor: int,
        before: int,
        after: int,
        with_anchor: bool = True,
    ) -> FoundIds:
        query = Query(self._session, narrow, viewer, self._scope(narrow, viewer, channels))
        return FoundIds(
            before=query.ids(Side(0, anchor - 1, before, descending=True)),
            at_anchor=with_anchor and bool(query.ids(Side(anchor, anchor, 1, descending=True))),
            after=query.ids(Side(anchor + 1, TOP, after, descending=False)),
        )

    def among(
        self,
        narrow: Narrow,
        viewer: Viewer,
        channels: Mapping[ChannelId, Channel],
        message_ids: Collection[MessageId],
    ) -> Sequence[MessageId]:
        """Apply the conditions of the terms to these messages alone, without a scope."""
        dialect = self._session.backend.dialect
        where = all_of(narrow.terms, dialect)
        text = f"""
            SELECT m.id FROM message AS m WHERE m.id {dialect.in_list("message_ids")} AND {where.text}
            ORDER BY m.id
        """
        return self._session.column(
            statement_of(text),
            message_ids=message_ids,
            user_id=NOBODY if viewer.user_id is None else viewer.user_id,
            **where.values,
        )

    def _scope(self, narrow: Narrow, viewer: Viewer, channels: Mapping[ChannelId, Channel]) -> Scope:
        """Return the scope of a narrow: full histories, the reader's conversations, or the periods of
        subscriptions.
        """
        if full_history(narrow, viewer, channels):
            wanted = sorted((narrow.channel_ids or channels.keys()) & channels.keys())
            return Scope(
                whole(
                    channel_id
                    for channel_id in wanted
                    if reads_full_history(
                        channels[channel_id], viewer.actor, subscribed=viewer.is_subscribed_to(channel_id)
                    )
                )
            )
        if viewer.user_id is None:
            return Scope(())
        only_in = {traits(term).only_in for term in narrow.terms}
        if PlaceKind.DIRECT_MESSAGES in only_in:
            return Scope(whole(self._conversation_ids(narrow, viewer.user_id)))
        readable = frozenset(
            channel_id for channel_id, channel in channels.items() if reads_as_member(channel, viewer)
        )
        id_ranges = [
            IdRange(channel_id, period.start, TOP if period.until is None else period.until - 1)
            for channel_id, subscription in viewer.subscriptions.items()
            if channel_id in readable
            for period in subscription.periods
        ]
        if PlaceKind.CHANNELS not in only_in:
            id_ranges += whole(self._conversation_ids(narrow, viewer.user_id))
        if narrow.channel_ids:
            id_ranges = [id_range for id_range in id_ranges if id_range.recipient_id in narrow.channel_ids]
        return Scope(tuple(id_ranges), readable)

    def _conversation_ids(self, narrow: Narrow, user_id: UserId) -> Sequence[RecipientId]:
        """Return the reader's conversations that the narrow can match; all if it names none."""
        for term in narrow.terms:
            match term:
                case InConversation(user_ids):
                    conversation_ids: list[RecipientId] = self._session.column(
                        FIND_CONVERSATION, people=people_key(user_ids)
                    )
                    return conversation_ids if user_id in user_ids else []
                case DirectWith(other):
                    return self._session.column(FIND_SHARED, user_id=user_id, other_id=other)
        return Conversations(self._session).ids_of(user_id)
