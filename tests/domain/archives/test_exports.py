"""Rules of exports."""

from dataclasses import replace

import pytest

from chatcore.domain.archives.exports import (
    WEEK,
    Export,
    ExportType,
    accounts_with_consent,
    is_forgotten,
    require_can_delete,
    require_few_exports,
    require_size,
)
from chatcore.domain.errors import BadRequest
from chatcore.domain.files.uploads import MIB
from chatcore.domain.ids import ExportId, UserId
from chatcore.domain.limits import Limits
from chatcore.domain.people.users import User

NOW = 1_750_000_000
LIMITS = Limits(
    max_exports_per_week=2, max_exports_kept=3, max_messages_per_export=10, max_export_files_mib=1
)
WAITING = Export(
    id=ExportId(1), acting_user_id=UserId(7), export_type=ExportType.PUBLIC, requested_at=NOW, token="t"
)
DONE = replace(WAITING, finished_at=NOW)
FAILED = replace(WAITING, failed_at=NOW)
DELETED = replace(DONE, deleted_at=NOW)


def test_an_export_is_pending_or_available_by_its_times() -> None:
    assert [one.is_pending for one in (WAITING, DONE, FAILED, DELETED)] == [True, False, False, False]
    assert [one.is_available for one in (WAITING, DONE, FAILED, DELETED)] == [False, True, False, False]


def test_only_a_complete_archive_is_deleted() -> None:
    assert require_can_delete(DONE) == DONE
    for wrong in (None, WAITING, FAILED, DELETED):
        with pytest.raises(BadRequest):
            require_can_delete(wrong)


def test_exports_are_few() -> None:
    old = replace(DONE, requested_at=NOW - WEEK)
    for before in ([], [DONE], [old, old], [DELETED, replace(FAILED, requested_at=NOW - WEEK)]):
        require_few_exports(before, NOW, LIMITS)
    begun = replace(WAITING, requested_at=NOW - WEEK)
    for before in ([DONE, DELETED], [FAILED, FAILED], [old, old, old], [begun, old, begun]):
        with pytest.raises(BadRequest):
            require_few_exports(before, NOW, LIMITS)


def test_a_server_exports_what_is_not_too_large() -> None:
    require_size(10, MIB, LIMITS)
    for messages, size in ((11, 0), (0, MIB + 1)):
        with pytest.raises(BadRequest):
            require_size(messages, size, LIMITS)


def test_what_is_left_of_nothing_is_forgotten() -> None:
    assert not any(is_forgotten(one, NOW + WEEK - 1) for one in (WAITING, DONE, FAILED, DELETED))
    assert [is_forgotten(one, NOW + WEEK) for one in (WAITING, DONE, FAILED, DELETED)] == [
        False, False, True, True,
    ]  # fmt: skip


def user(number: int, **fields: object) -> User:
    return User(id=UserId(number), email=f"{number}@example.org", full_name="N", date_joined=NOW, **fields)  # type: ignore[arg-type]


def test_bots_follow_their_owners() -> None:
    users = [
        user(1, settings={"allow_private_data_export": True}),
        user(2),
        user(3, is_bot=True, bot_owner_id=1),
        user(4, is_bot=True, bot_owner_id=2),
        user(5, is_bot=True, settings={"allow_private_data_export": True}),
    ]
    assert accounts_with_consent(users) == {1, 3}
