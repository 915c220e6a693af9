"""`chatcore.storage.mail.confirmations`."""

from chatcore.domain.ids import InvitationId, UserId
from chatcore.domain.mail.confirmations import Confirmation, Proof
from chatcore.storage.transaction import Storage, Transaction


def _confirmation(token: str, proof: Proof = Proof.JOIN, user: int | None = None) -> Confirmation:
    return Confirmation(
        token_hash=token,
        proof=proof,
        nonce="n",
        email="Ada@example.org",
        user_id=None if user is None else UserId(user),
        key_version=7,
        invitation_id=InvitationId(9),
        expires_at=100,
    )


def _left(storage: Storage, tokens: str) -> str:
    return storage.read(
        lambda snapshot: "".join(token for token in tokens if snapshot.confirmations.find(token))
    )


def test_a_confirmation_is_found_by_its_hash_and_removed_once(storage: Storage) -> None:
    confirmation = _confirmation("a", Proof.PASSWORD, 5)
    storage.write(lambda tx: tx.confirmations.add(confirmation))
    assert storage.read(lambda snapshot: snapshot.confirmations.find("a")) == confirmation
    assert storage.read(lambda snapshot: snapshot.confirmations.find("A")) is None
    assert storage.write(lambda tx: [tx.confirmations.remove("a"), tx.confirmations.remove("a")]) == [
        True,
        False,
    ]


def test_confirmations_are_removed_by_address_by_user_and_by_time(storage: Storage) -> None:
    def write(tx: Transaction) -> None:
        add = tx.confirmations.add
        add(_confirmation("a"))
        add(_confirmation("b", Proof.ADDRESS, 5))
        add(_confirmation("c", Proof.ADDRESS, 6))

    storage.write(write)
    storage.write(lambda tx: tx.confirmations.remove_of_address(Proof.JOIN, "ada@EXAMPLE.org"))
    assert _left(storage, "abc") == "bc"
    storage.write(lambda tx: tx.confirmations.remove_of_user(Proof.ADDRESS, UserId(5)))
    assert _left(storage, "abc") == "c"
    storage.write(lambda tx: tx.confirmations.forget_expired(99))
    assert _left(storage, "abc") == "c"
    storage.write(lambda tx: tx.confirmations.forget_expired(100))
    assert _left(storage, "abc") == ""
