"""`chatcore.storage.messages.mail_receipts`."""

from chatcore.storage.conformance.makers import NOW, a_town
from chatcore.storage.transaction import Storage, Transaction


def test_received_mails_are_known_for_a_while(storage: Storage) -> None:
    town = a_town(storage)
    channel, other = town.plaza, town.office

    def write(tx: Transaction) -> None:
        assert not tx.mail_receipts.has(channel, "a")
        tx.mail_receipts.add(channel, "a", NOW, NOW - 10)
        tx.mail_receipts.add(channel, "b", NOW + 5, NOW - 10)
        assert tx.mail_receipts.has(channel, "a")
        assert not tx.mail_receipts.has(other, "a")
        counts = [tx.mail_receipts.count(channel, since) for since in (NOW - 1, NOW, NOW + 5)]
        assert counts == [2, 1, 0]
        tx.mail_receipts.add(other, "a", NOW + 20, NOW + 1)
        assert not tx.mail_receipts.has(channel, "a")
        assert tx.mail_receipts.has(channel, "b")

    storage.write(write)
