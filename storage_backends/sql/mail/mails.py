"""Mails that wait to be sent."""

from dataclasses import replace

from chatcore.domain.ids import MailId
from chatcore.domain.mail.mails import Mail, MailKind
from storage_backends.sql import schema
from storage_backends.sql.repository import SqlRepository
from storage_backends.sql.statement import ROW_COUNT, Statement, change, insert, param
from storage_backends.sql.values import new_columns_of

TABLE = schema.Mail

IS_THIS = TABLE.id == param("id")

FIND = Statement(TABLE.select().where(IS_THIS)).of(Mail)
FIRST_DUE = Statement(TABLE.select().order_by(TABLE.due, TABLE.id).limit(1)).of(Mail)
FIRST_URGENT = Statement(
    TABLE.select().where(TABLE.is_urgent, TABLE.due <= param("now")).order_by(TABLE.due, TABLE.id).limit(1)
).of(Mail)
COUNT = Statement(TABLE.select(ROW_COUNT))
COUNT_TO = Statement(
    TABLE.select(ROW_COUNT).where(TABLE.recipient == param("recipient"), TABLE.kind == param("kind"))
)
ADD = Statement(insert(TABLE).returning(TABLE.id))
PUT_OFF = change(TABLE, "due", "attempts")
REMOVE = Statement(TABLE.delete().where(IS_THIS))


class Mails(SqlRepository):
    def find(self, mail_id: MailId) -> Mail | None:
        return self._session.row(FIND, id=mail_id)

    def first_due(self, now: int) -> Mail | None:
        return self._session.row(FIRST_URGENT, now=now) or self._session.row(FIRST_DUE)

    def count(self) -> int:
        return int(self._session.value(COUNT))

    def count_to(self, recipient: str, kind: MailKind) -> int:
        return int(self._session.value(COUNT_TO, recipient=recipient, kind=kind.value))

    def add(self, mail: Mail) -> Mail:
        mail_id = self._session.value(ADD, is_urgent=mail.is_urgent, **new_columns_of(TABLE, mail))
        return replace(mail, id=MailId(mail_id))

    def put_off(self, mail_id: MailId, *, due: int, attempts: int) -> None:
        self._session.run(PUT_OFF, id=mail_id, due=due, attempts=attempts)

    def remove(self, mail_id: MailId) -> bool:
        return self._session.run_counting(REMOVE, id=mail_id) > 0
