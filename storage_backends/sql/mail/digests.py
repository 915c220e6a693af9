"""How far the summaries by mail of the present round are written."""

from typing import Final

from chatcore.domain.sent_mail.digests import DigestRound
from storage_backends.sql import schema
from storage_backends.sql.repository import SqlRepository
from storage_backends.sql.statement import Statement, upsert
from storage_backends.sql.values import columns_of

TABLE = schema.DigestRound
THE_ROW: Final = 1

FIND = Statement(TABLE.select()).of(DigestRound)
PUT = upsert(TABLE)


class DigestRounds(SqlRepository):
    def find(self) -> DigestRound | None:
        return self._session.row(FIND)

    def put(self, digest_round: DigestRound) -> None:
        self._session.run(PUT, id=THE_ROW, **columns_of(TABLE, digest_round))
