"""`chatcore.storage.push.push_subscriptions`."""

from dataclasses import replace

from chatcore.domain.ids import UserId
from chatcore.domain.people.sessions import NOT_STORED, BrowserSession
from chatcore.domain.push.subscriptions import NO_SESSION, PushSubscription
from chatcore.storage.transaction import Storage, Transaction

ADA, BEN = UserId(1), UserId(2)


def _subscription(user_id: UserId, endpoint: str, session_id: int = NO_SESSION) -> PushSubscription:
    return PushSubscription(
        user_id=user_id,
        session_id=session_id,
        endpoint=f"https://push.example.net/{endpoint}",
        p256dh="p",
        auth="a",
        device="Firefox on Linux",
        created_at=7,
    )


def _put(storage: Storage, subscription: PushSubscription, keep: int = 9) -> int:
    return storage.write(lambda tx: tx.push_subscriptions.put(subscription, keep=keep))


def _endpoints(storage: Storage, user_id: UserId) -> list[str]:
    present = storage.read(lambda snapshot: snapshot.push_subscriptions.of_user(user_id))
    return [one.endpoint.rpartition("/")[2] for one in present]


def test_an_endpoint_has_one_person(storage: Storage) -> None:
    one = _subscription(ADA, "x")
    first = _put(storage, one)
    assert storage.read(lambda s: s.push_subscriptions.find(first)) == replace(one, id=first)
    second = _put(storage, replace(one, user_id=BEN, auth="b"))
    assert storage.read(lambda s: s.push_subscriptions.find(first)) is None
    assert _endpoints(storage, ADA) == []
    assert storage.read(lambda s: s.push_subscriptions.of_user(BEN)) == [
        replace(one, user_id=BEN, auth="b", id=second)
    ]
    assert storage.read(lambda s: s.push_subscriptions.subscribers()) == {BEN}


def test_the_newest_subscriptions_of_a_person_are_kept(storage: Storage) -> None:
    _put(storage, _subscription(BEN, "b"))
    for name in "xyz":
        _put(storage, _subscription(ADA, name), keep=2)
    assert (_endpoints(storage, ADA), _endpoints(storage, BEN)) == (["y", "z"], ["b"])
    assert not storage.write(
        lambda tx: tx.push_subscriptions.remove(BEN, tx.push_subscriptions.of_user(ADA)[0].id)
    )
    assert storage.write(
        lambda tx: tx.push_subscriptions.remove(ADA, tx.push_subscriptions.of_user(ADA)[0].id)
    )
    assert _endpoints(storage, ADA) == ["z"]
    storage.write(lambda tx: tx.push_subscriptions.remove_all())
    assert storage.read(lambda s: s.push_subscriptions.subscribers()) == frozenset()


def test_subscriptions_end_with_their_sessions(storage: Storage) -> None:
    def begin(tx: Transaction) -> int:
        session = BrowserSession(id=NOT_STORED, user_id=ADA, began_at=1, used_at=1, user_agent="", address="")
        tx.browser_sessions.add("hash", session, keep=9)
        return tx.browser_sessions.of_user(ADA)[0].id

    session_id = storage.write(begin)
    _put(storage, _subscription(ADA, "present", session_id))
    _put(storage, _subscription(ADA, "ended", session_id + 1))
    _put(storage, _subscription(ADA, "key"))
    _put(storage, _subscription(BEN, "other", session_id + 1))
    storage.write(lambda tx: tx.push_subscriptions.remove_ended(ADA))
    assert _endpoints(storage, ADA) == ["present", "key"]
    storage.write(lambda tx: tx.push_subscriptions.remove_ended(ADA, also_of_keys=True))
    assert (_endpoints(storage, ADA), _endpoints(storage, BEN)) == (["present"], ["other"])
