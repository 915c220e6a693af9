"""Receipts of mails by which people answer mails."""

from chatcore.domain.ids import UserId
from storage_backends.sql import schema
from storage_backends.sql.session import Session
from storage_backends.sql.statement import ROW_COUNT, Statement, insert, param

TABLE = schema.ReplyReceipt
OF_USER = TABLE.user_id == param("user_id")

FIND = Statement(TABLE.select(ROW_COUNT).where(OF_USER, TABLE.mail_key == param("mail_key")))
COUNT = Statement(TABLE.select(ROW_COUNT).where(OF_USER, TABLE.received_at > param("since")))
ADD = Statement(insert(TABLE))
FORGET = Statement(TABLE.delete().where(TABLE.received_at < param("forget_before")))


class ReplyReceipts:
    def __init__(self, session: Session) -> None:
        self._session = session

    def has(self, user_id: UserId, key: str) -> bool:
        return int(self._session.value(FIND, user_id=user_id, mail_key=key)) > 0

    def count(self, user_id: UserId, since: int) -> int:
        return int(self._session.value(COUNT, user_id=user_id, since=since))

    def add(self, user_id: UserId, key: str, now: int, forget_before: int) -> None:
        self._session.run(FORGET, forget_before=forget_before)
        self._session.run(ADD, user_id=user_id, mail_key=key, received_at=now)
