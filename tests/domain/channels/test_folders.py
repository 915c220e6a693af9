"""The rules of channel folders."""

from collections.abc import Callable

import pytest

from chatcore.domain.channels import folders
from chatcore.domain.channels.folders import Folder
from chatcore.domain.errors import BadRequest
from chatcore.domain.ids import FolderId
from chatcore.domain.limits import Limits

LIMITS = Limits(max_channel_folder_name_length=10, max_channel_folder_description_length=20)


def folder(number: int, name: str, *, is_archived: bool = False) -> Folder:
    return Folder(id=FolderId(number), name=name, date_created=1, order=number, is_archived=is_archived)


KNOWN = [folder(1, "Teams"), folder(2, "Projects"), folder(3, "Old", is_archived=True)]


def test_names_and_descriptions_are_cleaned() -> None:
    assert folders.checked_name("  Teams ", LIMITS) == "Teams"
    assert folders.checked_description("a\r\nb\nc", LIMITS) == "a b c"


@pytest.mark.parametrize(
    "refused",
    [
        lambda: folders.checked_name(" ", LIMITS),
        lambda: folders.checked_name("x" * 11, LIMITS),
        lambda: folders.checked_name("a\0", LIMITS),
        lambda: folders.checked_description("x" * 21, LIMITS),
        lambda: folders.checked_description("a\0", LIMITS),
        lambda: folders.require_free_name(KNOWN, "TEAMS "),
        lambda: folders.find(KNOWN, 4),
        lambda: folders.require_usable(KNOWN, 4),
        lambda: folders.require_usable(KNOWN, 3),
        lambda: folders.order_folders(KNOWN, [2, 1]),
        lambda: folders.order_folders(KNOWN, [2, 1, 1]),
        lambda: folders.order_folders(KNOWN, [2, 1, 3, 4]),
    ],
)
def test_what_is_outside_the_rules_is_refused(refused: Callable[[], object]) -> None:
    with pytest.raises(BadRequest):
        refused()


def test_what_is_within_them_is_not() -> None:
    folders.require_free_name(KNOWN, "old")
    assert folders.require_usable(KNOWN, 2) == 2
    assert folders.order_folders(KNOWN, [3, 1, 2]) == [3, 1, 2]
