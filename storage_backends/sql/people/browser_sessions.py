"""Sessions of browsers."""

from collections.abc import Sequence

from chatcore.domain.ids import UserId
from chatcore.domain.people.sessions import BrowserSession
from storage_backends.sql import schema
from storage_backends.sql.repository import SqlRepository
from storage_backends.sql.statement import Statement, insert, param, remove_but_newest
from storage_backends.sql.values import new_columns_of

TABLE = schema.BrowserSession
KEPT = TABLE.alias("kept")

HAS_TOKEN = TABLE.token_hash == param("token_hash")
OF_USER = TABLE.user_id == param("user_id")

FIND = Statement(TABLE.select().where(HAS_TOKEN)).of(BrowserSession)
FIND_ALL = Statement(TABLE.select().where(OF_USER).order_by(TABLE.used_at.desc(), TABLE.id.desc())).of(
    BrowserSession
)
ADD = Statement(insert(TABLE))
NOTE_USE = Statement(TABLE.update(used_at=param("now"), address=param("address")).where(HAS_TOKEN))
REMOVE = Statement(TABLE.delete().where(OF_USER, TABLE.id == param("session_id")))
REMOVE_OTHERS = Statement(TABLE.delete().where(OF_USER, TABLE.token_hash != param("but")))
REMOVE_OLDEST = remove_but_newest(KEPT, "id", KEPT.used_at.desc(), KEPT.id.desc())
FORGET_UNUSED = Statement(TABLE.delete().where(TABLE.used_at < param("since")))


class BrowserSessions(SqlRepository):
    def find(self, token_hash: str) -> BrowserSession | None:
        return self._session.row(FIND, token_hash=token_hash)

    def of_user(self, user_id: UserId) -> Sequence[BrowserSession]:
        return self._session.rows(FIND_ALL, user_id=user_id)

    def add(self, token_hash: str, browser_session: BrowserSession, *, keep: int) -> None:
        self._session.run(ADD, token_hash=token_hash, **new_columns_of(TABLE, browser_session))
        self._session.run(REMOVE_OLDEST, user_id=browser_session.user_id, keep=keep)

    def note_use(self, token_hash: str, *, now: int, address: str) -> None:
        self._session.run(NOTE_USE, token_hash=token_hash, now=now, address=address)

    def remove(self, user_id: UserId, session_id: int) -> bool:
        return self._session.run_counting(REMOVE, user_id=user_id, session_id=session_id) > 0

    def remove_of_user(self, user_id: UserId, *, but: str = "") -> bool:
        return self._session.run_counting(REMOVE_OTHERS, user_id=user_id, but=but) > 0

    def forget_unused(self, since: int) -> None:
        self._session.run(FORGET_UNUSED, since=since)
