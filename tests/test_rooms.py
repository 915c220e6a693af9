"""Rooms have the same names in each layer, no folder is crowded, and no file is long."""

from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

PROJECT = Path(__file__).parents[1]

MOST_FILES = 20
"""Modules in a folder, without its `__init__`: of Python, or of the web client."""
SUFFIXES = {".py", ".js"}
MOST_LINES = 400
"""Lines of a source file."""
SOURCES = ("chatcore", "storage_backends", "benchmarks", "scripts", "wsgi.py")
OF_OTHERS = {"katex", "vendor"}
"""Folders with programs of other people."""
LONGER: Mapping[str, str] = {
    "chatcore/markup/emoji_table.py": "a table that a script makes",
    "chatcore/web/text/texts.js": "one table, with a line for each text of the interface",
    "scripts/chat_methods.py": "one table, with a line for each method of `Chat`",
}
"""Longer source files, and why."""
EVERYWHERE = ("chatcore", "storage_backends", "tests", "benchmarks", "scripts", "docs")

LIKE: Mapping[str, str] = {
    "chatcore/domain": "chatcore/application",
    "chatcore/storage": "chatcore/application",
    "chatcore/http/endpoints": "chatcore/application",
    "chatcore/http/routes": "chatcore/application",
    "tests/application": "chatcore/application",
    "tests/http": "chatcore/application",
    "tests/domain": "chatcore/domain",
    "chatcore/storage/conformance": "chatcore/storage",
    "storage_backends/sql": "chatcore/storage",
    "tests/markup": "chatcore/markup",
}
"""Folders, and the folder with the rooms that each of them has."""

NO_ENDPOINTS = {
    "registration": "`POST /register` makes a queue, and is in `events`",
    "imports": "archives are imported by the command line alone",
    "delivery": "what every sender of a message uses",
    "visibility": "what every reader uses",
    "mail": "mails follow from requests of other rooms",
    "received_mail": "mail comes by the command line, and over LMTP",
    "erasure": "one endpoint, in `people`",
}
WITHOUT: Mapping[str, Mapping[str, str]] = {
    "chatcore/domain": {
        "events": "the package chatcore/events",
        "registration": "puts the state together, and has no rules of its own",
        "imports": "imported messages follow the rules of `messages`",
        "delivery": "its rules are those of `messages`",
        "visibility": "its rules are those of `channels`, `messages` and `people`",
        "erasure": "one module, in `people`",
    },
    "chatcore/storage": {
        "groups": "one protocol, in `people`",
        "files": "two modules: uploads.py, and files.py for their bytes",
        "events": "one module: events.py",
        "imports": "one protocol, in `organization`",
        "registration": "reads what other rooms store",
        "delivery": "writes what other rooms store",
        "visibility": "reads what other rooms store",
        "received_mail": "one protocol, in `messages`",
        "erasure": "one protocol, in `people`",
        "sign_on": "one protocol, in `people`",
        "sent_mail": "its protocols are in `mail`",
    },
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
        "mail": "tested by what is sent, in tests/http/invitations",
        "received_mail": "no endpoints",
        "erasure": "tested over HTTP, in tests/application/erasure",
    },
    "chatcore/storage/conformance": {"conformance": "the folder itself"},
    "storage_backends/sql": {"conformance": "the suite is the same for every store"},
}
"""Rooms that a folder does not have, and why."""

BESIDES: Mapping[str, Mapping[str, str]] = {
    "chatcore/domain": {"narrow": "the language of searches"},
    "chatcore/storage": {"conformance": "the tests of every store"},
    "tests/http": {
        "described": "the whole API against its description",
        "serving": "server processes, and stores that fail",
    },
    "storage_backends/sql": {
        "migrations": "made in the order of their numbers",
        "narrow": "searches by a narrow as statements; the protocol is in `messages`",
        "schema": "the tables of all rooms",
    },
}
"""Rooms that a folder has for itself, and why."""


def rooms(folder: Path) -> set[str]:
    return {path.parent.name for path in folder.glob("*/__init__.py")}


def nouns(folder: Path) -> set[str]:
    """Return the rooms of a folder; its modules, if it has no rooms."""
    return rooms(folder) or {path.stem for path in folder.glob("*.py")} - {"__init__"}


def folders() -> Iterator[Path]:
    for name in EVERYWHERE:
        yield PROJECT / name
        yield from (path for path in (PROJECT / name).rglob("*") if path.is_dir())


@pytest.mark.parametrize("name", LIKE)
def test_rooms_have_the_same_names(name: str) -> None:
    expected = rooms(PROJECT / LIKE[name]) - WITHOUT.get(name, {}).keys() | BESIDES.get(name, {}).keys()
    assert nouns(PROJECT / name) == expected


@pytest.mark.parametrize("name", LIKE)
def test_exceptions_are_rooms(name: str) -> None:
    assert WITHOUT.get(name, {}).keys() <= rooms(PROJECT / LIKE[name])
    assert not BESIDES.get(name, {}).keys() & rooms(PROJECT / LIKE[name])


def test_exceptions_are_those_of_a_folder() -> None:
    assert WITHOUT.keys() | BESIDES.keys() <= LIKE.keys()


def test_no_folder_is_crowded() -> None:
    counts = {
        str(folder.relative_to(PROJECT)): len(
            {path.stem for path in folder.iterdir() if path.suffix in SUFFIXES} - {"__init__"}
        )
        for folder in folders()
        if folder.name != "migrations"  # each change of the tables adds one
    }
    assert {folder: count for folder, count in counts.items() if count > MOST_FILES} == {}


def sources() -> Iterator[Path]:
    for name in SOURCES:
        for path in (PROJECT / name).rglob("*.*") if (PROJECT / name).is_dir() else [PROJECT / name]:
            if path.suffix in SUFFIXES and not OF_OTHERS & {*path.parts}:
                yield path


def test_no_source_file_is_long() -> None:
    counts = {str(path.relative_to(PROJECT)): path.read_bytes().count(b"\n") for path in sources()}
    assert {name for name, count in counts.items() if count > MOST_LINES} == LONGER.keys()
