"""The rooms of the application are found by the same names in the endpoints, their routes, and the tests."""

from collections.abc import Mapping
from pathlib import Path

import pytest

PROJECT = Path(__file__).parents[1]
APPLICATION = PROJECT / "chatcore" / "application"

MOST_FILES = 20
"""Modules in a folder, without its `__init__` and `conftest`."""

NO_ENDPOINTS = {
    "registration": "`POST /register` makes a queue, and is in `events`",
    "imports": "archives are imported by the command line alone",
    "delivery": "what every sender of a message uses",
    "visibility": "what every reader uses",
}
WITHOUT: Mapping[str, Mapping[str, str]] = {
    "chatcore/http/endpoints": NO_ENDPOINTS,
    "chatcore/http/routes": NO_ENDPOINTS,
    "tests/application": {
        "groups": "tested over HTTP, in tests/http/groups and tests/security",
        "visibility": "tested over HTTP, in tests/http/visibility and tests/security",
    },
    "tests/http": {
        "registration": "in tests/http/events and tests/http/described",
        "imports": "no endpoints",
        "delivery": "tested by what is sent, in tests/http/messages",
    },
}
"""Rooms that a folder does not have, and why."""

BESIDES: Mapping[str, Mapping[str, str]] = {
    "tests/http": {
        "described": "the whole API against its description",
        "serving": "server processes, and stores that fail",
    },
}
"""Folders that are no rooms of the application, and why."""


def rooms(folder: Path) -> set[str]:
    return {path.parent.name for path in folder.glob("*/__init__.py")}


def nouns(folder: Path) -> set[str]:
    """Its rooms; of a folder that has no folders, the modules."""
    return rooms(folder) or {path.stem for path in folder.glob("*.py")} - {"__init__"}


@pytest.mark.parametrize("name", WITHOUT)
def test_rooms_have_the_same_names(name: str) -> None:
    expected = rooms(APPLICATION) - WITHOUT[name].keys() | BESIDES.get(name, {}).keys()
    assert nouns(PROJECT / name) == expected


@pytest.mark.parametrize("name", WITHOUT)
def test_exceptions_are_rooms(name: str) -> None:
    assert WITHOUT[name].keys() <= rooms(APPLICATION)
    assert not BESIDES.get(name, {}).keys() & rooms(APPLICATION)


@pytest.mark.parametrize(
    "name",
    [
        *("chatcore/application", "chatcore/http", "storage_backends"),
        *("tests/application", "tests/http", "tests/worlds"),
    ],
)
def test_no_folder_is_crowded(name: str) -> None:
    modules: dict[Path, int] = {}
    for path in (PROJECT / name).rglob("*.py"):
        if path.name not in {"__init__.py", "conftest.py"}:
            modules[path.parent] = modules.get(path.parent, 0) + 1
    crowded = {
        str(folder.relative_to(PROJECT)): count for folder, count in modules.items() if count > MOST_FILES
    }
    assert crowded == {}
