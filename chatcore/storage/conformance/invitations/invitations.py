"""`chatcore.storage.invitations.invitations`."""

from dataclasses import replace

from chatcore.domain.ids import ChannelId, GroupId, RecipientId, UserId
from chatcore.domain.invitations.invitations import Invitation
from chatcore.domain.roles import Role
from chatcore.storage.transaction import Storage


def _invitation(token: str, email: str | None, expires_at: int | None = 100) -> Invitation:
    return Invitation(
        email=email,
        inviter_id=UserId(5),
        invited_at=10,
        expires_at=expires_at,
        role=Role.GUEST,
        channel_ids=(ChannelId(RecipientId(3)),),
        group_ids=(GroupId(2), GroupId(1)),
        joins_defaults=True,
        notifies_inviter=True,
        welcome_text="",
        nonce="n",
        token_hash=token,
    )


def test_invitations_are_found_by_id_token_and_address(storage: Storage) -> None:
    mail, link = storage.write(
        lambda tx: [
            tx.invitations.add(_invitation("a", "Ada@example.org")),
            tx.invitations.add(replace(_invitation("b", None, None), welcome_text=None)),
        ]
    )
    assert (mail.is_link, link.is_link) == (False, True)
    assert storage.read(lambda snapshot: snapshot.invitations.all()) == [mail, link]
    assert storage.read(lambda snapshot: snapshot.invitations.find(mail.id)) == mail
    assert storage.read(lambda snapshot: snapshot.invitations.find_by_token("b")) == link
    assert storage.read(lambda snapshot: snapshot.invitations.find_by_token("B")) is None
    addresses = ["ada@EXAMPLE.org", "x@example.org"]
    assert storage.read(lambda snapshot: snapshot.invitations.to_addresses(addresses)) == [mail]
    assert storage.read(lambda snapshot: snapshot.invitations.count()) == 2


def test_an_invitation_is_renewed_and_removed_once(storage: Storage) -> None:
    invitation = storage.write(lambda tx: tx.invitations.add(_invitation("a", "ada@example.org")))
    storage.write(lambda tx: tx.invitations.renew(invitation.id, invited_at=20, expires_at=None))
    assert storage.read(lambda snapshot: snapshot.invitations.find(invitation.id)) == replace(
        invitation, invited_at=20, expires_at=None
    )
    assert storage.write(
        lambda tx: [tx.invitations.remove(invitation.id), tx.invitations.remove(invitation.id)]
    ) == [
        True,
        False,
    ]


def test_an_invitation_gets_another_link(storage: Storage) -> None:
    invitation, other = storage.write(
        lambda tx: [tx.invitations.add(_invitation(token, None)) for token in ("a", "b")]
    )
    storage.write(lambda tx: tx.invitations.change_link(invitation.id, "m", "c"))
    assert storage.read(lambda snapshot: snapshot.invitations.find_by_token("a")) is None
    changed = replace(invitation, nonce="m", token_hash="c")
    assert storage.read(lambda snapshot: snapshot.invitations.find_by_token("c")) == changed
    assert storage.read(lambda snapshot: snapshot.invitations.all()) == [changed, other]


def test_expired_invitations_are_forgotten(storage: Storage) -> None:
    storage.write(
        lambda tx: [
            tx.invitations.add(_invitation(token, None, at))
            for token, at in (("a", 9), ("b", 10), ("c", None))
        ]
    )
    storage.write(lambda tx: tx.invitations.forget_expired(9))
    left = storage.read(lambda snapshot: [invitation.token_hash for invitation in snapshot.invitations.all()])
    assert left == ["b", "c"]
