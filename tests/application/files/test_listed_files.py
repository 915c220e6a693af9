"""Files of rows that are no uploads: nothing is left of them when a process is killed in between."""

from collections.abc import Callable

import pytest

from chatcore.application.files import uploads
from chatcore.application.files.upkeep import drop_unused
from chatcore.application.organization.custom_emoji import add_emoji
from chatcore.application.organization.pictures import set_picture
from chatcore.application.people.avatars import set_own_picture
from chatcore.application.services import Services
from chatcore.domain.groups.actors import Actor
from chatcore.domain.organization.pictures import PictureKind
from tests.worlds.files import files_world, stored_files
from tests.worlds.organization import MakeWorld, World, make_world
from tests.worlds.pictures import picture

__all__ = ["MakeWorld", "files_world", "make_world"]

Sets = Callable[[Services, Actor], object]

SETS: dict[str, Sets] = {
    "a picture of a person": lambda svc, by: set_own_picture(svc, by, [picture()]),
    "an icon": lambda svc, by: set_picture(svc, by, PictureKind.ICON, [picture()]),
}
ADDS: dict[str, Sets] = {"an emoji": lambda svc, by: add_emoji(svc, by, "mew", [picture()])}


class Killed(BaseException):
    """Stands for the end of the process: nothing else happens in it."""


def kill(*_: object) -> None:
    raise Killed


def later(world: World) -> None:
    """Drop files that no row names, as another process does in time."""
    world.clock.advance(world.svc.limits.unfinished_upload_lifetime)
    drop_unused(world.svc)


@pytest.mark.parametrize("kind", [*SETS, *ADDS])
def test_a_file_whose_row_was_not_stored_is_removed(
    files_world: World, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    world, does = files_world, {**SETS, **ADDS}[kind]
    olga = world.actor("olga")
    with monkeypatch.context() as patch:
        patch.setattr(type(world.svc.files), "finish", kill)
        patch.setattr(uploads, "discard", kill)
        with pytest.raises(Killed):
            does(world.svc, olga)
    assert len(stored_files(world)) == 1
    later(world)
    assert (stored_files(world), world.count("unfinished_upload")) == ([], 0)


@pytest.mark.parametrize("kind", SETS)
def test_a_file_that_another_one_has_replaced_is_removed(
    files_world: World, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    world, olga = files_world, files_world.actor("olga")
    SETS[kind](world.svc, olga)
    (*before,) = stored_files(world)
    with monkeypatch.context() as patch:
        patch.setattr(uploads, "sweep", kill)
        with pytest.raises(Killed):
            SETS[kind](world.svc, olga)
    assert len(stored_files(world)) == 2 * len(before)
    later(world)
    left = stored_files(world)
    assert (len(left), set(left) & set(before)) == (len(before), set())
    assert world.count("unfinished_upload") == 0
