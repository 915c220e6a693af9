"""`chatcore.storage.archives.exports`."""

from dataclasses import replace

from chatcore.domain.archives.exports import NOT_STORED, Export, ExportType
from chatcore.domain.ids import UserId
from chatcore.storage.conformance.makers import NOW, a_town
from chatcore.storage.transaction import Storage, Transaction


def an_export(ada: UserId, export_type: ExportType, token: str, at: int) -> Export:
    return Export(id=NOT_STORED, acting_user_id=ada, export_type=export_type, requested_at=at, token=token)


def test_exports_come_back_as_they_were_added_or_changed(storage: Storage) -> None:
    ada = a_town(storage).ada

    def write(tx: Transaction) -> None:
        first = tx.exports.add(an_export(ada, ExportType.PUBLIC, "one", NOW))
        second = tx.exports.add(replace(an_export(ada, ExportType.PERSON, "two", NOW - 5), user_id=ada))
        assert first.is_pending
        assert tx.exports.all() == tx.exports.pending() == [first, second]
        assert (tx.exports.find(first.id), tx.exports.find_by_token("two")) == (first, second)
        assert (tx.exports.find(second.id + 1), tx.exports.find_by_token("three")) == (None, None)
        done = replace(first, finished_at=NOW + 1, deleted_at=NOW + 2, attempts=2)
        failed = replace(second, failed_at=NOW + 3)
        for export in (done, failed):
            tx.exports.update(export)
        assert tx.exports.all() == [done, failed]
        assert tx.exports.pending() == []
        tx.exports.remove([first.id])
        assert tx.exports.all() == [failed]

    storage.write(write)
