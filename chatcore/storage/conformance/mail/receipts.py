"""`chatcore.storage.mail.receipts`."""

from collections.abc import Sequence

from chatcore.storage.conformance.makers import NOW, a_town
from chatcore.storage.mail.receipts import HolderId, Receipts
from chatcore.storage.transaction import Storage, Transaction


def test_received_mails_are_known_for_a_while(storage: Storage) -> None:
    town = a_town(storage)

    def write(tx: Transaction) -> None:
        require_known_for_a_while(tx.mail_receipts, [town.plaza, town.office])
        require_known_for_a_while(tx.reply_receipts, [town.ada, town.ben])

    storage.write(write)


def require_known_for_a_while(receipts: Receipts[HolderId], holders: Sequence[HolderId]) -> None:
    holder, other = holders
    assert not receipts.has(holder, "a")
    receipts.add(holder, "a", NOW, NOW - 10)
    receipts.add(holder, "b", NOW + 5, NOW - 10)
    assert [receipts.has(each, "a") for each in holders] == [True, False]
    assert [receipts.count(holder, since) for since in (NOW - 1, NOW, NOW + 5)] == [2, 1, 0]
    receipts.add(other, "a", NOW + 20, NOW + 1)
    assert [receipts.has(holder, key) for key in "ab"] == [False, True]
