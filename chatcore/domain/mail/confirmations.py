"""Links in mails that prove that their reader reads the mail of an address."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from chatcore.domain.ids import InvitationId, UserId
from chatcore.domain.roles import SECONDS_PER_DAY


class Proof(StrEnum):
    """The purposes of such links; the value is also the beginning of the link's path."""

    JOIN = "join"
    ADDRESS = "confirm"
    PASSWORD = "reset"


LIFETIMES: Final = {
    Proof.JOIN: SECONDS_PER_DAY,
    Proof.ADDRESS: SECONDS_PER_DAY,
    Proof.PASSWORD: 3600,
}
"""Seconds for which such a link is valid."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Confirmation:
    """A link: the address it was sent to, or is about to become an account's; the account if there is one,
    with the version of its key, so that the link ends with it. One who joins by an invitation for many
    people has its id.
    """

    token_hash: str
    kind: Proof
    nonce: str
    email: str
    user_id: UserId | None = None
    key_version: int = 0
    invitation_id: InvitationId | None = None
    expires_at: int
