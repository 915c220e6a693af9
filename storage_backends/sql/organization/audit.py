"""The audit log."""

from collections.abc import Sequence
from functools import cache
from typing import Any, Final

from peewee import SQL, fn

from chatcore.domain.choices import given_values
from chatcore.domain.ids import MAX_INTEGER, AuditId, UserId
from chatcore.domain.organization.audit import AuditEntry, AuditFilter, AuditKind, AuditTarget
from storage_backends.sql.schema import AuditLogEntry as Entry
from storage_backends.sql.schema import AuditRetention
from storage_backends.sql.session import Session
from storage_backends.sql.statement import Statement, StatementOf, in_list, insert, param
from storage_backends.sql.values import attributes_of, new_columns_of

NOTHING: Final = "{}"
CONDITIONS: Final[dict[str, Any]] = {
    "kind": Entry.kind == param("kind"),
    "actor_id": Entry.actor_id == param("actor_id"),
    "origin": Entry.origin == param("origin"),
    "target_type": Entry.target_type == param("target_type"),
    "target_id": Entry.target_id == param("target_id"),
    "since": Entry.at >= param("since"),
    "until": Entry.at < param("until"),
}
"""What an entry that is wanted fulfils, by the name of what is given."""

NEWEST = (
    Entry.select(Entry.at)
    .where(Entry.kind == param("kind"))
    .order_by(Entry.id.desc())
    .limit(param("most"))
    .alias("newest")
)

ADD = Statement(insert(Entry))
COUNT = Statement(Entry.select(fn.count(SQL("*"))).from_(NEWEST).where(NEWEST.c.at >= param("since")))
FIND_OLDEST = Statement(Entry.select(fn.min(Entry.at)))
LET_GO = Statement(
    AuditRetention.update(kept_since=param("before")).where(AuditRetention.kept_since < param("before"))
)
OLD_IDS = Statement(
    Entry.select(Entry.id).where(Entry.at < param("before")).order_by(Entry.at).limit(param("limit"))
)
FORGET = Statement(Entry.delete().where(in_list(Entry.id, "ids")))
BLANK_ADDRESSES = Statement(
    Entry.update(address="").where(Entry.actor_id == param("user_id"), Entry.address != "")
)
BLANK_NAMES = Statement(
    f"UPDATE audit_entry SET personal = '{NOTHING}' WHERE target_type = '{AuditTarget.USER}'"
    f" AND target_id = :user_id AND personal <> '{NOTHING}'"
)


def _find_newest(*conditions: Any) -> StatementOf[AuditEntry]:
    wanted = Entry.select().where(Entry.id < param("before"), *conditions)
    return Statement(wanted.order_by(Entry.id.desc()).limit(param("limit"))).of(AuditEntry)


FIND_ANY = _find_newest()


@cache
def _find(names: tuple[str, ...]) -> StatementOf[AuditEntry]:
    """Return the statement for a page of entries that fulfil the conditions with these names."""
    return _find_newest(*(CONDITIONS[name] for name in names)) if names else FIND_ANY


class AuditLog:
    def __init__(self, session: Session) -> None:
        self._session = session

    def page(self, wanted: AuditFilter, *, before: AuditId | None, limit: int) -> Sequence[AuditEntry]:
        values = given_values(**{name: getattr(wanted, name) for name in attributes_of(AuditFilter)})
        end = MAX_INTEGER if before is None else before
        return self._session.rows(_find(tuple(values)), before=end, limit=limit, **values)

    def count(self, kind: AuditKind, since: int, *, most: int) -> int:
        return int(self._session.value(COUNT, kind=kind.value, since=since, most=most))

    def oldest(self) -> int | None:
        found: int | None = self._session.value(FIND_OLDEST)
        return found

    def forget(self, before: int, *, limit: int) -> int:
        self._session.run(LET_GO, before=before)
        ids = self._session.column(OLD_IDS, before=before, limit=limit)
        return self._session.run_counting(FORGET, ids=ids)

    def blank(self, user_id: UserId) -> None:
        self._session.run(BLANK_ADDRESSES, user_id=user_id)
        self._session.run(BLANK_NAMES, user_id=user_id)

    def add(self, entries: Sequence[AuditEntry]) -> None:
        self._session.run_many(ADD, [new_columns_of(Entry, entry) for entry in entries])
