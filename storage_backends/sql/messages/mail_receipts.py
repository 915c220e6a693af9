"""Receipts of mails."""

from chatcore.domain.ids import ChannelId
from storage_backends.sql import schema
from storage_backends.sql.session import Session
from storage_backends.sql.statement import ROW_COUNT, Statement, insert, param

TABLE = schema.MailReceipt
OF_CHANNEL = TABLE.channel_id == param("channel_id")

FIND = Statement(TABLE.select(ROW_COUNT).where(OF_CHANNEL, TABLE.mail_key == param("mail_key")))
COUNT = Statement(TABLE.select(ROW_COUNT).where(OF_CHANNEL, TABLE.received_at > param("since")))
ADD = Statement(insert(TABLE))
FORGET = Statement(TABLE.delete().where(TABLE.received_at < param("forget_before")))


class MailReceipts:
    def __init__(self, session: Session) -> None:
        self._session = session

    def has(self, channel_id: ChannelId, key: str) -> bool:
        return int(self._session.value(FIND, channel_id=channel_id, mail_key=key)) > 0

    def count(self, channel_id: ChannelId, since: int) -> int:
        return int(self._session.value(COUNT, channel_id=channel_id, since=since))

    def add(self, channel_id: ChannelId, key: str, now: int, forget_before: int) -> None:
        self._session.run(FORGET, forget_before=forget_before)
        self._session.run(ADD, channel_id=channel_id, mail_key=key, received_at=now)
