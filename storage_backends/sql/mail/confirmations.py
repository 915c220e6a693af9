"""Links that prove that their reader reads the mail of an address."""

from chatcore.domain.ids import UserId
from chatcore.domain.mail.confirmations import Confirmation, Proof
from storage_backends.sql import schema
from storage_backends.sql.repository import SqlRepository
from storage_backends.sql.schema.accounts import email_key
from storage_backends.sql.statement import Statement, insert, param
from storage_backends.sql.values import columns_of

TABLE = schema.Confirmation

IS_THIS = TABLE.token_hash == param("token_hash")
OF_PROOF = TABLE.proof == param("proof")

FIND = Statement(TABLE.select().where(IS_THIS)).of(Confirmation)
ADD = Statement(insert(TABLE))
REMOVE = Statement(TABLE.delete().where(IS_THIS))
REMOVE_OF_ADDRESS = Statement(TABLE.delete().where(OF_PROOF, TABLE.email_key == param("email_key")))
REMOVE_OF_USER = Statement(TABLE.delete().where(OF_PROOF, TABLE.user_id == param("user_id")))
FORGET_EXPIRED = Statement(TABLE.delete().where(TABLE.expires_at <= param("now")))


class Confirmations(SqlRepository):
    def find(self, token_hash: str) -> Confirmation | None:
        return self._session.row(FIND, token_hash=token_hash)

    def add(self, confirmation: Confirmation) -> None:
        values = columns_of(TABLE, confirmation)
        self._session.run(ADD, email_key=email_key(confirmation.email), **values)

    def remove(self, token_hash: str) -> bool:
        return self._session.run_counting(REMOVE, token_hash=token_hash) > 0

    def remove_of_address(self, proof: Proof, email: str) -> None:
        self._session.run(REMOVE_OF_ADDRESS, proof=str(proof), email_key=email_key(email))

    def remove_of_user(self, proof: Proof, user_id: UserId) -> None:
        self._session.run(REMOVE_OF_USER, proof=str(proof), user_id=user_id)

    def forget_expired(self, now: int) -> None:
        self._session.run(FORGET_EXPIRED, now=now)
