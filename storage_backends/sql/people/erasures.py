"""Accounts that are being erased."""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, Final

from peewee import Tuple, fn

from chatcore.domain.ids import AuditId, MessageId, UserId
from chatcore.domain.mail.mails import Mail
from chatcore.domain.mail_addresses import address_key, spellings
from chatcore.domain.people.erasure import Erasure, Step
from chatcore.storage.people.erasures import IdsToSearch, StoredText, Texts
from storage_backends.sql import schema
from storage_backends.sql.dialect import Dialect
from storage_backends.sql.people.one_person import PERSONAL
from storage_backends.sql.repository import SqlRepository
from storage_backends.sql.schema import AuditLogEntry, Confirmation, Invitation, Table
from storage_backends.sql.statement import Statement, in_list, param, upsert
from storage_backends.sql.values import columns_of

TABLE = schema.Erasure
IN_WINDOW = "id > :after AND id <= :until"


def _remove_some(table: type[Table], condition: Any) -> Statement:
    """Return a statement that removes up to `limit` rows that meet a condition."""
    keys = table._meta.get_primary_keys()
    some = table.select(*keys).where(condition).limit(param("limit"))
    key = keys[0] if len(keys) == 1 else Tuple(*keys)
    return Statement(table.delete().where(key.in_(some)))


def _find_with(table: str, columns: str, html: str) -> Callable[[Dialect], str]:
    """Return a statement that finds rows of which the column *html* contains the parameter `html`."""
    return lambda dialect: (
        f"SELECT {columns} FROM {table} WHERE {IN_WINDOW} AND {dialect.contains(html, 'html')}"
        " ORDER BY id LIMIT :limit"
    )


FIND = Statement(TABLE.select().where(TABLE.user_id == param("user_id"))).of(Erasure)
FIND_UNFINISHED = Statement(TABLE.select().where(TABLE.step != Step.DONE.value).order_by(TABLE.user_id)).of(
    Erasure
)
PUT = upsert(TABLE)
REMOVE: Final = [
    _remove_some(table, personal.removed)
    for table, personal in PERSONAL.items()
    if personal.removed is not None
]
FIND_MAILS = Statement(schema.Mail.select()).of(Mail)
FORGET_MAILS = Statement(schema.Mail.delete().where(in_list(schema.Mail.id, "mail_ids")))
FORGET_LINKS = Statement(Confirmation.delete().where(in_list(Confirmation.email_key, "email_keys")))
FORGET_INVITATIONS = Statement(Invitation.delete().where(in_list(Invitation.email_key, "email_keys")))
EXPIRE_UPLOADS = Statement(
    schema.UnfinishedUpload.update(expires_at=0).where(
        schema.UnfinishedUpload.owner_id == param("owner_id"), schema.UnfinishedUpload.expires_at != 0
    )
)
FIND_SENT = Statement(
    f"SELECT id FROM message WHERE {IN_WINDOW} AND sender_id = :sender_id ORDER BY id LIMIT :limit"
)
FIND_MESSAGES = Statement(_find_with("message", "id", "rendered_content"))

_SOURCES: Final[Mapping[Texts, tuple[type[Table], str, str, str]]] = {
    Texts.EDITS: (schema.MessageEdit, "prev_content", "prev_rendered_content", "message_id"),
    Texts.SCHEDULED: (schema.ScheduledMessage, "content", "rendered_content", "NULL"),
}
"""The table of texts, with the columns of the text, its HTML and its message."""
FIND_TEXTS = {
    texts: Statement(
        _find_with(table._meta.table_name, f"id, {content}, {html}, {message_id} AS message_id", html)
    )
    for texts, (table, content, html, message_id) in _SOURCES.items()
}
FIND_LAST_TEXT = {
    texts: Statement(table.select(fn.max(table._meta.primary_key))) for texts, (table, *_) in _SOURCES.items()
}
CHANGE_TEXT = {
    texts: Statement(
        table.update({content: param("content"), html: param("html")}).where(
            table._meta.primary_key == param("id")
        )
    )
    for texts, (table, content, html, _) in _SOURCES.items()
}
EMPTY_ADDRESSES = Statement(
    AuditLogEntry.update(address="").where(
        in_list(AuditLogEntry.id, "entry_ids"), AuditLogEntry.address != ""
    )
)
EMPTY_NAMES = Statement(AuditLogEntry.update(personal="{}").where(in_list(AuditLogEntry.id, "entry_ids")))


class Erasures(SqlRepository):
    def find(self, user_id: int) -> Erasure | None:
        return self._session.row(FIND, user_id=user_id)

    def unfinished(self) -> Sequence[Erasure]:
        return self._session.rows(FIND_UNFINISHED)

    def put(self, erasure: Erasure) -> None:
        self._session.run(PUT, **columns_of(TABLE, erasure))

    def remove_rows(self, user_id: UserId, limit: int) -> int:
        left = limit
        for statement in REMOVE:
            if left <= 0:
                break
            left -= self._session.run_counting(statement, user_id=user_id, limit=left)
        return limit - left

    def forget_addresses(self, emails: Collection[str]) -> None:
        forgotten = {address_key(email) for email in emails}
        mail_ids = [
            mail.id
            for mail in self._session.rows(FIND_MAILS)
            if not forgotten.isdisjoint(map(address_key, (mail.recipient, *mail.facts.values())))
        ]
        if mail_ids:
            self._session.run(FORGET_MAILS, mail_ids=mail_ids)
        email_keys = [spelled for email in forgotten for spelled in spellings(email)]
        for statement in (FORGET_LINKS, FORGET_INVITATIONS):
            self._session.run(statement, email_keys=email_keys)

    def expire_uploads(self, owner_id: UserId) -> None:
        self._session.run(EXPIRE_UPLOADS, owner_id=owner_id)

    def messages_of(self, sender_id: UserId, within: IdsToSearch) -> Sequence[MessageId]:
        return self._session.column(FIND_SENT, sender_id=sender_id, **within._asdict())

    def messages_with(self, html: str, within: IdsToSearch) -> Sequence[MessageId]:
        return self._session.column(FIND_MESSAGES, html=html, **within._asdict())

    def texts_with(self, texts: Texts, html: str, within: IdsToSearch) -> Sequence[StoredText]:
        found = self._session.rows(FIND_TEXTS[texts], html=html, **within._asdict())
        return [StoredText(*row) for row in found]

    def last_text(self, texts: Texts) -> int:
        return int(self._session.value(FIND_LAST_TEXT[texts]) or 0)

    def change_text(self, texts: Texts, changed: StoredText) -> None:
        self._session.run(CHANGE_TEXT[texts], id=changed.id, content=changed.content, html=changed.html)

    def empty_audit(self, addresses_of: Collection[AuditId], names_of: Collection[AuditId]) -> None:
        for statement, entry_ids in ((EMPTY_ADDRESSES, addresses_of), (EMPTY_NAMES, names_of)):
            if entry_ids:
                self._session.run(statement, entry_ids=entry_ids)
