"""Mails that wait to be sent."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import msgspec

from chatcore.domain.ids import MailId
from chatcore.domain.mail.mails import Mail, MailKind
from storage_backends.sql import schema
from storage_backends.sql.session import Session
from storage_backends.sql.statement import ROW_COUNT, Statement, change, insert, param

TABLE = schema.Mail
_decode_facts = msgspec.json.Decoder(Mapping[str, str]).decode

IS_THIS = TABLE.id == param("id")

FIND = Statement(TABLE.select().where(IS_THIS))
FIRST_DUE = Statement(TABLE.select().order_by(TABLE.due, TABLE.id).limit(1))
FIRST_URGENT = Statement(
    TABLE.select().where(TABLE.is_urgent, TABLE.due <= param("now")).order_by(TABLE.due, TABLE.id).limit(1)
)
COUNT = Statement(TABLE.select(ROW_COUNT))
ADD = Statement(insert(TABLE).returning(TABLE.id))
PUT_OFF = change(TABLE, "due", "tries")
REMOVE = Statement(TABLE.delete().where(IS_THIS))


class Mails:
    def __init__(self, session: Session) -> None:
        self._session = session

    def find(self, mail_id: MailId) -> Mail | None:
        row = self._session.row(FIND, id=mail_id)
        return None if row is None else _mail(row)

    def first_due(self, now: int) -> Mail | None:
        row = self._session.row(FIRST_URGENT, now=now) or self._session.row(FIRST_DUE)
        return None if row is None else _mail(row)

    def count(self) -> int:
        return int(self._session.value(COUNT))

    def add(self, mail: Mail) -> Mail:
        mail_id = self._session.value(
            ADD,
            message_key=mail.message_key,
            recipient=mail.recipient,
            wording=str(mail.kind),
            facts=msgspec.json.encode(mail.facts).decode(),
            nonce=mail.nonce,
            written_at=mail.written_at,
            due=mail.due,
            tries=mail.attempts,
            is_urgent=mail.is_urgent,
        )
        return replace(mail, id=MailId(mail_id))

    def put_off(self, mail_id: MailId, *, due: int, attempts: int) -> None:
        self._session.run(PUT_OFF, id=mail_id, due=due, tries=attempts)

    def remove(self, mail_id: MailId) -> bool:
        return self._session.changed(REMOVE, id=mail_id) > 0


def _mail(row: Any) -> Mail:
    return Mail(
        id=row.id,
        message_key=row.message_key,
        recipient=row.recipient,
        kind=MailKind(row.wording),
        facts=_decode_facts(row.facts),
        nonce=row.nonce,
        written_at=row.written_at,
        due=row.due,
        attempts=row.tries,
    )
