"""Legal holds."""

from collections.abc import Sequence
from dataclasses import replace

from chatcore.domain.ids import HoldId
from chatcore.domain.retention.holds import Hold, Holds
from storage_backends.sql.memory import RememberedKind
from storage_backends.sql.repository import SqlRepository
from storage_backends.sql.schema import LegalHold
from storage_backends.sql.statement import Statement, insert, param
from storage_backends.sql.values import new_columns_of

FIND_ALL = Statement(LegalHold.select().order_by(LegalHold.id)).of(Hold)
ADD = Statement(insert(LegalHold).returning(LegalHold.id))
REMOVE = Statement(LegalHold.delete().where(LegalHold.id == param("hold_id")))


class LegalHolds(SqlRepository):
    def all(self) -> Sequence[Hold]:
        return self._session.rows(FIND_ALL)

    def present(self) -> Holds:
        return self._session.recall.one(RememberedKind.CONFIGURATION, "holds", lambda: Holds.of(self.all()))

    def add(self, hold: Hold) -> Hold:
        hold_id = self._session.value(ADD, **new_columns_of(LegalHold, hold))
        return replace(hold, id=HoldId(hold_id))

    def remove(self, hold_id: int) -> None:
        self._session.run(REMOVE, hold_id=hold_id)
