"""`chatcore.storage.mail.reply_receipts`."""

from chatcore.domain.ids import UserId
from chatcore.storage.conformance.makers import NOW
from chatcore.storage.transaction import Storage, Transaction


def test_answers_by_mail_are_known_for_a_while(storage: Storage) -> None:
    ada, ben = UserId(1), UserId(2)

    def write(tx: Transaction) -> None:
        assert not tx.reply_receipts.has(ada, "a")
        tx.reply_receipts.add(ada, "a", NOW, NOW - 10)
        tx.reply_receipts.add(ada, "b", NOW + 5, NOW - 10)
        assert [tx.reply_receipts.has(person, "a") for person in (ada, ben)] == [True, False]
        counts = [tx.reply_receipts.count(ada, since) for since in (NOW - 1, NOW, NOW + 5)]
        assert counts == [2, 1, 0]
        tx.reply_receipts.add(ben, "a", NOW + 20, NOW + 1)
        assert [tx.reply_receipts.has(ada, key) for key in "ab"] == [False, True]

    storage.write(write)
