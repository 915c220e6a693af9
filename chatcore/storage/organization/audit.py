"""The audit log. `Transaction.record` adds to it."""

from collections.abc import Sequence
from typing import Protocol

from chatcore.domain.ids import AuditId, UserId
from chatcore.domain.organization.audit import AuditEntry, AuditFilter, AuditKind


class AuditLog(Protocol):
    """Entries of the audit log. They are never changed, and only `forget` removes some, whoever asks the
    database for it.
    """

    def page(self, wanted: AuditFilter, *, before: AuditId | None, limit: int) -> Sequence[AuditEntry]:
        """Return the newest entries that are wanted, with ids below *before* if it is given, newest first.

        Later entries have higher ids, and no entry appears below one that was returned.
        """

    def count_about(
        self, user_id: UserId | None, kind: AuditKind, since: int, until: int, *, among: int
    ) -> int:
        """Return how many entries are of a kind, from a time on and before another (in seconds), among the
        newest about an account; *among* is the number of these. *user_id* None: about people of whom no
        account is known.
        """

    def oldest(self) -> int | None:
        """Return the time of the oldest entry, or None without any."""

    def forget(self, before: int, *, limit: int) -> int:
        """Remove the oldest entries that were made before a time, and return how many. From then on, nobody
        can remove entries since that time.
        """
