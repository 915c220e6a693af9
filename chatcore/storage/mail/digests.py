"""How far the summaries by mail of the present round are written."""

from typing import Protocol

from chatcore.domain.sent_mail.digests import DigestRound


class DigestRounds(Protocol):
    def find(self) -> DigestRound | None:
        """Return the last round that has begun."""

    def put(self, digest_round: DigestRound) -> None:
        """Store it, in place of the last one."""
