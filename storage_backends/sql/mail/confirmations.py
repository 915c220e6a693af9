"""Links that prove that their reader reads the mail of an address."""

from chatcore.domain.ids import UserId
from chatcore.domain.mail.confirmations import Confirmation, Proof
from storage_backends.sql import schema
from storage_backends.sql.schema.accounts import email_key
from storage_backends.sql.session import Session
from storage_backends.sql.statement import Statement, insert, param

TABLE = schema.Confirmation

IS_THIS = TABLE.token_hash == param("token_hash")
OF_PROOF = TABLE.proof == param("proof")

FIND = Statement(TABLE.select().where(IS_THIS))
ADD = Statement(insert(TABLE))
REMOVE = Statement(TABLE.delete().where(IS_THIS))
REMOVE_OF_ADDRESS = Statement(TABLE.delete().where(OF_PROOF, TABLE.email_key == param("email_key")))
REMOVE_OF_USER = Statement(TABLE.delete().where(OF_PROOF, TABLE.user_id == param("user_id")))
FORGET_EXPIRED = Statement(TABLE.delete().where(TABLE.expires_at <= param("now")))


class Confirmations:
    def __init__(self, session: Session) -> None:
        self._session = session

    def find(self, token_hash: str) -> Confirmation | None:
        row = self._session.row(FIND, token_hash=token_hash)
        if row is None:
            return None
        return Confirmation(
            token_hash=row.token_hash,
            proof=Proof(row.proof),
            nonce=row.nonce,
            email=row.email,
            user_id=row.user_id,
            key_version=row.key_version,
            invitation_id=row.invitation_id,
            expires_at=row.expires_at,
        )

    def add(self, confirmation: Confirmation) -> None:
        self._session.run(
            ADD,
            token_hash=confirmation.token_hash,
            proof=str(confirmation.proof),
            nonce=confirmation.nonce,
            email=confirmation.email,
            email_key=email_key(confirmation.email),
            user_id=confirmation.user_id,
            key_version=confirmation.key_version,
            invitation_id=confirmation.invitation_id,
            expires_at=confirmation.expires_at,
        )

    def remove(self, token_hash: str) -> bool:
        return self._session.changed(REMOVE, token_hash=token_hash) > 0

    def remove_of_address(self, proof: Proof, email: str) -> None:
        self._session.run(REMOVE_OF_ADDRESS, proof=str(proof), email_key=email_key(email))

    def remove_of_user(self, proof: Proof, user_id: UserId) -> None:
        self._session.run(REMOVE_OF_USER, proof=str(proof), user_id=user_id)

    def forget_expired(self, now: int) -> None:
        self._session.run(FORGET_EXPIRED, now=now)
