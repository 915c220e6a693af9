"""`chatcore.storage.mail.digests`."""

from dataclasses import replace

from chatcore.domain.ids import UserId
from chatcore.domain.sent_mail.digests import DigestRound
from chatcore.storage.transaction import Storage


def test_the_last_round_of_summaries_is_kept(storage: Storage) -> None:
    assert storage.read(lambda snapshot: snapshot.digests.find()) is None
    begun = DigestRound(begun_at=2_000_000_000, since=1_999_000_000, after_user_id=UserId(0))
    storage.write(lambda tx: tx.digests.put(begun))
    later = replace(begun, after_user_id=UserId(2**40))
    storage.write(lambda tx: tx.digests.put(later))
    assert storage.read(lambda snapshot: snapshot.digests.find()) == later
