"""`chatcore.storage.people.browser_sessions`."""

from chatcore.domain.ids import UserId
from chatcore.domain.people.sessions import NOT_STORED, BrowserSession
from chatcore.storage.transaction import Storage, Transaction

ADA, BEN = UserId(5), UserId(6)


def _add(tx: Transaction, token: str, at: int, user_id: UserId = ADA, keep: int = 9) -> None:
    session = BrowserSession(
        id=NOT_STORED, user_id=user_id, began_at=at, used_at=at, user_agent="Tea/1 ☕", address="::1"
    )
    tx.browser_sessions.add(token, session, keep=keep)


def _left(storage: Storage, tokens: str = "abcd") -> str:
    return storage.read(lambda tx: "".join(token for token in tokens if tx.browser_sessions.find(token)))


def test_a_session_is_found_by_the_hash_of_its_token(storage: Storage) -> None:
    storage.write(lambda tx: _add(tx, "a", 10))
    storage.write(lambda tx: tx.browser_sessions.note_use("a", now=20, address="10.0.0.1"))
    session = storage.read(lambda tx: tx.browser_sessions.find("a"))
    assert session is not None
    assert session == BrowserSession(
        id=session.id, user_id=ADA, began_at=10, used_at=20, user_agent="Tea/1 ☕", address="10.0.0.1"
    )
    assert storage.read(lambda tx: tx.browser_sessions.find("A")) is None


def test_the_sessions_used_last_are_kept_and_come_first(storage: Storage) -> None:
    def write(tx: Transaction) -> None:
        _add(tx, "a", 10)
        _add(tx, "b", 20)
        _add(tx, "d", 5, BEN)
        tx.browser_sessions.note_use("a", now=30, address="")
        _add(tx, "c", 30, keep=2)

    storage.write(write)
    assert _left(storage) == "acd"
    sessions = storage.read(lambda tx: tx.browser_sessions.of_user(ADA))
    assert [session.began_at for session in sessions] == [30, 10]


def test_sessions_are_removed_by_id_by_user_and_by_time(storage: Storage) -> None:
    def write(tx: Transaction) -> None:
        for at, token in enumerate("abc"):
            _add(tx, token, at)
        _add(tx, "d", 3, BEN)
        session = tx.browser_sessions.find("a")
        assert session is not None
        remove = tx.browser_sessions.remove
        assert [remove(BEN, session.id), remove(ADA, session.id), remove(ADA, session.id)] == [
            False,
            True,
            False,
        ]

    storage.write(write)
    assert _left(storage) == "bcd"
    assert storage.write(lambda tx: tx.browser_sessions.remove_of_user(ADA, but="c"))
    assert not storage.write(lambda tx: tx.browser_sessions.remove_of_user(ADA, but="c"))
    assert _left(storage) == "cd"
    storage.write(lambda tx: tx.browser_sessions.forget_unused(3))
    assert _left(storage) == "d"
    assert storage.write(lambda tx: tx.browser_sessions.remove_of_user(BEN))
    assert _left(storage) == ""
