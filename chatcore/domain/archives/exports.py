"""Exports that administrators request, and the consents to export private data."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Final

from chatcore.domain.errors import BadRequest
from chatcore.domain.files.uploads import MIB
from chatcore.domain.groups.actors import Actor
from chatcore.domain.ids import ExportId, UserId
from chatcore.domain.limits import Limits
from chatcore.domain.people.setting_values import value
from chatcore.domain.people.settings import EXPORT_CONSENT
from chatcore.domain.people.users import User
from chatcore.domain.roles import Role
from chatcore.domain.times import SECONDS_PER_DAY

EVERYTHING: Final = "everything"
"""The scope of an archive that whoever runs the server makes."""
ONE_PERSON: Final = "person"
"""The scope of an archive with the data of one person."""
WEEK: Final = 7 * SECONDS_PER_DAY


class ExportType(IntEnum):
    """The values of `export_type`."""

    PUBLIC = 1
    """Only data that every member may read."""
    STANDARD = 2
    """Besides, the private data of people who have consented."""
    PERSON = 3
    """The data of one person alone."""

    @property
    def scope_name(self) -> str:
        return {ExportType.PUBLIC: "public", ExportType.STANDARD: "consented"}.get(self, ONE_PERSON)


@dataclass(frozen=True, slots=True, kw_only=True)
class Export:
    """An export that an administrator has requested, or a person of their data. Times are UNIX seconds."""

    id: ExportId
    acting_user_id: UserId
    export_type: ExportType
    user_id: UserId | None = None
    """The person whose data it has; None for an export of the organization."""
    requested_at: int
    token: str
    """The part of its address that nobody can guess, and of the key of its bytes."""
    attempts: int = 0
    """Number of times a process has begun to write it."""
    finished_at: int | None = None
    failed_at: int | None = None
    deleted_at: int | None = None

    @property
    def is_pending(self) -> bool:
        return self.finished_at is None and self.failed_at is None

    @property
    def is_available(self) -> bool:
        return self.finished_at is not None and self.deleted_at is None

    @property
    def file_name(self) -> str:
        return f"export-{self.id}.zip"

    @property
    def file_key(self) -> str:
        """Return the storage key of the bytes, which cannot collide with that of any other file."""
        return f"00/export-{self.token}"

    @property
    def url(self) -> str:
        return f"/user_uploads/exports/{self.token}/{self.file_name}"


NOT_STORED: Final = ExportId(0)
"""The id of an export that has none yet."""


class NoSuchExport(BadRequest):
    """There is no export with this id."""

    def __init__(self) -> None:
        super().__init__("Invalid data export ID")


def require_can_delete(export: Export | None) -> Export:
    """Return an export that can be deleted.

    :raises BadRequest:
    """
    if export is None:
        raise NoSuchExport
    if export.deleted_at is not None:
        raise BadRequest("Export already deleted")
    if export.failed_at is not None:
        raise BadRequest("Export failed, nothing to delete")
    if export.is_pending:
        raise BadRequest("Export still in progress")
    return export


def require_few_exports(exports: Sequence[Export], now: int, limits: Limits) -> None:
    """Check that another export of the organization may be requested; *exports* has those of people, too.

    :raises BadRequest: too many were requested lately, or too many are kept
    """
    of_organization = [export for export in exports if export.user_id is None]
    _require_few_lately(of_organization, now, limits.max_exports_per_week)
    kept = [export for export in of_organization if export.is_pending or export.is_available]
    if len(kept) >= limits.max_exports_kept:
        raise BadRequest("There are too many exports; delete one of them first.")


def require_few_exports_of_person(
    exports: Sequence[Export], user_id: UserId, actor: Actor, now: int, limits: Limits
) -> None:
    """Check that the actor may export the data of a person once more; only the actor's own exports count.

    :raises BadRequest: an export waits already, or there were too many lately
    """
    key = (user_id, actor.user_id)
    own = [export for export in exports if (export.user_id, export.acting_user_id) == key]
    if any(export.is_pending for export in own):
        raise BadRequest("An export of this data is being written already.")
    _require_few_lately(own, now, limits.max_exports_of_person_per_week)


def _require_few_lately(exports: Sequence[Export], now: int, limit: int) -> None:
    """Check that fewer exports than the limit were requested in the last week.

    :raises BadRequest:
    """
    if sum(export.requested_at > now - WEEK for export in exports) >= limit:
        raise BadRequest("Exceeded rate limit.")


def require_size(messages: int, file_bytes: int, limits: Limits) -> None:
    """Check that the organization is small enough to be exported by a running server.

    :raises BadRequest:
    """
    if messages > limits.max_messages_per_export or file_bytes > limits.max_export_files_mib * MIB:
        raise BadRequest("The organization is too large to be exported by a request.")


def may_open(export: Export, user_id: UserId, role: Role, person: User | None) -> bool:
    """Whether an active account may have an archive now: administrators may have those of the organization.
    The archive of one *person* is only for the account that has requested it: the person's own, or that of an
    administrator while the person consents.
    """
    if export.user_id is None:
        return role.is_administrator
    if export.acting_user_id != user_id:
        return False
    is_own = export.user_id == user_id
    return is_own or (role.is_administrator and person is not None and consents(person))


def is_outdated(export: Export, now: int) -> bool:
    """Whether the archive of a person's data is so old that it is deleted."""
    return export.user_id is not None and export.is_available and export.requested_at <= now - WEEK


def is_forgotten(export: Export, now: int) -> bool:
    """Whether an export need not be listed any more: it is old, and has failed or lost its archive."""
    is_over = export.failed_at is not None or export.deleted_at is not None
    return is_over and export.requested_at <= now - WEEK


def consents(user: User) -> bool:
    return value(user, EXPORT_CONSENT) is True


def accounts_with_consent(users: Sequence[User]) -> frozenset[UserId]:
    """Return the accounts whose private data may be exported: those of people who have consented, and their
    bots.
    """
    people = {user.id for user in users if not user.is_bot and consents(user)}
    return frozenset(people | {user.id for user in users if user.is_bot and user.bot_owner_id in people})


def active_people(users: Iterable[User]) -> Sequence[User]:
    return [user for user in users if user.is_active and not user.is_bot]
