"""`chatcore.storage.mail.mails`."""

from dataclasses import replace

from chatcore.domain.mail.mails import Mail, MailKind
from chatcore.storage.transaction import Storage


def _mail(key: str, due: int) -> Mail:
    return Mail(
        message_key=key,
        recipient=f"{key}@example.org",
        kind=MailKind.INVITATION,
        facts={"organization": "Ünï"},
        nonce="n",
        written_at=1,
        due=due,
    )


def test_mails_wait_in_the_order_of_their_times(storage: Storage) -> None:
    late, soon = storage.write(lambda tx: [tx.mails.add(_mail("late", 20)), tx.mails.add(_mail("soon", 10))])
    assert storage.read(lambda snapshot: snapshot.mails.first_due()) == soon
    storage.write(lambda tx: tx.mails.put_off(soon.id, due=30, tries=1))
    assert storage.read(lambda snapshot: snapshot.mails.first_due()) == late
    assert storage.read(lambda snapshot: snapshot.mails.find(soon.id)) == replace(soon, due=30, tries=1)
    assert storage.read(lambda snapshot: snapshot.mails.count()) == 2


def test_a_mail_is_removed_once(storage: Storage) -> None:
    mail = storage.write(lambda tx: tx.mails.add(_mail("one", 10)))
    assert storage.write(lambda tx: [tx.mails.remove(mail.id), tx.mails.remove(mail.id)]) == [True, False]
    assert storage.read(lambda snapshot: snapshot.mails.first_due()) is None
    assert storage.read(lambda snapshot: snapshot.mails.find(mail.id)) is None
