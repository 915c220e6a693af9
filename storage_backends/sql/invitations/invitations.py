"""Invitations, by address and by link."""

from collections.abc import Collection, Sequence
from dataclasses import replace

from chatcore.domain.ids import InvitationId
from chatcore.domain.invitations.invitations import Invitation
from storage_backends.sql import schema
from storage_backends.sql.repository import SqlRepository
from storage_backends.sql.schema.accounts import email_key
from storage_backends.sql.statement import ROW_COUNT, Statement, change, in_list, insert, param
from storage_backends.sql.values import new_columns_of

TABLE = schema.Invitation
IS_THIS = TABLE.id == param("id")

FIND = Statement(TABLE.select().where(IS_THIS)).of(Invitation)
FIND_BY_TOKEN = Statement(TABLE.select().where(TABLE.token_hash == param("token_hash"))).of(Invitation)
FIND_ALL = Statement(TABLE.select().order_by(TABLE.id)).of(Invitation)
FIND_TO_ADDRESSES = Statement(
    TABLE.select().where(in_list(TABLE.email_key, "email_keys")).order_by(TABLE.id)
).of(Invitation)
COUNT = Statement(TABLE.select(ROW_COUNT))
ADD = Statement(insert(TABLE).returning(TABLE.id))
RENEW = change(TABLE, "invited_at", "expires_at")
CHANGE_LINK = change(TABLE, "nonce", "token_hash")
REMOVE = Statement(TABLE.delete().where(IS_THIS))
FORGET_EXPIRED = Statement(TABLE.delete().where(TABLE.expires_at <= param("now")))


class Invitations(SqlRepository):
    def find(self, invitation_id: int) -> Invitation | None:
        return self._session.row(FIND, id=invitation_id)

    def find_by_token(self, token_hash: str) -> Invitation | None:
        return self._session.row(FIND_BY_TOKEN, token_hash=token_hash)

    def all(self) -> Sequence[Invitation]:
        return self._session.rows(FIND_ALL)

    def to_addresses(self, emails: Collection[str]) -> Sequence[Invitation]:
        return self._session.rows(FIND_TO_ADDRESSES, email_keys=[email_key(email) for email in emails])

    def count(self) -> int:
        return int(self._session.value(COUNT))

    def add(self, invitation: Invitation) -> Invitation:
        key = None if invitation.email is None else email_key(invitation.email)
        invitation_id = self._session.value(ADD, email_key=key, **new_columns_of(TABLE, invitation))
        return replace(invitation, id=InvitationId(invitation_id))

    def renew(self, invitation_id: InvitationId, *, invited_at: int, expires_at: int | None) -> None:
        self._session.run(RENEW, id=invitation_id, invited_at=invited_at, expires_at=expires_at)

    def change_link(self, invitation_id: InvitationId, nonce: str, token_hash: str) -> None:
        self._session.run(CHANGE_LINK, id=invitation_id, nonce=nonce, token_hash=token_hash)

    def remove(self, invitation_id: InvitationId) -> bool:
        return self._session.run_counting(REMOVE, id=invitation_id) > 0

    def forget_expired(self, now: int) -> None:
        self._session.run(FORGET_EXPIRED, now=now)
