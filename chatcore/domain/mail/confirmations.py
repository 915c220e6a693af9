"""Links in mails that prove that their reader reads the mail of an address."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from chatcore.domain.ids import InvitationId, UserId
from chatcore.domain.times import SECONDS_PER_DAY


class Proof(StrEnum):
    """The right that such a link proves; the value is also the beginning of the link's path."""

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
    """A link in a mail to the address *email*."""

    token_hash: str
    proof: Proof
    nonce: str
    email: str
    user_id: UserId | None = None
    """The account that the link is for; None for a person who joins."""
    key_version: int = 0
    """The version of the account's key: with another key, the link is not valid any more."""
    invitation_id: InvitationId | None = None
    """The link for many people by which a person joins, if there is one."""
    expires_at: int
