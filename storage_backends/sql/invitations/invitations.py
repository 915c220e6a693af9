"""Invitations, by address and by link."""

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Any

import msgspec

from chatcore.domain.ids import ChannelId, GroupId, InvitationId
from chatcore.domain.invitations.invitations import Invitation
from chatcore.domain.roles import Role
from storage_backends.sql import schema
from storage_backends.sql.schema.accounts import email_key
from storage_backends.sql.session import Session
from storage_backends.sql.statement import ROW_COUNT, Statement, change, insert, listed, param

TABLE = schema.Invitation
_decode_channels = msgspec.json.Decoder(tuple[ChannelId, ...]).decode
_decode_groups = msgspec.json.Decoder(tuple[GroupId, ...]).decode

IS_THIS = TABLE.id == param("id")

FIND = Statement(TABLE.select().where(IS_THIS))
FIND_BY_TOKEN = Statement(TABLE.select().where(TABLE.token_hash == param("token_hash")))
FIND_ALL = Statement(TABLE.select().order_by(TABLE.id))
FIND_TO_ADDRESSES = Statement(TABLE.select().where(listed(TABLE.email_key, "emails")).order_by(TABLE.id))
COUNT = Statement(TABLE.select(ROW_COUNT))
ADD = Statement(insert(TABLE).returning(TABLE.id))
RENEW = change(TABLE, "invited_at", "expires_at")
CHANGE_LINK = change(TABLE, "nonce", "token_hash")
REMOVE = Statement(TABLE.delete().where(IS_THIS))
FORGET_EXPIRED = Statement(TABLE.delete().where(TABLE.expires_at <= param("now")))


class Invitations:
    def __init__(self, session: Session) -> None:
        self._session = session

    def find(self, invitation_id: int) -> Invitation | None:
        row = self._session.row(FIND, id=invitation_id)
        return None if row is None else _invitation(row)

    def find_by_token(self, token_hash: str) -> Invitation | None:
        row = self._session.row(FIND_BY_TOKEN, token_hash=token_hash)
        return None if row is None else _invitation(row)

    def all(self) -> Sequence[Invitation]:
        return [_invitation(row) for row in self._session.rows(FIND_ALL)]

    def to_addresses(self, emails: Collection[str]) -> Sequence[Invitation]:
        keys = [email_key(email) for email in emails]
        return [_invitation(row) for row in self._session.rows(FIND_TO_ADDRESSES, emails=keys)]

    def count(self) -> int:
        return int(self._session.value(COUNT))

    def add(self, invitation: Invitation) -> Invitation:
        invitation_id = self._session.value(
            ADD,
            email=invitation.email,
            email_key=None if invitation.email is None else email_key(invitation.email),
            inviter_id=invitation.inviter_id,
            invited_at=invitation.invited_at,
            expires_at=invitation.expires_at,
            role=int(invitation.role),
            channel_ids=msgspec.json.encode(invitation.channel_ids).decode(),
            group_ids=msgspec.json.encode(invitation.group_ids).decode(),
            joins_defaults=invitation.joins_defaults,
            notifies_inviter=invitation.notifies_inviter,
            welcome_text=invitation.welcome_text,
            nonce=invitation.nonce,
            token_hash=invitation.token_hash,
        )
        return replace(invitation, id=InvitationId(invitation_id))

    def renew(self, invitation_id: InvitationId, *, invited_at: int, expires_at: int | None) -> None:
        self._session.run(RENEW, id=invitation_id, invited_at=invited_at, expires_at=expires_at)

    def change_link(self, invitation_id: InvitationId, nonce: str, token_hash: str) -> None:
        self._session.run(CHANGE_LINK, id=invitation_id, nonce=nonce, token_hash=token_hash)

    def remove(self, invitation_id: InvitationId) -> bool:
        return self._session.changed(REMOVE, id=invitation_id) > 0

    def forget_expired(self, now: int) -> None:
        self._session.run(FORGET_EXPIRED, now=now)


def _invitation(row: Any) -> Invitation:
    return Invitation(
        id=row.id,
        email=row.email,
        inviter_id=row.inviter_id,
        invited_at=row.invited_at,
        expires_at=row.expires_at,
        role=Role(row.role),
        channel_ids=_decode_channels(row.channel_ids),
        group_ids=_decode_groups(row.group_ids),
        joins_defaults=bool(row.joins_defaults),
        notifies_inviter=bool(row.notifies_inviter),
        welcome_text=row.welcome_text,
        nonce=row.nonce,
        token_hash=row.token_hash,
    )
