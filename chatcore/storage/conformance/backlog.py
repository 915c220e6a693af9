"""`chatcore.storage.backlog`."""

from chatcore.domain.mail.mails import Mail, MailKind
from chatcore.storage.backlog import WaitingKind, WaitingWork
from chatcore.storage.transaction import Storage, Transaction

NOTHING = WaitingWork(0, None)


def _add_mails(tx: Transaction) -> None:
    for due in (30, 20):
        tx.mails.add(
            Mail(
                message_key=f"key {due}",
                recipient="ada@example.org",
                kind=MailKind.INVITATION,
                facts={},
                nonce=None,
                written_at=1,
                due=due,
            )
        )


def test_due_work_is_counted_by_its_kind(storage: Storage) -> None:
    before = storage.read(lambda snapshot: snapshot.backlog.waiting())
    assert before == dict.fromkeys(WaitingKind, NOTHING)
    storage.write(_add_mails)
    after = storage.read(lambda snapshot: snapshot.backlog.waiting())
    assert after == {**before, WaitingKind.MAIL: WaitingWork(2, 20)}
