"""Receipts of mails to channels, and of mails by which people answer mails."""

from functools import partial
from typing import Any, Final, Generic, NamedTuple, TypeVar

from chatcore.domain.ids import ChannelId, UserId
from storage_backends.sql import schema
from storage_backends.sql.session import Session
from storage_backends.sql.statement import ROW_COUNT, Statement, insert, param

HolderId = TypeVar("HolderId", ChannelId, UserId)


class _Statements(NamedTuple):
    find: Statement
    number: Statement
    add: Statement
    forget: Statement


def _statements_of(table: type[schema.Table], holder: str) -> _Statements:
    """Return the statements of a table; *holder* names the column of who has its receipts."""
    columns: Any = table
    of_holder = table._meta.fields[holder] == param(holder)
    return _Statements(
        find=Statement(table.select(ROW_COUNT).where(of_holder, columns.mail_key == param("mail_key"))),
        number=Statement(table.select(ROW_COUNT).where(of_holder, columns.received_at > param("since"))),
        add=Statement(insert(table)),
        forget=Statement(table.delete().where(columns.received_at < param("forget_before"))),
    )


OF_CHANNELS: Final = _statements_of(schema.MailReceipt, "channel_id")
OF_PEOPLE: Final = _statements_of(schema.ReplyReceipt, "user_id")


class Receipts(Generic[HolderId]):
    def __init__(self, session: Session, statements: _Statements, holder: str) -> None:
        self._session, self._statements, self._holder = session, statements, holder

    def has(self, holder_id: HolderId, key: str) -> bool:
        return int(self._session.value(self._statements.find, **self._of(holder_id), mail_key=key)) > 0

    def count(self, holder_id: HolderId, since: int) -> int:
        return int(self._session.value(self._statements.number, **self._of(holder_id), since=since))

    def add(self, holder_id: HolderId, key: str, now: int, forget_before: int) -> None:
        self._session.run(self._statements.forget, forget_before=forget_before)
        self._session.run(self._statements.add, **self._of(holder_id), mail_key=key, received_at=now)

    def _of(self, holder_id: HolderId) -> dict[str, HolderId]:
        return {self._holder: holder_id}


MailReceipts = partial(Receipts[ChannelId], statements=OF_CHANNELS, holder="channel_id")
ReplyReceipts = partial(Receipts[UserId], statements=OF_PEOPLE, holder="user_id")
