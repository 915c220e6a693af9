"""The queue of calls of bots."""

from collections.abc import Collection, Sequence
from dataclasses import replace

from chatcore.domain.bots.calls import BEGIN_SECONDS, LEASE_SECONDS, PAUSES, BotCall, DueCall
from chatcore.domain.ids import UserId
from storage_backends.sql import schema
from storage_backends.sql.repository import SqlRepository
from storage_backends.sql.statement import ROW_COUNT, Statement, change, insert, param
from storage_backends.sql.values import columns_of, new_columns_of

TABLE = schema.BotCall
IS_THIS = TABLE.id == param("call_id")

FIND = Statement(TABLE.select().where(IS_THIS)).of(BotCall)
COUNT = Statement(TABLE.select(ROW_COUNT).where(TABLE.bot_id == param("bot_id")))
FIRST_DUE = (
    Statement(
        lambda dialect: (
            f"""
    WITH RECURSIVE bot (id) AS (
        SELECT min(bot_id) FROM bot_call
        UNION ALL
        SELECT (SELECT min(bot_id) FROM bot_call WHERE bot_id > bot.id) FROM bot WHERE bot.id IS NOT NULL
    ), first (bot_id, call_id) AS (
        SELECT bot.id, (
            SELECT waiting.id FROM bot_call AS waiting WHERE waiting.bot_id = bot.id
                AND NOT waiting.due BETWEEN :now + 1 AND :now + {max(PAUSES)}
                AND NOT coalesce(
                    (SELECT sender_id FROM message WHERE message.id = waiting.message_id), waiting.bot_id
                ) {dialect.in_list("but_of")}
            ORDER BY waiting.bot_id, waiting.id LIMIT 1
        )
        FROM bot
        WHERE NOT EXISTS (
            SELECT 1 FROM bot_call AS running WHERE running.bot_id = bot.id
                AND running.leased_until BETWEEN :now + 1 AND :now + {LEASE_SECONDS}
        )
    ), owned (call_id, owner_id, place) AS (
        SELECT first.call_id, coalesce(account.bot_owner_id, first.bot_id), row_number() OVER (
            PARTITION BY coalesce(account.bot_owner_id, first.bot_id) ORDER BY first.call_id
        )
        FROM first LEFT JOIN account ON account.id = first.bot_id
        WHERE first.call_id IS NOT NULL
    )
    SELECT bot_call.*, owned.owner_id, coalesce(message.sender_id, bot_call.bot_id) AS caller_id
    FROM owned JOIN bot_call ON bot_call.id = owned.call_id
        LEFT JOIN message ON message.id = bot_call.message_id
    ORDER BY owned.place, owned.call_id LIMIT :limit
    """
        )
    )
    .of(BotCall, TABLE)
    .by("owner_id", "caller_id")
)
"""Steps from bot to bot by an index: of a bot that is called often, only the first row is read, and those of
busy callers before it, which are not many of one caller. A time that lies further ahead than any pause or
lease is from a clock that was set back since, and is over. Of each owner comes one call before the second one
of any, so that nobody's bots fill the limit.
"""
COUNT_OF_CALLER = Statement(
    TABLE.select(ROW_COUNT)
    .join(schema.Message, on=schema.Message.id == TABLE.message_id)
    .where(TABLE.bot_id == param("bot_id"), schema.Message.sender_id == param("caller_id"))
)
FIND_TAKEN_A_WHILE_AGO = Statement(
    f"""
    WITH RECURSIVE bot (id) AS (
        SELECT min(bot_id) FROM bot_call
        UNION ALL
        SELECT (SELECT min(bot_id) FROM bot_call WHERE bot_id > bot.id) FROM bot WHERE bot.id IS NOT NULL
    )
    SELECT bot_call.* FROM bot JOIN bot_call ON bot_call.bot_id = bot.id
        AND bot_call.leased_until BETWEEN :now + 1 AND :now + {LEASE_SECONDS - BEGIN_SECONDS}
    """
).of(BotCall, TABLE)
ADD = Statement(insert(TABLE).returning(TABLE.id))
CHANGE = change(TABLE)
REMOVE = Statement(TABLE.delete().where(IS_THIS))


class BotCalls(SqlRepository):
    def add(self, call: BotCall) -> BotCall:
        return replace(call, id=int(self._session.value(ADD, **new_columns_of(TABLE, call))))

    def find(self, call_id: int) -> BotCall | None:
        return self._session.row(FIND, call_id=call_id)

    def count(self, bot_id: UserId) -> int:
        return int(self._session.value(COUNT, bot_id=bot_id))

    def count_of_caller(self, bot_id: UserId, caller_id: UserId) -> int:
        return int(self._session.value(COUNT_OF_CALLER, bot_id=bot_id, caller_id=caller_id))

    def first_of_each_bot(
        self, now: int, limit: int, *, but_of: Collection[UserId] = ()
    ) -> Sequence[DueCall]:
        rows = self._session.rows(FIRST_DUE, now=now, limit=limit, but_of=but_of)
        return [DueCall(call=call, owner_id=owner, caller_id=caller) for (owner, caller), call in rows]

    def taken_a_while_ago(self, now: int) -> Sequence[BotCall]:
        return self._session.rows(FIND_TAKEN_A_WHILE_AGO, now=now)

    def update(self, call: BotCall) -> None:
        self._session.run(CHANGE, **columns_of(TABLE, call))

    def remove(self, call_id: int) -> None:
        self._session.run(REMOVE, call_id=call_id)
