"""`chatcore.storage.mail.mails`."""

from dataclasses import replace

from chatcore.domain.mail.mails import Mail, MailKind
from chatcore.storage.transaction import Storage, Transaction


def _mail(key: str, due: int, kind: MailKind = MailKind.INVITATION) -> Mail:
    return Mail(
        message_key=key,
        recipient=f"{key}@example.org",
        kind=kind,
        facts={"organization": "Ünï"},
        nonce="n",
        written_at=1,
        due=due,
    )


def test_mails_wait_in_the_order_of_their_times(storage: Storage) -> None:
    late, soon = storage.write(lambda tx: [tx.mails.add(_mail("late", 20)), tx.mails.add(_mail("soon", 10))])
    assert storage.read(lambda snapshot: snapshot.mails.first_due(0)) == soon
    storage.write(lambda tx: tx.mails.put_off(soon.id, due=30, attempts=1))
    assert storage.read(lambda snapshot: snapshot.mails.first_due(0)) == late
    assert storage.read(lambda snapshot: snapshot.mails.find(soon.id)) == replace(soon, due=30, attempts=1)
    assert storage.read(lambda snapshot: snapshot.mails.count()) == 2
    to_late = [(late.recipient, late.kind), (late.recipient, MailKind.MISSED), ("x@example.org", late.kind)]
    assert storage.read(lambda snapshot: [snapshot.mails.count_to(*one) for one in to_late]) == [1, 0, 0]


def test_urgent_mails_are_before_others_that_are_due(storage: Storage) -> None:
    def write(tx: Transaction) -> tuple[Mail, Mail, Mail]:
        return (
            tx.mails.add(_mail("invited", 10)),
            tx.mails.add(_mail("locked out", 20, MailKind.NEW_PASSWORD)),
            tx.mails.add(_mail("moved", 15, MailKind.NEW_ADDRESS)),
        )

    invited, locked_out, moved = storage.write(write)
    first = storage.read(lambda snapshot: [snapshot.mails.first_due(now) for now in (14, 15, 99)])
    assert first == [invited, moved, moved]
    storage.write(lambda tx: tx.mails.remove(moved.id))
    assert storage.read(lambda snapshot: snapshot.mails.first_due(99)) == locked_out


def test_a_mail_is_removed_once(storage: Storage) -> None:
    mail = storage.write(lambda tx: tx.mails.add(_mail("one", 10)))
    assert storage.write(lambda tx: [tx.mails.remove(mail.id), tx.mails.remove(mail.id)]) == [True, False]
    assert storage.read(lambda snapshot: snapshot.mails.first_due(0)) is None
    assert storage.read(lambda snapshot: snapshot.mails.find(mail.id)) is None
