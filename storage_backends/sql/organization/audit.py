"""The audit log."""

from collections.abc import Sequence
from functools import cache
from typing import Any, Final

from peewee import SQL, fn

from chatcore.domain.choices import given_values
from chatcore.domain.ids import MAX_INTEGER, AuditId, UserId
from chatcore.domain.organization.audit import AuditEntry, AuditFilter, AuditKind, AuditTarget
from storage_backends.sql.repository import SqlRepository
from storage_backends.sql.schema import AuditLogEntry as Entry
from storage_backends.sql.schema import AuditRetention
from storage_backends.sql.statement import Statement, StatementOf, in_list, insert, param
from storage_backends.sql.values import attributes_of, new_columns_of

CONDITIONS: Final[dict[str, Any]] = {
    "kind": Entry.kind == param("kind"),
    "actor_id": Entry.actor_id == param("actor_id"),
    "origin": Entry.origin == param("origin"),
    "target_type": Entry.target_type == param("target_type"),
    "without_target": Entry.target_type != param("without_target"),
    "target_id": Entry.target_id == param("target_id"),
    "since": Entry.at >= param("since"),
    "until": Entry.at < param("until"),
}
"""Conditions that a wanted entry fulfils, by the name of the value that is given."""


def _count(of_whom: Any) -> Statement:
    """Return the statement that counts entries of a kind and a time among the newest about an account."""
    newest = (
        Entry.select(Entry.at, Entry.kind)
        .where(Entry.target_type == AuditTarget.USER.value, of_whom)
        .order_by(Entry.id.desc())
        .limit(param("among"))
        .alias("newest")
    )
    its_time = (newest.c.at >= param("since")) & (newest.c.at < param("until"))
    wanted = (newest.c.kind == param("kind")) & its_time
    return Statement(Entry.select(fn.count(SQL("*"))).from_(newest).where(wanted))


ADD = Statement(insert(Entry))
COUNT_ABOUT = _count(Entry.target_id == param("user_id"))
COUNT_ABOUT_NOBODY = _count(Entry.target_id.is_null())
FIND_OLDEST = Statement(Entry.select(fn.min(Entry.at)))
LET_GO = Statement(
    AuditRetention.update(kept_since=param("before")).where(AuditRetention.kept_since < param("before"))
)
OLD_IDS = Statement(
    Entry.select(Entry.id).where(Entry.at < param("before")).order_by(Entry.at).limit(param("limit"))
)
FORGET = Statement(Entry.delete().where(in_list(Entry.id, "ids")))


@cache
def _find(*names: str) -> StatementOf[AuditEntry]:
    """Return the statement for the newest entries that fulfil the conditions with these names."""
    wanted = Entry.select().where(Entry.id < param("before"), *(CONDITIONS[name] for name in names))
    return Statement(wanted.order_by(Entry.id.desc()).limit(param("limit"))).of(AuditEntry)


FIND_ANY = _find()
"""The statement without conditions, by which the tests of all statements know the others too."""


class AuditLog(SqlRepository):
    def page(self, wanted: AuditFilter, *, before: AuditId | None, limit: int) -> Sequence[AuditEntry]:
        values = given_values(**{name: getattr(wanted, name) for name in attributes_of(AuditFilter)})
        end = MAX_INTEGER if before is None else before
        return self._session.rows(_find(*values), before=end, limit=limit, **values)

    def count_about(
        self, user_id: UserId | None, kind: AuditKind, since: int, until: int, *, among: int
    ) -> int:
        values = {"kind": kind.value, "since": since, "until": until, "among": among}
        if user_id is None:
            return int(self._session.value(COUNT_ABOUT_NOBODY, **values))
        return int(self._session.value(COUNT_ABOUT, user_id=user_id, **values))

    def oldest(self) -> int | None:
        found: int | None = self._session.value(FIND_OLDEST)
        return found

    def forget(self, before: int, *, limit: int) -> int:
        self._session.run(LET_GO, before=before)
        ids = self._session.column(OLD_IDS, before=before, limit=limit)
        return self._session.run_counting(FORGET, ids=ids)

    def add(self, entries: Sequence[AuditEntry]) -> None:
        self._session.run_many(ADD, [new_columns_of(Entry, entry) for entry in entries])
