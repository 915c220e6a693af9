"""`chatcore.storage.organization.audit`, and `Transaction.record`."""

from collections.abc import Sequence
from dataclasses import replace

from chatcore.domain.ids import AuditId, UserId
from chatcore.domain.organization.audit import (
    NOT_STORED,
    AuditEntry,
    AuditFilter,
    AuditKind,
    AuditTarget,
    OriginKind,
)
from chatcore.storage.conformance.makers import error_of
from chatcore.storage.transaction import Storage, Transaction

ADA, BEN = UserId(1), UserId(2)
RENAMED = AuditEntry(
    id=NOT_STORED,
    at=100,
    kind=AuditKind.NAME_CHANGED,
    actor_id=ADA,
    origin=OriginKind.REQUEST,
    client="tests",
    address="192.0.2.1",
    target_type=AuditTarget.USER,
    target_id=BEN,
    before={"ids": [1, 2], "is_bot": False},
    after={"ids": [], "is_bot": None},
    personal={"before": {"full_name": "Ben"}, "after": {"full_name": "Benjamin"}},
)
CREATED = replace(
    RENAMED,
    kind=AuditKind.CHANNEL_CREATED,
    actor_id=None,
    origin=OriginKind.CONSOLE,
    address="",
    target_type=AuditTarget.CHANNEL,
    target_id=7,
    personal={},
)


def record_all(storage: Storage, *entries: AuditEntry) -> None:
    def write(tx: Transaction) -> None:
        for entry in entries:
            tx.record(entry)

    storage.write(write)


def page(
    storage: Storage, before: AuditId | None = None, limit: int = 100, **wanted: object
) -> Sequence[AuditEntry]:
    kept = AuditFilter(**wanted)  # type: ignore[arg-type]
    return storage.read(lambda snapshot: snapshot.audit.page(kept, before=before, limit=limit))


def test_entries_of_the_audit_log_are_read_as_they_were_recorded(storage: Storage) -> None:
    record_all(storage, RENAMED, CREATED)
    newest, oldest = page(storage)
    assert replace(oldest, id=NOT_STORED) == RENAMED
    assert replace(newest, id=NOT_STORED) == CREATED
    assert newest.id > oldest.id > 0


def test_nothing_is_recorded_by_a_unit_of_work_that_fails(storage: Storage) -> None:
    def fail(tx: Transaction) -> None:
        tx.record(RENAMED)
        raise ValueError

    error_of(ValueError, lambda: storage.write(fail))
    assert page(storage) == []


def test_pages_of_the_audit_log_continue_each_other(storage: Storage) -> None:
    record_all(storage, *(replace(RENAMED, at=at) for at in range(5)))
    first = page(storage, limit=2)
    record_all(storage, replace(RENAMED, at=5))
    second = page(storage, first[-1].id, limit=2)
    third = page(storage, second[-1].id, limit=2)
    assert [entry.at for entry in (*first, *second, *third)] == [4, 3, 2, 1, 0]


def test_entries_are_found_by_all_that_is_wanted(storage: Storage) -> None:
    record_all(storage, RENAMED, CREATED, replace(RENAMED, at=200))
    for wanted, found in (
        ({"kind": AuditKind.CHANNEL_CREATED}, [100]),
        ({"actor_id": ADA}, [200, 100]),
        ({"actor_id": BEN}, []),
        ({"origin": OriginKind.CONSOLE}, [100]),
        ({"target_type": AuditTarget.USER}, [200, 100]),
        ({"target_type": AuditTarget.USER, "target_id": 7}, []),
        ({"target_id": 7}, [100]),
        ({"since": 101}, [200]),
        ({"until": 200}, [100, 100]),
        ({"since": 100, "until": 201, "kind": AuditKind.NAME_CHANGED, "actor_id": ADA}, [200, 100]),
    ):
        assert [entry.at for entry in page(storage, **wanted)] == found, wanted


def test_entries_of_a_kind_are_counted_among_the_newest_about_an_account(storage: Storage) -> None:
    role_changed = replace(RENAMED, kind=AuditKind.ROLE_CHANGED)
    record_all(
        storage,
        replace(CREATED, target_id=BEN),
        *(replace(RENAMED, at=at, target_id=BEN) for at in range(10)),
        *(replace(RENAMED, at=at, target_id=None) for at in range(5)),
        *(replace(role_changed, at=at, target_id=BEN) for at in (11, 12)),
    )

    def count_renames(user_id: UserId | None, since: int, until: int, among: int) -> int:
        kind = AuditKind.NAME_CHANGED
        return storage.read(
            lambda snapshot: snapshot.audit.count_about(user_id, kind, since, until, among=among)
        )

    for user_id, since, until, among, expected in (
        (BEN, 0, 20, 100, 10),
        (BEN, 7, 20, 100, 3),
        (BEN, 7, 9, 100, 2),
        (BEN, 0, 20, 4, 2),  # the newest two are changes of the role
        (BEN, 11, 20, 4, 0),
        (None, 0, 20, 100, 5),  # None: entries about people of whom no account is known
        (None, 3, 20, 100, 2),
        (None, 0, 4, 100, 4),
        (None, 0, 20, 2, 2),
        (ADA, 0, 20, 9, 0),
    ):
        assert count_renames(user_id, since, until, among) == expected, (user_id, since, until, among)


def test_old_entries_are_forgotten_in_batches(storage: Storage) -> None:
    record_all(storage, *(replace(RENAMED, at=at) for at in (10, 11, 12, 13)))
    assert storage.read(lambda snapshot: snapshot.audit.oldest()) == 10
    assert storage.write(lambda tx: tx.audit.forget(12, limit=1)) == 1
    assert storage.write(lambda tx: tx.audit.forget(12, limit=5)) == 1
    assert storage.write(lambda tx: tx.audit.forget(12, limit=5)) == 0
    assert [entry.at for entry in page(storage)] == [13, 12]
    storage.write(lambda tx: tx.audit.forget(100, limit=5))
    assert storage.read(lambda snapshot: snapshot.audit.oldest()) is None
